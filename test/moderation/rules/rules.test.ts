import { describe, expect, it } from "vitest";
import type { RuleDraft } from "../../../src/moderation/index.ts";
import { ann, openRig } from "../support/rig.ts";
import { alike, links, refused, sparing } from "./found.ts";
import { heavy, longText } from "./heavy.ts";

const draft: RuleDraft = { name: "Bad", test: alike("bad"), does: "act", decision: "hold" };
const { signal } = new AbortController();

describe("rules of a server", () => {
  it("are kept in the order in which they came, and are on", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;

    const one = await rules.add(draft, ann.userId);
    await rules.add({ ...draft, name: "Links", test: links() }, ann.userId);

    const book = await rules.book();
    expect(book.rules.map(({ name, isOn }) => [name, isOn])).toEqual([
      ["Bad", true],
      ["Links", true],
    ]);
    expect(one).toMatchObject({ addedBy: ann.userId, id: expect.stringMatching(/^[0-9a-f]{8}$/u) });
    expect(book).toMatchObject({ dailyCap: 100, spared: { members: false, authors: [] } });
  });

  it("are switched and removed by their id", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const { id } = await rules.add(draft, ann.userId);

    expect(await rules.switch(id, false)).toMatchObject({ name: "Bad", isOn: false });
    expect(await rules.switch(id)).toMatchObject({ isOn: true });
    expect(await rules.switch("00000000", false)).toBeUndefined();
    expect(await rules.remove(id)).toBe(true);
    expect(await rules.remove(id)).toBe(false);
    expect((await rules.book()).rules).toEqual([]);
  });

  it("are 50 at most", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    for (let n = 0; n < 50; n += 1) await rules.add({ ...draft, name: `${n}` }, ann.userId);

    await expect(rules.add(draft, ann.userId)).rejects.toMatchObject({ code: "too_many_rules" });
  });

  it("that can't be judged are not kept", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const test = { kind: "patterns", patterns: ["(?=x)"], isFolded: false } as const;

    await expect(rules.add({ ...draft, test }, ann.userId)).rejects.toMatchObject({
      code: "rule_pattern",
    });
    expect((await rules.book()).rules).toEqual([]);
  });

  it("take what holds for all of them piece by piece", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const authors = [{ id: "UCx" }];
    await Promise.all([
      rules.configure((stored) => ({ ...stored, logChannelId: "4" })),
      rules.configure((stored) => ({ ...stored, spared: { ...stored.spared, members: true } })),
      rules.configure((stored) => ({ ...stored, spared: { ...stored.spared, authors } })),
      rules.configure((stored) => ({ ...stored, dailyCap: 7 })),
    ]);

    const before = await rules.book();
    const after = await rules.configure(({ logChannelId: _, ...stored }) => stored);

    expect(before).toMatchObject({
      spared: { members: true, authors: [{ id: "UCx" }] },
      dailyCap: 7,
      logChannelId: "4",
    });
    expect(after.logChannelId).toBeUndefined();
  });

  it("say what they find in a text, and by what", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    await rules.add(draft, ann.userId);
    await rules.add({ ...draft, name: "Links", test: links() }, ann.userId);

    const hits = await rules.hitsOf("b@d: example dot com");

    expect(hits.map(({ rule, found }) => [rule.name, found])).toEqual([
      ["Bad", "bad"],
      ["Links", "example.com"],
    ]);
  });
});

describe("what is looked for in published comments", () => {
  it("is found in which texts, and refused where it can't be", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;

    const isFound = await rules.matching(["fr33", "/mon.y/"], ["free", "none", "m0ney"]);

    expect(isFound).toEqual([true, false, true]);
    await expect(rules.matching(["/(?=x)/"], [])).rejects.toMatchObject({ code: "rule_pattern" });
    await expect(rules.matching([], [])).rejects.toMatchObject({ code: "rule_words" });
  });

  it("is taken for found in a text that takes too long", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const wanted = heavy().patterns.map((pattern) => `/${pattern}/`);

    expect(await rules.matching(wanted, [longText, "short"])).toEqual([true, true]);
  });
});

describe("a dry run", () => {
  it("reads what waits and what was published last, and changes nothing", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const ids = [
      rig.hold("a b@d one"),
      rig.hold("spam, bad", { status: "likelySpam" }),
      rig.video.addComment({ text: "BAD!", status: "published" }).id,
    ];
    rig.hold("fine");
    const before = rig.asked.length;

    const run = await rules.tryOut(draft, rig.video.ownChannelId, signal);

    const asked = rig.asked.slice(before);
    expect(new Set(run.hits.map(({ comment }) => comment.id))).toEqual(new Set(ids));
    expect(run.tried).toBe(203);
    expect(run.triedPublished).toBe(200);
    expect(asked).toHaveLength(4);
    expect(await rig.items()).toEqual([]);
  });

  it("says what is wrong with a rule before a unit is spent", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const before = rig.asked.length;

    const trying = rules.tryOut({ ...draft, test: alike() }, rig.video.ownChannelId, signal);

    await expect(trying).rejects.toMatchObject({ code: "rule_words" });
    expect(rig.asked).toHaveLength(before);
  });

  it("refuses a rule that takes too long on comments of lately", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    rig.hold(longText);

    const trying = rules.tryOut({ ...draft, test: heavy() }, rig.video.ownChannelId, signal);

    await expect(trying).rejects.toMatchObject({ code: "rule_slow", facts: { name: "Bad" } });
  });

  it("says who would be spared", async () => {
    const rig = await openRig();
    const { rules } = rig.process().server;
    const friend = rig.video.addComment({ text: "bad", author: "Friend", status: "heldForReview" });
    await rules.configure(sparing({ authors: [{ id: friend.authorChannelId }] }));

    const run = await rules.tryOut(draft, rig.video.ownChannelId, signal);

    expect(run.hits).toMatchObject([{ comment: { id: friend.id }, spared: "author" }]);
  });
});

describe("limits of other tests", () => {
  it.each([
    [{ kind: "repeated", times: 1, withinMs: 60_000 }, "rule_repeats"],
    [{ kind: "repeated", times: 51, withinMs: 60_000 }, "rule_repeats"],
    [{ kind: "repeated", times: 3, withinMs: 59_999 }, "rule_repeats"],
    [{ kind: "repeated", times: 3, withinMs: 8 * 86_400_000 }, "rule_repeats"],
    [{ kind: "repeated", times: Number.NaN, withinMs: 60_000 }, "rule_repeats"],
    [{ kind: "authors", authors: [] }, "rule_authors"],
    [{ kind: "links", allowed: Array(51).fill("a.com") }, "rule_links"],
  ] as const)("are reported: %j", async (test, code) => {
    const { createMatcher: matcherOf } = await import(
      "../../../src/moderation/rules/matchers/matcher.ts"
    );

    expect(refused(() => matcherOf(test))).toMatchObject({ code });
  });
});
