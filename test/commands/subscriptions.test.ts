import { describe, expect, it } from "vitest";
import { fetchBytes, isEphemeral, offered, textOf } from "../support/stage.ts";
import { expectPrivate, expectPublic, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, moderator, member, asChannel } = useStage();
const { run, click } = owner;

interface Subscribed {
  readonly id: string;
  readonly snippet: {
    readonly title: string;
    readonly resourceId: { readonly channelId: string };
  };
}

/** The linked channel's subscriptions, read directly from the stand-in. */
async function subscriptions(): Promise<readonly Subscribed[]> {
  const path = "/subscriptions?mine=true&maxResults=50&part=snippet";
  return (await asChannel<{ items: Subscribed[] }>(path)).items;
}

const followed = async () =>
  (await subscriptions()).map(({ snippet }) => snippet.resourceId.channelId);

async function stranger(): Promise<{ id: string; handle: string; title: string }> {
  const { channels, ownChannelId } = stage.sandbox.video;
  const known = new Set([...(await followed()), ownChannelId]);
  const found = [...channels.values()].find(({ id }) => !known.has(id));
  if (found === undefined) throw new Error("the creator follows everybody");
  return { id: found.id, handle: found.handle, title: found.title };
}

describe("/subscriptions list and subscribers", () => {
  it("lists the linked channel's own for people of rank alone", async () => {
    const [first] = await subscriptions();

    const mine = await moderator.run("subscriptions list", { mine: true, order: "alphabetical" });
    const refused = await member.run("subscriptions list", { mine: true });

    expectPrivate(mine, "Subscriptions of the linked channel", /subscribed <t:\d+:R>/u);
    expect(textOf(refused)).not.toContain(first?.snippet.title ?? "-");
  });

  it("lists what another channel shows, for all", async () => {
    const { channels, ownChannelId } = stage.sandbox.video;
    const others = [...channels.keys()].filter((id) => id !== ownChannelId);
    const answers = await Promise.all(
      others.slice(0, 4).map((channel) => member.run("subscriptions list", { channel })),
    );

    const shown = answers.filter((answer) => !isEphemeral(answer));

    expect(shown.length).toBeGreaterThan(0);
    expect(shown.map(textOf).join("\n")).toContain("Subscriptions of");
  });

  it("shows only the channels that are named", async () => {
    const [first, second] = await subscriptions();

    const message = await run("subscriptions list", {
      mine: true,
      only: first?.snippet.resourceId.channelId ?? "",
    });

    expect(textOf(message)).toContain(first?.snippet.title);
    expect(textOf(message)).not.toContain(second?.snippet.title ?? "-");
  });

  it("shows subscribers only to moderators and above, newest first or by name", async () => {
    const newest = await moderator.run("subscriptions subscribers");
    const byName = await moderator.run("subscriptions subscribers", { order: "alphabetical" });
    const table = await moderator.run("subscriptions subscribers", { output: "csv" });
    const refused = await member.run("subscriptions subscribers");

    expectPrivate(newest, "Subscribers");
    expect(textOf(byName)).not.toBe(textOf(newest));
    expect(`${await fetchBytes(table.attachments[0]?.url ?? "")}`).toContain("subscriberId");
    expect(textOf(refused)).not.toContain("Only subscribers whose");
  });
});

describe("/subscriptions list with subscriptions", () => {
  /** A subscription of another channel that makes its subscriptions public. */
  async function shownElsewhere(): Promise<Subscribed> {
    const { video } = stage.sandbox;
    for (const channelId of video.channels.keys()) {
      if (channelId === video.ownChannelId) continue;
      const address = `${video.url}/subscriptions?part=snippet&channelId=${channelId}&key=${video.key}`;
      const { items = [] } = (await (await fetch(address)).json()) as { items?: Subscribed[] };
      if (items[0] !== undefined) return items[0];
    }
    throw new Error("nobody shows a subscription");
  }

  it("shows them by their ids for all to see, and names what is not found", async () => {
    const { id, snippet } = await shownElsewhere();
    const gone = "nobody-has-this-subscription";

    const message = await member.run("subscriptions list", { subscriptions: `${id}, ${gone}` });

    expectPublic(message, snippet.title, `Not found: ${gone}`);
  });

  it("suggests the channel's own, and takes no other filter beside them", async () => {
    const [own] = await subscriptions();
    const chosen = await owner.offered(
      "subscriptions list",
      "subscriptions",
      own?.snippet.title.slice(0, 6) ?? "",
    );
    const subscriptionIds = own?.id ?? "";

    const mine = await run("subscriptions list", { subscriptions: subscriptionIds, mine: true });
    const ordered = await run("subscriptions list", {
      subscriptions: subscriptionIds,
      order: "alphabetical",
    });
    const wrong = await run("subscriptions list", { subscriptions: "what?" });

    expect(chosen.map(({ value }) => value)).toContain(own?.id);
    expect(textOf(mine)).toContain("at most one of these: channel, mine, and subscriptions");
    expect(textOf(ordered)).toContain("at most one of these: order and subscriptions");
    expect(textOf(wrong)).toContain("Those aren’t IDs of subscriptions");
  });
});

