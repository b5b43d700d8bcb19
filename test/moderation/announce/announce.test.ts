import { describe, expect, it } from "vitest";
import type {
  CardFacts,
  DigestFacts,
  ModerationNotifications,
} from "../../../src/moderation/index.ts";
import { channelClosed, cutOff, messageGone } from "../support/recorded-messages.ts";
import {
  ann,
  channelId,
  firstRef,
  hour,
  minute,
  openProcess,
  openRig,
  type Rig,
} from "../support/rig.ts";

async function hold(rig: Rig, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) rig.hold(`Held ${n}`);
}

const day = 24 * hour;

/** What the first message shows. */
function cardOn(rig: Rig): CardFacts {
  return rig.discord.messages[0]?.message.facts as CardFacts;
}

function digestOn(rig: Rig): DigestFacts {
  return rig.discord.messages[0]?.message.facts as DigestFacts;
}

describe("cards", () => {
  it("are digests from so many at once on, of 25 comments at most", async () => {
    const rig = await openRig();
    await hold(rig, 60);

    const { id } = await rig.process().watch({ digestFrom: 6 });

    const digests = rig.discord.of("held-digest");
    const facts = digests.map(({ message }) => message.facts as DigestFacts);
    expect(facts.map(({ items }) => items.length)).toEqual([25, 25, 10]);
    expect(rig.discord.messages).toHaveLength(3);
    const items = await rig.items(id);
    expect(new Set(items.map(({ digestId }) => digestId))).toEqual(
      new Set(facts.map(({ digest }) => digest.id)),
    );
  });

  it("stand alone below that", async () => {
    const rig = await openRig();
    await hold(rig, 5);

    await rig.process().watch({ digestFrom: 6 });

    expect(rig.discord.of("held-card")).toHaveLength(5);
  });

  it("are a post each in a forum, however many", async () => {
    const rig = await openRig();
    await hold(rig, 12);

    await rig.process().watch({ isForum: true, digestFrom: 6 });

    expect(rig.discord.of("held-card")).toHaveLength(12);
    expect(rig.discord.messages.every(({ message }) => message.isForum)).toBe(true);
    const [item] = await rig.items();
    expect(item?.card.channelId).toBe(item?.card.messageId);
  });

  it("have a nonce and a handle that stay, of what Discord takes", async () => {
    const rig = await openRig();
    await hold(rig, 1);

    await rig.process().watch();

    const [card] = rig.discord.messages;
    const [item] = await rig.items();
    expect(card?.message.handle).toBe(item?.card.handle);
    expect(card?.message.handle).toMatch(/^[\w-]{22}$/);
    expect(card?.message.nonce).toMatch(/^[\w-]{25}$/);
  });

  it("are drawn anew when something about them changes, several changes at once", async () => {
    const { rig, server, watch } = await openProcess();
    await hold(rig, 1);
    await watch();
    const ref = await firstRef(rig);

    await server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "card" });
    await server.queue.undo(ref, ann);
    await rig.clock.pass(2_000);

    const [card] = rig.discord.messages;
    expect(card?.edits).toBe(1);
    expect(cardOn(rig).item).toMatchObject({ status: "open", undone: { by: ann } });
  });

  it("in a digest change with it", async () => {
    const { rig, server, watch } = await openProcess();
    await hold(rig, 10);
    const { id: watchId } = await watch();
    const items = (await rig.items()).map(({ id: itemId }) => ({ watchId, itemId }));

    await server.queue.decide({ items, kind: "approve", by: ann, from: "digest" });
    await rig.clock.pass(minute);

    const [digest] = rig.discord.messages;
    expect(digestOn(rig).items.map(({ status }) => status)).toEqual(Array(10).fill("approved"));
    // At most one edit for each of decided, sending and done, instead of thirty.
    expect(digest?.edits).toBeLessThanOrEqual(4);
  });

  it("catch up after a restart", async () => {
    const rig = await openRig();
    await hold(rig, 1);
    const first = rig.process();
    await first.watch();
    const ref = await firstRef(rig);
    await first.server.queue.snooze(ref, ann, rig.clock.now() + day);
    first.fence.kill();

    rig.process();
    await rig.clock.pass(minute);

    expect(rig.discord.messages).toHaveLength(1);
    expect(cardOn(rig).item.status).toBe("later");
  });

  it("that somebody removed are not sent again", async () => {
    const { rig, server, watch } = await openProcess();
    await hold(rig, 1);
    await watch();
    const ref = await firstRef(rig);
    rig.discord.takeAway(rig.discord.messages[0]?.messageId ?? "");

    await server.queue.decide({ items: [ref], kind: "hold", by: ann, from: "command" });
    await rig.clock.pass(hour);

    expect(rig.discord.messages).toEqual([]);
    expect(await server.queue.item(ref)).toMatchObject({ status: "held", card: { state: "lost" } });
  });

  it("that were removed before anybody knew that they had arrived are not sent again either", async () => {
    const rig = await openRig();
    await hold(rig, 1);
    rig.discord.before = (act) => {
      if (act === "post") throw messageGone();
    };

    await rig.process().watch();
    rig.discord.before = () => {};
    await rig.clock.pass(hour);

    expect(rig.discord.messages).toEqual([]);
    expect((await rig.items())[0]).toMatchObject({ status: "open", card: { state: "lost" } });
  });

  it("of what was put off come back in time, in place of the old ones", async () => {
    const { rig, server, watch } = await openProcess();
    await hold(rig, 1);
    const { id: watchId } = await watch();
    const [item] = await rig.items();
    const [old] = rig.discord.messages;

    await server.queue.snooze({ watchId, itemId: item?.id ?? "" }, ann, rig.clock.now() + hour);
    await rig.clock.pass(50 * minute);
    const meanwhile = rig.discord.messages.map(({ messageId }) => messageId);
    await rig.clock.pass(15 * minute);

    expect(meanwhile).toEqual([old?.messageId]);
    expect(rig.discord.messages).toHaveLength(1);
    expect(rig.discord.messages[0]?.messageId).not.toBe(old?.messageId);
    expect((await rig.items())[0]).not.toHaveProperty("formerCard");
  });

  it("are looked for before they are sent again, when nobody knows whether they arrived", async () => {
    const rig = await openRig();
    await hold(rig, 1);
    let cuts = 0;
    const post = rig.discord.post;
    rig.discord.post = async (message) => {
      const place = await post(message);
      cuts += 1;
      if (cuts === 1) throw cutOff();
      return place;
    };

    await rig.process().watch({ isForum: true });
    await rig.clock.pass(10 * minute);

    expect(cuts).toBe(1);
    expect(rig.discord.calls.find).toBe(1);
    expect(rig.discord.messages).toHaveLength(1);
    expect((await rig.items())[0]?.card).toMatchObject({ state: "posted", drawn: 1 });
  });

  it("that were refused for good go out once the channel takes them", async () => {
    const rig = await openRig();
    await hold(rig, 1);
    rig.discord.before = (act) => {
      if (act === "post") throw channelClosed();
    };
    await rig.process().watch();
    const [before] = await rig.items();

    rig.discord.before = () => {};
    await rig.clock.pass(6 * minute);

    expect(before?.card.state).toBe("due");
    expect(rig.discord.of("held-card")).toHaveLength(1);
  });

  it("hold up no others when one of them can't be drawn", async () => {
    const rig = await openRig();
    await hold(rig, 4);
    rig.discord.before = (_, message) => {
      if (JSON.stringify(message?.facts).includes("Held 1")) throw new TypeError("a slip");
    };

    await rig.process().watch();
    await rig.clock.pass(5 * minute);

    expect(rig.discord.of("held-card")).toHaveLength(3);
    expect(rig.warnings.join()).toContain("a slip");
  });
});

