import { describe, expect, it } from "vitest";
import type {
  HeldComment,
  ModerationNotifications,
  RuleDraft,
} from "../../../src/moderation/index.ts";
import {
  ann,
  guildId,
  heldEngine,
  hour,
  itemsIn,
  minute,
  openProcess,
  openRig,
  putWatch,
  type Rig,
  settingOf,
} from "../support/rig.ts";
import { alike, links, sparing } from "./found.ts";
import { heavy, longText } from "./heavy.ts";

const bad: RuleDraft = { name: "Bad words", test: alike("bad"), does: "act", decision: "reject" };
const other: RuleDraft = { name: "Links", test: links(), does: "act", decision: "reject" };
const advice: RuleDraft = { ...bad, name: "Advice", does: "suggest" };

/** Adds these rules, watches the channel, and waits until everything was sent. */
async function judged(
  rig: Rig,
  drafts: readonly RuleDraft[],
  states?: HeldComment["comment"]["state"][],
) {
  const { server, watch } = rig.process();
  for (const draft of drafts) await server.rules.add(draft, ann.userId);
  await watch(states === undefined ? {} : { states });
  await rig.clock.pass(20_000);
  return server;
}

/** The same in a new rig, with these comments. */
async function judgedTexts(texts: readonly string[], drafts: readonly RuleDraft[]) {
  const rig = await openRig();
  for (const text of texts) rig.hold(text);
  const server = await judged(rig, drafts);
  return { rig, server };
}

const standing = async (rig: Rig, text: string) => {
  const items = await rig.items();
  return items.find(({ comment }) => comment.text === text);
};

describe("a rule that acts", () => {
  it("rejects what it finds, and leaves the rest to people", async () => {
    const { rig } = await judgedTexts(["this is b@d", "this is fine"], [bad]);

    expect(await standing(rig, "this is b@d")).toMatchObject({
      status: "rejected",
      decision: { kind: "reject", from: "rule", by: { ruleName: "Bad words" } },
    });
    expect(await standing(rig, "this is fine")).toMatchObject({ status: "open" });
    expect(rig.discord.of("held-card")).toHaveLength(1);
  });

  it("reports each in one message per poll, in the log channel where there is one", async () => {
    const { rig, server, watch } = await openProcess();
    await server.rules.add(bad, ann.userId);
    await server.rules.configure((stored) => ({ ...stored, logChannelId: "444444444444444444" }));
    for (let n = 0; n < 5; n += 1) rig.hold(`bad ${n}`);

    await watch();
    await rig.clock.pass(20_000);

    const reports = rig.discord.of("rule-acts");
    expect(reports).toHaveLength(1);
    expect(reports[0]?.message.channelId).toBe("444444444444444444");
    const { acts, handle } = (reports[0]?.message.facts ??
      {}) as ModerationNotifications["rule-acts"];
    expect(acts.map(({ rule }) => rule.name)).toEqual(Array(5).fill("Bad words"));
    expect(handle).toBe(reports[0]?.message.handle);
  });

  it("is on record", async () => {
    const { server } = await judgedTexts(["bad"], [bad]);

    const { entries } = await server.audit.page({}, { limit: 10 });
    const [entry] = entries;
    expect(entry).toMatchObject({ act: "rejected", from: "rule", by: { ruleName: "Bad words" } });
  });

  it("comes before one that only suggests, wherever it stands", async () => {
    const { rig } = await judgedTexts(["bad"], [advice, bad]);

    expect(await standing(rig, "bad")).toMatchObject({ status: "rejected" });
  });

  it("that would hold what waits already leaves it to the next, or to people", async () => {
    const { rig } = await judgedTexts(
      ["bad", "bad at example.com"],
      [{ ...bad, decision: "hold" }, other],
    );

    expect(await standing(rig, "bad")).toMatchObject({ status: "open", advice: { kind: "hold" } });
    expect(await standing(rig, "bad at example.com")).toMatchObject({ status: "rejected" });
  });

  it("holds published comments, and they can be released", async () => {
    const rig = await openRig();
    const { id } = rig.video.addComment({ text: "bad", status: "published" });
    const server = await judged(rig, [{ ...bad, decision: "hold" }], ["published"]);
    const [item] = (await rig.items()).filter(({ comment }) => comment.id === id);
    const ref = { watchId: item?.watchId ?? "", itemId: item?.id ?? "" };

    await server.queue.decide({ items: [ref], kind: "approve", by: ann, from: "log" });
    await rig.clock.pass(20_000);

    expect(item?.status).toBe("held");
    expect(await server.queue.item(ref)).toMatchObject({ status: "approved" });
  });

  it("that is off says nothing", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("bad");
    const rule = await server.rules.add(bad, ann.userId);
    await server.rules.switch(rule.id, false);

    await watch();
    await rig.clock.pass(20_000);

    expect(await standing(rig, "bad")).toMatchObject({ status: "open" });
  });
});

