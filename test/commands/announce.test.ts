import type { APIMessage } from "discord-api-types/v10";
import { afterEach, describe, expect, it } from "vitest";
import { createSampleGuild } from "../../src/sandbox/platform/sample-guild.ts";
import { hostile } from "../support/hostile.ts";
import { formattedTexts, liveIn } from "../support/live-text.ts";
import { type Stage, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

/** A role that may be pinged. */
const { id: role } = createSampleGuild().people.moderator.role;
const { stage, owner, moderator, member, channelCalled } = useStage();
const { run, click } = owner;
afterEach(async () => {
  owner.speak("en-US");
  for (;;) {
    const listed = await run("announce list");
    if (textOf(listed).includes("Nothing is announced")) return;
    const [title = ""] =
      /(?<=\[)[^\]]+(?=\]\(https:\/\/www.youtube.com\/channel)/u.exec(textOf(listed)) ?? [];
    await click(await run("announce remove", { feed: title }), "Remove");
  }
});

type Options = Readonly<Record<string, string | number | boolean>>;
type Release = Parameters<Stage["sandbox"]["video"]["releases"]["publish"]>[0];

function stranger(nth = 0) {
  const { channels, ownChannelId } = stage.sandbox.video;
  const found = [...channels.values()].filter(({ id }) => id !== ownChannelId)[nth];
  if (found === undefined) throw new Error("there is nobody else");
  return found;
}

/** Begins to announce what a channel publishes. */
async function add(options: Options, nth = 0) {
  const channel = stranger(nth);
  const { hub, time, video } = stage.sandbox;
  const callbacks = () =>
    hub.subscriptions.filter(({ topic }) => topic.endsWith(channel.id)).length;
  const before = callbacks();
  // The bot sends the hub at most one request a second.
  time.pass(1_000);
  const reply = await run("announce add", { channel: channel.handle, ...options });
  /**
   * Publishes once the bot has subscribed at the hub. The bot reads the feed two seconds after the hub's first message.
   */
  async function publish(...releases: readonly Release[]) {
    await expect.poll(callbacks).toBeGreaterThan(before);
    for (const release of releases) video.releases.publish({ channelId: channel.id, ...release });
    await hub.settled();
    time.pass(2_000);
  }
  return { channel, reply, publish };
}

const postsIn = (name: string) => owner.messages(name).filter(({ author }) => author.bot === true);

/** Waits for the announcement with that title. */
async function announced(name: string, title: string): Promise<APIMessage> {
  let found: APIMessage | undefined;
  await expect
    .poll(() => {
      found = postsIn(name).find((message) => textOf(message).includes(title));
      return found;
    })
    .toBeDefined();
  if (found === undefined) throw new Error("nothing was announced");
  return found;
}

describe("/announce add", () => {
  it("announces new videos with picture, length and time, and calls the role alone", async () => {
    const uploads = channelCalled("moderators");
    const { channel, reply, publish } = await add({ uploads, role });

    await publish({ title: "Bread, day 1", seconds: 3_723 });
    const message = await announced("moderators", "Bread, day 1");

    expectPrivate(reply, `Uploads: <#${uploads}> · pings <@&${role}>`);
    expectText(reply, "premieres are announced as videos, once they have ended");
    expectText(reply, "Shorts are not announced.");
    expect(message.mention_roles).toEqual([role]);
    expect(message.mention_everyone).toBe(false);
    expectText(message, `${channel.title}** has uploaded a new video.`, "1:02:03", /<t:\d+:R>/u);
    expect(message.embeds[0]?.url).toMatch(/^https:\/\/www\.youtube\.com\/watch\?v=/u);
    expect(message.embeds[0]?.image?.url).toContain("maxresdefault");
  });

  it("fills in a text of one's own, and shows it as it is written", async () => {
    const uploads = channelCalled("moderators");
    const template = "**{kind}** from {channel}: {title} [x](https://evil.example) ({starts})";
    const { channel, publish } = await add({ uploads, template }, 1);
    await publish({ title: "{channel} & {kind}" });

    const message = await announced("moderators", "{channel} & {kind}");

    const text = message.embeds[0]?.description ?? "";
    expectText(message, `**video** from ${channel.title}: {channel} & {kind} [x]`);
    expect(liveIn(text).links).toEqual([]);
    expect(message.mention_everyone).toBe(false);
  });

  it("says how a text looks, in the language of its place", async () => {
    const uploads = channelCalled("moderators");
    const template = "{kind}: {title} ({duration}), {starts}";
    const { reply, channel } = await add({ uploads, template, language: "de", thread: true }, 3);

    const changed = await run("announce change", {
      feed: channel.title,
      kind: "premiere",
      channel: uploads,
      template: "{title} by {channel}",
    });

    expectText(reply, "in German · with a thread", "Preview with", "Video: ", "used 2 units");
    expect(textOf(reply).split("Preview")[1]).not.toContain("{");
    expectText(changed, `Premieres: <#${uploads}>`, `by ${channel.title}`);
    const forum = channelCalled("review-forum");
    for (const [options, words] of [
      [{ kind: "upload", publish: true }, "not an announcement channel"],
      [{ kind: "upload", tags: "News" }, "is not a forum"],
      [{ kind: "upload", channel: forum, tags: "Nonsense" }, "has no tag “Nonsense”"],
      [{ kind: "upload", channel: forum, thread: true }, "are threads already"],
      [{ kind: "upload", channel: forum, tags: "1,2,3,4,5" }, "Up to 4 tags"],
    ] as const) {
      expect(textOf(await run("announce change", options))).toContain(words);
    }
  });

  it("keeps one message of a stream up to date, and says how streams are told and what that costs", async () => {
    const live = channelCalled("moderators");
    const { channel, reply, publish } = await add({ live, role }, 4);
    const { releases } = stage.sandbox.video;
    const { time } = stage.sandbox;
    const startsAt = stage.sandbox.time.now() + 1_800_000;
    await publish({ title: "Planned night", live: "upcoming", startsAt });
    const planned = await announced("moderators", "Planned night");
    const { id = "" } = [...postsIn("moderators")].at(-1) ?? {};
    const videoId = planned.embeds[0]?.url?.split("v=")[1] ?? "";
    releases.goLive(videoId);
    time.pass(600_000);
    const words = () => postsIn("moderators").map(textOf).join();
    await expect.poll(words).toContain("is live now");
    const changed = await run("announce streams", { messages: "each", reminder: "25 min" });
    const refused = await run("announce streams", { reminder: "2 min" });
    const shown = await run("announce streams", { feed: channel.title });
    const listed = await run("announce list");

    expectText(reply, "takes up to 288 units a day", "costs about 34 units");
    expectText(planned, `${channel.title}** goes live on <t:${Math.floor(startsAt / 1_000)}:f>`);
    expect(planned.mention_roles).toEqual([role]);
    expect(postsIn("moderators").map((message) => message.id)).toContain(id);
    expectPrivate(changed, "A new message when", "Reminder 25 minutes before the start.");
    expectText(refused, "2 minutes isn’t possible", "5 minutes to 24 hours");
    expectText(shown, "costs about 35 units", "1 is coming up or live.");
    const line = "Streams: a message for each stage · reminder 25 minutes before · no events";
    expectText(listed, line);
  });

  it("suggests tags of the forum that is or was chosen", async () => {
    const shorts = channelCalled("review-forum");
    const offer = async (typed: string, others: Options) => {
      const offered = await owner.suggest("announce change", "tags", typed, others);
      return offered.map(({ value }) => value);
    };
    const { channel } = await add({ shorts, tags: "Waiting" }, 3);
    const elsewhere = { kind: "upload", channel: channelCalled("moderators") };

    const chosen = await offer("re", { kind: "upload", channel: shorts });
    const further = await offer("Waiting，app", { kind: "short", feed: channel.title });
    const added = await owner.suggest("announce add", "tags", "", { channel: channel.id, shorts });

    expect([chosen, further]).toEqual([["Rejected"], ["Waiting, Approved"]]);
    expect(added.map(({ name }) => name)).toEqual(["Waiting", "Approved", "Rejected"]);
    expect(await offer("", elsewhere)).toEqual([]);
    const changed = await run("announce change", { kind: "short", tags: "waiting, APPROVED" });
    expectText(changed, "2 tags");
  });

  it("says of live streams that they are live, and puts Shorts into a forum", async () => {
    const live = channelCalled("moderators");
    const { channel, publish } = await add({ live, shorts: channelCalled("review-forum") }, 2);
    await publish(
      { title: "Night stream", live: "live" },
      { title: "Quick one", seconds: 30, shape: "tall" },
    );

    const stream = await announced("moderators", "Night stream");
    await expect
      .poll(() => JSON.stringify(stage.exchanges.map(({ requestBody }) => requestBody)))
      .toContain("Quick one");

    expectText(stream, `${channel.title}** is live now.`);
    const post = stage.exchanges.find(
      ({ path, requestBody }) =>
        path.endsWith("/threads") && JSON.stringify(requestBody).includes("Quick one"),
    );
    expect(post?.status).toBe(201);
  });

  it("refuses before it spends anything", async () => {
    const spent = stage.videoRequests.length;
    const { handle: channel } = stranger();
    const uploads = channelCalled("moderators");
    const { guildId } = stage.sandbox.platform;

    const refused = [
      await run("announce add", { channel }),
      await run("announce add", { channel, uploads, template: "Look: {views}" }),
      await run("announce add", { channel, uploads, template: "@every\u200bone, look" }),
      await run("announce add", { channel, uploads, role: guildId }),
      await run("announce add", { channel: "no channel at all", uploads }),
    ].map(textOf);

    expect(refused[0]).toContain("Choose a channel to post in");
    expect(refused[1]).toContain("{views} isn’t known. Use these: {title}, {channel}, {url}");
    expect(refused[2]).toContain("Take out @everyone. To ping people, choose a role");
    expect(refused[3]).toMatch(/everybody|everyone/iu);
    expect(refused[4]).toMatch(/channel/iu);
    expect(stage.videoRequests).toHaveLength(spent);
  });

  it("refuses a channel where the bot may not post", async () => {
    const closed = channelCalled("moderators");
    const sendMessages = 1n << 11n;
    stage.sandbox.platform.forbidBot(closed, sendMessages);

    const refused = await run("announce add", { channel: stranger().handle, uploads: closed });
    stage.sandbox.platform.forbidBot(closed, 0n);

    expect(textOf(refused)).toContain("Missing permissions in that channel");
    expect(textOf(await run("announce list"))).toContain("Nothing is announced");
  });

  it("is for managers", async () => {
    const refused = await member.run("announce list");
    const asModerator = await moderator.run("announce list");

    expect(textOf(refused)).toContain("managers");
    expect(textOf(asModerator)).toContain("managers");
  });
});

describe("what is announced", () => {
  it("is listed, changed, paused, resumed and removed", async () => {
    const uploads = channelCalled("greenroom");
    const { channel } = await add({ uploads, template: "Text of ours" }, 3);
    const listed = textOf(await run("announce list"));

    const changed = await run("announce change", {
      kind: "live",
      channel: channelCalled("moderators"),
    });
    const cleared = await run("announce change", { kind: "upload", clear: "template" });
    const paused = await run("announce pause", { feed: channel.title });
    const whilePaused = textOf(await run("announce list"));
    const resumed = await click(paused, "Resume");
    const stopped = await run("announce change", { kind: "upload", clear: "place" });
    const question = await run("announce remove");
    const last = await run("announce change", { kind: "live", clear: "place" });
    const still = textOf(await run("announce list"));
    const removed = await click(question, "Remove");

    expect(listed).toContain(channel.title);
    expect(listed).toContain("“Text of ours”");
    expect(listed).toMatch(/about \d+ units? a day/u);
    expect(textOf(changed)).toContain("Live streams: ");
    expect(textOf(cleared)).not.toContain("Text of ours");
    expect(whilePaused).toContain("Paused by");
    expect(textOf(resumed)).toContain("resumed");
    expect(textOf(stopped)).not.toContain("Uploads:");
    expect(textOf(stopped)).toContain("Messages and events in Discord stay as they are");
    for (const asked of [question, last]) {
      expectText(asked, `Stop announcing ${channel.title}?`, "Messages and events in Discord stay");
    }
    expect(still).toContain("Live streams: ");
    expect(textOf(removed)).toContain("no longer announced");
  });

  it("can have a filter, which is tried on its newest videos", async () => {
    const { channel } = await add({ uploads: channelCalled("moderators") }, 3);
    await add({ live: channelCalled("moderators") }, 5);

    const others = await run("announce filter", { feed: stranger(5).title });
    await click(await run("announce remove", { feed: stranger(5).title }), "Remove");
    const set = await run("announce filter", { title: "devlog, tour", longer: "2 min" });
    const shorts = await run("announce filter", { shorts: false, category: "Gaming, 22" });
    const cleared = await run("announce filter", { clear: "all" });
    const unknown = await run("announce filter", { category: "Cooking" });
    const zero = await run("announce filter", { longer: "0" });

    expectText(others, "None of its newest videos is of a kind announced here.");
    expectText(set, `Filter of ${channel.title} saved`, "title contains devlog, tour", "2 minutes");
    expectText(
      set,
      /Of its newest \d+ videos of the kinds announced here, \d+ would have been announced/u,
      "used 2 units",
    );
    expectText(shorts, "category Gaming, People & Blogs", "no Shorts");
    expectText(cleared, "No filter: everything is announced.", "leaves out 0");
    expectText(unknown, "no category “Cooking”");
    expectText(zero, "No filter: everything is announced.");
  });

  it("can be muted until a date, and heard again", async () => {
    const { channel } = await add({ uploads: channelCalled("moderators") }, 4);

    const muted = await run("announce mute", { until: "in 3 days" });
    const listed = textOf(await run("announce list", { feed: channel.title }));
    const past = textOf(await run("announce mute", { until: "2020-01-01" }));
    const unmuted = await run("announce unmute", { feed: channel.title });
    const again = textOf(await run("announce unmute"));

    expectText(muted, `Announcements of ${channel.title} muted`, /until <t:\d+:f>/u);
    expect(listed).toMatch(/Muted until <t:\d+:f>/u);
    expect(past).toContain("in the past");
    expectText(unmuted, "no longer muted");
    expect(again).toContain("Nothing is muted");
  });

  it("has to be named where there are several, and is offered by name", async () => {
    const uploads = channelCalled("moderators");
    const one = await add({ uploads }, 0);
    const other = await add({ uploads }, 1);

    const needed = await run("announce pause");
    const offered = await owner.suggest("announce pause", "feed", other.channel.title.slice(0, 5));
    const paused = await run("announce pause", { feed: `${offered[0]?.value}` });
    const byLink = await run("announce pause", {
      feed: `https://www.youtube.com/channel/${one.channel.id}`,
    });
    const unknown = await run("announce pause", { feed: "nobody knows it" });

    expect(textOf(needed)).toContain("feed");
    expect(offered.map(({ name }) => name)).toContain(other.channel.title);
    expect(textOf(paused)).toContain(other.channel.title);
    expect(textOf(byLink)).toContain(one.channel.title);
    expect(textOf(unknown)).toContain("No announcements for “nobody knows it”");
  });

  it("can be seen as a sample that calls nobody", async () => {
    const uploads = channelCalled("moderators");
    const { channel } = await add({ uploads, live: uploads, role, thread: true }, 4);
    const before = postsIn("moderators").length;

    const tested = await run("announce test", { kind: "upload" });

    const sample = postsIn("moderators").at(-1);
    expect(postsIn("moderators")).toHaveLength(before + 1);
    expectText(
      tested,
      `Uploads: [Sample](https://discord.com/channels/`,
      `/${uploads}/${sample?.id}) in <#${uploads}>`,
    );
    expect(sample?.mention_roles).toEqual([]);
    expect(sample && textOf(sample)).toContain("Sample – no one was pinged.");

    await run("announce test", { kind: "live" });

    const stream = postsIn("moderators").at(-1);
    expect(stream?.id).not.toBe(sample?.id);
    expect([stream?.mention_roles, stream?.thread]).toEqual([[], undefined]);
    expect(stream?.embeds[0]?.fields?.map(({ name }) => name)).toEqual(["Live since"]);
    expectText(stream ?? "", `${channel.title}** is live now.`, "Sample – no one was pinged.");
  });

  it("opens a video's details for whoever presses, for them alone", async () => {
    const { publish } = await add({ uploads: channelCalled("greenroom") }, 5);
    await publish({ title: "Pressed upon" });
    const message = await announced("greenroom", "Pressed upon");

    const details = await member.click(message, "Details");

    expectPrivate(details, "Pressed upon");
  });

  it("says where notices go when a channel is gone", async () => {
    const closed = channelCalled("greenroom");
    const notices = channelCalled("moderators");
    await run("connect notices", { channel: notices });
    const { publish } = await add({ uploads: closed }, 6);
    stage.sandbox.platform.forbidBot(closed, 1n << 11n);
    await publish({ title: "Not posted" });

    const notice = await announced("moderators", "switched off");
    stage.sandbox.platform.forbidBot(closed, 0n);
    const resumed = await click(notice, "Switch on again");

    expect(textOf(notice)).toContain(`Uploads were announced in <#${closed}>`);
    expect(textOf(resumed)).toContain("resumed");
  });

  it("says in the list why a message has no thread, until the next one has", async () => {
    const uploads = channelCalled("greenroom");
    const { channel, publish } = await add({ uploads, thread: true }, 7);
    const list = async () => textOf(await run("announce list", { feed: channel.title }));
    stage.sandbox.platform.forbidBot(uploads, 1n << 35n);

    await publish({ title: "Without a thread" });

    await expect
      .poll(list)
      .toMatch(/without threads since <t:\d+:f>: I need Create Public Threads there/u);
    stage.sandbox.platform.forbidBot(uploads, 0n);
    await publish({ title: "With a thread" });
    await expect.poll(list).toContain("with a thread");
  });
});

describe("/announce import", () => {
  const file = (name: string, data: string | Uint8Array) => ({
    name,
    type: "text/plain",
    data: typeof data === "string" ? Buffer.from(data) : data,
  });

  it("asks with what is new, known and no channel, and adds the rest in one go", async () => {
    const uploads = channelCalled("moderators");
    const { channel: known } = await add({ uploads }, 0);
    const [one, two] = [stranger(1), stranger(2)];
    const absent = `UC${"0".repeat(22)}`;

    const asked = await run("announce import", {
      uploads,
      template: "{channel}: {game}",
      channels: `${one.handle} nobody-knows-this-one, what is this`,
      file: file("subscriptions.csv", `Id,Url,Title\n${known.id},,x\n${two.id},,y\n${absent},,z`),
    });
    const done = await click(asked, "Announce");

    expectPrivate(
      asked,
      "Announce 3 channels?",
      `Uploads: <#${uploads}>`,
      "1 is announced already",
    );
    expectText(asked, "1 entry is not a channel: what is this", "1 handle has to be looked up");
    expectText(asked, "This costs 4 units");
    expectText(
      done,
      "Now announcing 2 more channels",
      two.title,
      one.title,
      `1 does not exist: ${absent}`,
      `${two.title}: `,
      "is the genre or category on YouTube",
      "The preview used 2 units",
    );
    const again = await run("announce import", { uploads, channels: `${one.id} ${two.id}` });
    expectText(again, "No new channels in this list");
    expect(textOf(await run("announce list"))).toContain("3 channels of 200");
  });

  it.each([
    ["nothing", {}, "into “channels”, or attach a list"],
    [
      "a zip",
      { file: file("all.zip", Uint8Array.from([0x50, 0x4b, 0xff])) },
      "“all.zip” isn’t a list",
    ],
    ["entities", { file: file("a.opml", "<!DOCTYPE a []><opml/>") }, "can’t be read safely"],
    ["too much", { file: file("a.csv", "x".repeat(600 * 1024)) }, "at most 512 KB"],
  ] as const)("refuses %s", async (_, options, words) => {
    const uploads = channelCalled("moderators");
    expectText(await run("announce import", { uploads, ...options } as never), words);
  });
});

describe("in other languages", () => {
  it.each([
    ["de", "Ankündigungen"],
    ["es-ES", "Anuncios"],
    ["fr", "Annonces"],
    ["ja", "お知らせ"],
  ] as const)("lists in %s", async (locale, title) => {
    await add({ uploads: channelCalled("moderators") }, 0);
    owner.speak(locale);

    const listed = textOf(await run("announce list"));

    expect(listed).toContain(title);
    expect(listed).not.toMatch(/\{\w+\}/u);
  });
});

describe("hostile titles", () => {
  it("come through announcements without a mention or a link of their own", async () => {
    const uploads = channelCalled("moderators");
    const { publish } = await add({ uploads, template: "{title} – {channel}" }, 2);
    const titles = hostile.filter((_, index) => index % 61 === 0).slice(0, 9);
    const before = postsIn("moderators").length;

    await publish(...titles.map((title) => ({ title })));
    await expect.poll(() => postsIn("moderators").length).toBe(before + titles.length);

    for (const message of postsIn("moderators").slice(before)) {
      expect(message.mention_everyone).toBe(false);
      expect([message.mention_roles, message.mentions]).toEqual([[], []]);
      for (const text of formattedTexts(message)) expect(liveIn(text).links).toEqual([]);
    }
  });
});