describe("a role", () => {
  const roleId = "444444444444444444";
  const called = (rig: Rig) =>
    rig.discord.messages.filter(({ message }) => message.pingRoleId !== undefined).length;

  it("is called once a round, and not again within the gap", async () => {
    const rig = await openRig();
    await hold(rig, 3);
    await rig.process().watch({ ping: { roleId, gapMs: 30 * minute } });
    const atFirst = called(rig);

    rig.hold("Within the gap");
    await rig.clock.pass(10 * minute);
    const within = called(rig);
    await rig.clock.pass(25 * minute);
    rig.hold("After the gap");
    await rig.clock.pass(10 * minute);

    expect([atFirst, within, called(rig)]).toEqual([1, 1, 2]);
    expect(rig.discord.messages[0]?.message.pingRoleId).toBe(roleId);
  });

  it("is left alone in quiet hours of the server's time zone", async () => {
    const rig = await openRig(Date.UTC(2026, 6, 1, 21, 30));
    rig.settings = { timeZone: "Europe/Berlin" };
    await hold(rig, 1);
    const quiet = { from: "22:00", to: "08:00" };

    await rig.process().watch({ ping: { roleId, gapMs: 0, quiet } });
    const atNight = called(rig);
    await rig.clock.pass(9 * hour);
    rig.hold("In the morning");
    await rig.clock.pass(10 * minute);

    expect([atNight, called(rig)]).toEqual([0, 1]);
  });

  it("is called with the next message when the first one failed", async () => {
    const rig = await openRig();
    await hold(rig, 2);
    let posts = 0;
    rig.discord.before = (act) => {
      if (act === "post") posts += 1;
      if (posts === 1) throw channelClosed();
    };

    await rig.process().watch({ ping: { roleId, gapMs: hour } });
    await rig.clock.pass(6 * minute);

    expect(called(rig)).toBe(1);
  });
});