describe("a rule that advises", () => {
  it("marks the card and decides nothing", async () => {
    const { rig } = await judgedTexts(["bad"], [{ ...advice, decision: "approve" }]);

    expect(await standing(rig, "bad")).toMatchObject({
      status: "open",
      advice: { ruleName: "Advice", kind: "approve" },
    });
  });

  it("has nothing to say against what is published already", async () => {
    const rig = await openRig();
    rig.video.addComment({ text: "bad", status: "published" });

    await judged(rig, [{ ...advice, decision: "approve" }], ["published"]);

    expect((await standing(rig, "bad"))?.advice).toBeUndefined();
  });
});

describe("who is spared", () => {
  it("is the channel itself, always", async () => {
    const rig = await openRig();
    const [channel] = [rig.video.channels.get(rig.video.ownChannelId)];
    rig.video.addComment({ text: "bad", author: "Somebody Else", status: "heldForReview" });

    const server = await judged(rig, []);
    const run = await server.rules.tryOut(
      { ...bad, test: { kind: "patterns", patterns: ["."], isFolded: false } },
      rig.video.ownChannelId,
      new AbortController().signal,
    );

    const own = run.hits.filter(({ comment }) => comment.authorId === channel?.id);
    expect(own.length).toBeGreaterThan(0);
    expect(own.every(({ spared }) => spared === "channel")).toBe(true);
  });

  it("are the authors that were named", async () => {
    const rig = await openRig();
    const friend = rig.video.addComment({
      text: "bad, my friend",
      author: "Old Friend",
      status: "heldForReview",
    });
    rig.hold("bad, stranger");
    const { server, watch } = rig.process();
    await server.rules.add(bad, ann.userId);
    await server.rules.configure(sparing({ authors: [{ id: friend.authorChannelId }] }));

    await watch();
    await rig.clock.pass(20_000);

    expect(await standing(rig, "bad, my friend")).toMatchObject({ status: "open" });
    expect(await standing(rig, "bad, stranger")).toMatchObject({ status: "rejected" });
  });

  it("are no members where the link does not reveal who they are", async () => {
    const { rig, server, watch } = await openProcess();
    rig.hold("bad");
    await server.rules.add(bad, ann.userId);
    await server.rules.configure(sparing({ members: true }));
    const run = await server.rules.tryOut(
      bad,
      rig.video.ownChannelId,
      new AbortController().signal,
    );

    await watch();
    await rig.clock.pass(20_000);

    expect(await standing(rig, "bad")).toMatchObject({ status: "rejected" });
    expect(run.isMembersUnread).toBe(true);
  });
});