describe("/subscriptions add", () => {
  it("subscribes by handle, and looks before it spends on a second time", async () => {
    const { handle, id, title } = await stranger();

    const first = await run("subscriptions add", { channel: handle });
    const second = await run("subscriptions add", { channel: id });

    expectPrivate(first, `Subscribed to ${title}`);
    expect(textOf(second)).toContain(`Already subscribed to ${title}`);
    expect(textOf(second)).not.toMatch(/5\d units/u);
    expect(await followed()).toContain(id);
  });

  it("refuses the channel itself, anything but a channel, and people below manager", async () => {
    const { id } = await stranger();
    const own = stage.sandbox.video.ownChannelId;

    const self = await run("subscriptions add", { channel: own });
    const video = await run("subscriptions add", { channel: "https://youtu.be/aaaaaaaaaaa" });
    const gone = await run("subscriptions add", { channel: "@nobody-has-this-handle" });
    const refused = await moderator.run("subscriptions add", { channel: id });

    expect(textOf(self)).toContain("A channel can’t subscribe to itself");
    expect(textOf(video)).toContain("That’s a video");
    expect(textOf(gone)).not.toContain("Subscribed");
    expect(isEphemeral(refused)).toBe(true);
    expect(await followed()).not.toContain(id);
  });
});

describe("/subscriptions remove", () => {
  it("ends what was chosen among the suggestions, after a question", async () => {
    const [choice] = await offered(owner.person(), "subscriptions remove", "channel", "");
    const all = await subscriptions();
    const meant = all.find(
      ({ id, snippet }) => id === choice?.value || snippet.resourceId.channelId === choice?.value,
    );
    if (meant === undefined) throw new Error("nothing was suggested");

    const question = await run("subscriptions remove", { channel: `${choice?.value}` });
    const before = await followed();
    const done = await click(question, "Unsubscribe");

    expectText(question, `Unsubscribe from ${meant.snippet.title}?`, "This costs 50 units");
    expect(before).toContain(meant.snippet.resourceId.channelId);
    expect(textOf(done)).toContain(`Unsubscribed from ${meant.snippet.title}`);
    expect(await followed()).not.toContain(meant.snippet.resourceId.channelId);
  });

  it("finds the subscription by the channel's link, and takes it up again by a button", async () => {
    const [meant] = await subscriptions();
    const channelId = meant?.snippet.resourceId.channelId ?? "";

    const question = await run("subscriptions remove", {
      channel: `https://www.youtube.com/channel/${channelId}`,
    });
    const done = await click(question, "Unsubscribe");
    const gone = await followed();
    await click(done, "Subscribe again");

    expect(gone).not.toContain(channelId);
    expect(await followed()).toContain(channelId);
  });

  it("finds the subscription by a handle without its @", async () => {
    const [meant] = await subscriptions();
    const { channels } = stage.sandbox.video;
    const { handle = "", title = "" } =
      channels.get(meant?.snippet.resourceId.channelId ?? "") ?? {};

    const question = await run("subscriptions remove", { channel: handle.slice(1) });

    expect(textOf(question)).toContain(`Unsubscribe from ${title}?`);
  });

  it("says so when there is no such subscription", async () => {
    const { id } = await stranger();

    const none = await run("subscriptions remove", { channel: id });
    const unreadable = await run("subscriptions remove", { channel: "🎉 what" });

    expect(textOf(none)).toContain("isn’t subscribed");
    expect(textOf(unreadable)).toContain("channel");
    expect(textOf(unreadable)).not.toContain("Unsubscribe");
  });

  it("asks and answers in the person's language", async () => {
    const [meant] = await subscriptions();
    owner.speak("de");
    try {
      const question = await run("subscriptions remove", {
        channel: meant?.snippet.resourceId.channelId ?? "",
      });

      expect(textOf(question)).toContain(`Abo von ${meant?.snippet.title} beenden?`);
    } finally {
      owner.speak("en-US");
    }
  });
});