describe("what rules do by themselves", () => {
  const rule = {
    name: "No crypto",
    test: { kind: "words", words: ["crypto"], isFolded: true },
    does: "act",
    decision: "reject",
  } as const;

  async function withRule(does: "act" | "suggest") {
    const { rig, process } = await openProcess();
    await process.server.rules.add({ ...rule, does }, ann.userId);
    rig.hold("Free crypto for all");
    rig.hold("Nice video");
    return { rig, process };
  }

  it("is reported in one line, and has no card", async () => {
    const { rig, process } = await withRule("act");
    await process.watch();
    // The rule engine is loaded when it is first needed.
    await expect.poll(() => rig.discord.messages.length).toBe(2);

    const [acts] = rig.discord.of("rule-acts");
    const facts = acts?.message.facts as ModerationNotifications["rule-acts"];
    expect(facts.acts).toMatchObject([
      { item: { comment: { text: "Free crypto for all" } }, rule: { name: "No crypto" } },
    ]);
    expect(rig.discord.of("held-card")).toHaveLength(1);
    expect(acts?.message.channelId).toBe(channelId);
  });

  it("is reported together, however many other comments came between", async () => {
    const { rig, process } = await openProcess();
    await process.server.rules.add(rule, ann.userId);
    await process.watch();
    await rig.clock.pass(minute);
    const texts = Array.from({ length: 60 }, (_, n) => `Comment ${n}`);
    for (const text of ["Free crypto", ...texts, "More crypto"]) rig.hold(text);

    await rig.clock.pass(10 * minute);

    const reports = rig.discord.of("rule-acts");
    const acts = reports.map(
      ({ message }) => (message.facts as ModerationNotifications["rule-acts"]).acts,
    );
    expect(acts.map(({ length }) => length)).toEqual([2]);
  });

  it("is reported in the log's channel where there is one, and updated there", async () => {
    const { rig, process } = await withRule("act");
    const logChannelId = "555555555555555555";
    await process.server.rules.configure((stored) => ({ ...stored, logChannelId }));
    await process.watch({ isForum: true });
    await rig.clock.pass(minute);

    const [acts] = rig.discord.of("rule-acts");
    const facts = acts?.message.facts as ModerationNotifications["rule-acts"];
    expect(acts?.message).toMatchObject({ channelId: logChannelId });
    expect(acts?.message.isForum).toBeUndefined();
    expect(facts).toMatchObject({ logChannelId, acts: [{ item: { status: "rejected" } }] });
  });

  it("gets a card of its own when it is taken back, and is not done again", async () => {
    const { rig, process } = await withRule("act");
    const { id: watchId } = await process.watch();
    const item = (await rig.items()).find(({ actsId }) => actsId !== undefined);

    await process.server.queue.undo({ watchId, itemId: item?.id ?? "" }, ann);
    await rig.clock.pass(10 * minute);

    expect(rig.discord.of("held-card")).toHaveLength(2);
    expect(rig.discord.of("rule-acts")).toHaveLength(1);
    const after = await process.server.queue.item({ watchId, itemId: item?.id ?? "" });
    expect(after).toMatchObject({ status: "open", undone: { by: ann } });
  });

  it("is reported after a crash between the act and its line", async () => {
    const { rig, process } = await withRule("act");
    rig.discord.before = (act, message) => {
      if (act === "post" && message?.name === "rule-acts") {
        process.fence.kill();
        throw cutOff();
      }
    };
    await process.watch();
    rig.discord.before = () => {};

    rig.process();
    await rig.clock.pass(5 * minute);

    expect(rig.discord.of("rule-acts")).toHaveLength(1);
    expect(await digestsOf(rig)).toHaveLength(1);
  });

  it("is advice on the card where a rule only suggests", async () => {
    const { rig, process } = await withRule("suggest");
    await process.watch();

    const facts = rig.discord.of("held-card").map(({ message }) => message.facts as CardFacts);
    const advised = facts.filter(({ item }) => item.advice !== undefined);
    expect(advised).toMatchObject([
      { item: { comment: { text: "Free crypto for all" }, advice: { kind: "reject" } } },
    ]);
    expect(rig.discord.of("rule-acts")).toEqual([]);
  });
});

async function digestsOf({ database }: Rig) {
  return database.db.selectFrom("digests").select("id").execute();
}