describe("the most that rules may do in a day", () => {
  it("leaves the rest as advice, says so once, and begins anew at the server's midnight", async () => {
    const rig = await openRig();
    rig.settings = { timeZone: "Europe/Berlin" };
    const { server, watch } = rig.process();
    await server.rules.add(bad, ann.userId);
    await server.rules.configure((stored) => ({ ...stored, dailyCap: 3 }));
    for (let n = 0; n < 5; n += 1) rig.hold(`bad ${n}`);
    await watch();
    await rig.clock.pass(20_000);
    rig.hold("bad again");
    await rig.clock.pass(35 * minute);
    const today = await rig.items();

    // 17:00 UTC, at which the rig starts, is 19:00 in Berlin: midnight is five hours later.
    await rig.clock.pass(5 * hour);
    rig.hold("bad tomorrow");
    await rig.clock.pass(35 * minute);

    const capped = rig.notifications.filter(({ name }) => name === "rules-capped");
    expect(today.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect(today.filter(({ advice: one }) => one !== undefined)).toHaveLength(3);
    expect(capped).toEqual([
      {
        name: "rules-capped",
        facts: { guildId, channelId: expect.any(String), dailyCap: 3, day: "2026-07-01" },
      },
    ]);
    expect(await standing(rig, "bad tomorrow")).toMatchObject({ status: "rejected" });
  });
});

describe("repeated texts", () => {
  const often: RuleDraft = {
    name: "Often",
    does: "act",
    decision: "reject",
    test: { kind: "repeated", times: 3, withinMs: hour },
  };

  it("are found over authors, whatever their signs and their case", async () => {
    const rig = await openRig();
    const texts = ["Buy my great thing!", "BUY my gr3at thing 🔥", "b-u-y my great thing"];
    for (const [n, text] of texts.entries()) rig.hold(text, { author: `Author ${n}` });
    rig.hold("ok", { author: "A" });
    rig.hold("ok", { author: "B" });
    rig.hold("ok", { author: "C" });

    await judged(rig, [often]);

    const items = await rig.items();
    const rejected = items.filter(({ status }) => status === "rejected");
    expect(rejected.map(({ comment }) => comment.text).sort()).toEqual([...texts].sort());
  });

  it("are counted over a restart", async () => {
    const rig = await openRig();
    const first = rig.process();
    await first.server.rules.add(often, ann.userId);
    rig.hold("Buy my great thing!");
    rig.hold("Buy my great thing!!");
    await first.watch();
    await first.jobs.close();
    rig.hold("buy my great thing");

    rig.process();
    await rig.clock.pass(35 * minute);

    const items = await rig.items();
    expect(items.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });
});

describe("links", () => {
  it("to the channel's own videos are nothing to a rule", async () => {
    const rig = await openRig();
    const { videoId } = rig.video.addComment({ text: "x", status: "published" });
    rig.hold(`see https://youtu.be/${videoId}`);
    rig.hold("see https://youtu.be/aaaaaaaaaaa");

    await judged(rig, [other]);

    expect(await standing(rig, `see https://youtu.be/${videoId}`)).toMatchObject({
      status: "open",
    });
    expect(await standing(rig, "see https://youtu.be/aaaaaaaaaaa")).toMatchObject({
      status: "rejected",
    });
  });

  it.each([
    (id: string) => `https://studio.youtube.com/video/${id}/edit`,
    (id: string) => `https://www.youtube-nocookie.com/embed/${id}?rel=0`,
    (id: string) => `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${id}`,
    (id: string) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    (id: string) => `https://youtu.be/${id}、すごい`,
  ])("to the channel's own videos are nothing to a rule in any shape: %s", async (address) => {
    const rig = await openRig();
    const { videoId } = rig.video.addComment({ text: "x", status: "published" });
    rig.hold(address(videoId));
    rig.hold(address("aaaaaaaaaaa"));
    rig.hold(`https://www.youtube.com/redirect?q=https://youtu.be/${videoId}`);

    await judged(rig, [other]);

    const items = await rig.items();
    expect(items.map(({ status }) => status).sort()).toEqual(["open", "rejected", "rejected"]);
  });

  it("to the channel's own page are nothing to a rule, by id, handle and old name", async () => {
    const rig = await openRig();
    const own = rig.video.channels.get(rig.video.ownChannelId);
    const name = own?.handle.slice(1) ?? "";
    const fine = [
      `channel/${own?.id}/videos`,
      `@${name}`,
      `%40${name}/about`,
      `c/${name}`,
      `user/${name}`,
      name,
    ];
    const texts = fine.map((path) => `https://www.youtube.com/${path}`);
    for (const text of [...texts, "https://www.youtube.com/@someone-else"]) rig.hold(text);

    await judged(rig, [other]);

    for (const text of texts) expect(await standing(rig, text)).toMatchObject({ status: "open" });
    expect(await standing(rig, "https://www.youtube.com/@someone-else")).toMatchObject({
      status: "rejected",
    });
  });
});

const dear: RuleDraft = { ...bad, name: "Dear", test: heavy() };

describe("a rule that takes too long", () => {
  it("is switched off with the reason, reported once, and its comments go to people", async () => {
    const { rig, server } = await judgedTexts([longText, "so bad"], [dear, bad]);

    const [off, on] = (await server.rules.book()).rules;
    expect(off).toMatchObject({ name: "Dear", isOn: false, off: { why: "comment" } });
    expect(on).toMatchObject({ name: "Bad words", isOn: true });
    expect(rig.notifications).toEqual([
      {
        name: "rule-switched-off",
        facts: {
          guildId,
          channelId: expect.any(String),
          why: "comment",
          rule: { id: off?.id, name: "Dear" },
        },
      },
    ]);
    expect(await standing(rig, longText)).toMatchObject({ status: "open" });
    expect(rig.discord.of("held-card")).toHaveLength(1);
    expect(await standing(rig, "so bad")).toMatchObject({ status: "rejected" });
  });

  it("is switched on again by people, and the reason is gone", async () => {
    const { server } = await judgedTexts([longText], [dear]);
    const [rule] = (await server.rules.book()).rules;

    const on = await server.rules.switch(rule?.id ?? "", true);

    expect(rule?.off).toBeDefined();
    expect(on).toMatchObject({ name: "Dear", isOn: true });
    expect(on?.off).toBeUndefined();
  });

  it("leaves the rules of other servers alone", async () => {
    const { rig, moderation, server, watch } = await openProcess();
    rig.hold(longText);
    rig.hold("so bad");
    const other = moderation.of("999999999999999999");
    await server.rules.add(dear, ann.userId);
    await other.rules.add(bad, ann.userId);

    await watch();
    await putWatch(other, settingOf(rig.video, { channelId: "888888888888888888" }));
    await rig.clock.pass(20_000);

    const items = await itemsIn(rig.database, undefined, "999999999999999999");
    const found = items.find(({ comment }) => comment.text === "so bad");
    expect(found).toMatchObject({ decision: { by: { ruleName: "Bad words" } } });
    expect((await other.rules.book()).rules).toMatchObject([{ isOn: true }]);
    expect((await server.rules.book()).rules).toMatchObject([{ isOn: false }]);
  });
});

describe("while nothing can be judged", () => {
  it("comments go to people as they are", async () => {
    const rig = await openRig();
    const engine = heldEngine(rig.clock);
    const { server, watch } = rig.process({
      engine: { ...engine, runTests: () => Promise.reject(new Error("no thread")) },
    });
    await server.rules.add(bad, ann.userId);
    rig.hold("bad");

    await watch();
    await rig.clock.pass(20_000);

    expect(await standing(rig, "bad")).toMatchObject({ status: "open" });
    expect(rig.discord.of("held-card")).toHaveLength(1);
    expect(rig.warnings).toContain("rules could not be asked: no thread");
  });

  it("comments wait half a minute for a verdict, and no longer", async () => {
    const rig = await openRig();
    const { server, watch } = rig.process({
      engine: { ...heldEngine(rig.clock), runTests: () => new Promise(() => undefined) },
    });
    await server.rules.add(bad, ann.userId);
    rig.hold("bad");

    await watch();
    const before = rig.discord.of("held-card").length;
    await rig.clock.pass(35_000);

    expect(before).toBe(0);
    expect(rig.discord.of("held-card")).toHaveLength(1);
  });

  it("published comments are shown whether or not they are looked for", async () => {
    const rig = await openRig();
    const engine = heldEngine(rig.clock);
    const { watch } = rig.process({
      engine: { ...engine, runTests: () => Promise.reject(new Error("no thread")) },
    });
    await watch({ states: ["published"], match: ["free"] });
    rig.video.addComment({ text: "nothing of it", status: "published" });
    await rig.clock.pass(2 * minute);

    expect(await standing(rig, "nothing of it")).toMatchObject({ status: "open" });
  });
});

describe("a server that is erased while its comments are judged", () => {
  it("gets nothing of what is found then", async () => {
    const rig = await openRig();
    const engine = heldEngine(rig.clock);
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { moderation, server } = rig.process({
      engine: {
        ...engine,
        runTests: async (...given) => {
          asked.resolve();
          await gate.promise;
          return engine.runTests(...given);
        },
        // The latest possible moment: the engine still returns what it finds.
        forget: () => undefined,
      },
    });
    await server.rules.add(bad, ann.userId);
    rig.hold("bad");
    await putWatch(server, settingOf(rig.video));
    const passing = rig.clock.pass(1_000);
    await asked.promise;

    moderation.forget(guildId);
    const { servers } = rig.database;
    await servers.remove({ table: "servers", serverId: (await servers.find(guildId)) ?? 0 });
    gate.resolve();
    await passing;
    await rig.clock.pass(5 * minute);

    expect(await servers.find(guildId)).toBeUndefined();
    expect(await rig.items()).toEqual([]);
    expect(rig.discord.messages).toEqual([]);
  });
});
