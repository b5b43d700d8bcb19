import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import { drawDigestCard } from "../../../src/features/watches/digest.ts";
import type { HeldComment } from "../../../src/moderation/index.ts";
import { words } from "../../support/words.ts";
import { comment, decision, item, now, robin, watch } from "./facts.ts";

const second = Math.floor(now / 1000);

const id = (place: number) => `${place}`.padStart(32, "0");

function digest(items: readonly HeldComment[]) {
  const card = { state: "due", handle: "d".repeat(22), since: now } as const;
  const itemIds = items.map((one) => one.id);
  const made = { id: "e".repeat(32), watchId: watch.id, itemIds, revision: 1, card, addedAt: now };
  return drawDigestCard({ watch, digest: made, items }, words());
}

const text = (drawn: ReturnType<typeof digest>) => formatted(drawn.text ?? "");

describe("a digest", () => {
  it("says of each comment that waits who wrote what, where, when and why it is here", () => {
    const advice = { ruleId: "r", ruleName: "Links", kind: "reject" } as const;
    const drawn = digest([
      item({ id: id(1), advice }),
      item({ id: id(2), status: "approved", decision: decision("approve") }),
      item({ id: id(3), status: "rejected", decision: decision("ban") }),
      item({ id: id(4), comment: comment({ state: "likelySpam" }) }),
    ]);

    expect(drawn.title).toBe("4 new comments");
    expect(text(drawn).split("\n").slice(0, 7)).toEqual([
      "**2 waiting · 2 decided**",
      "▫️ `1` **Posy Larkin** What a lamp!",
      `-# Three lights · <t:${second - 60}:R> · held for review · reject? \\(“Links”\\)`,
      "✅ `2` **Posy Larkin** What a lamp!",
      "🚫 `3` **Posy Larkin** What a lamp!",
      "▫️ `4` **Posy Larkin** What a lamp!",
      `-# Three lights · <t:${second - 60}:R> · likely spam`,
    ]);
  });

  it("says who decided last about how many, and when that is sent", () => {
    const pending = { status: "pending", decision: decision("reject") } as const;
    const items = [item({ id: id(1), ...pending }), item({ id: id(2), ...pending }), item()];
    const sent = items.map((one) => ({ ...one, status: "rejected" }) as const).slice(0, 2);
    const who = `<@${robin.userId}>`;

    expect(text(digest(items))).toContain(
      `${who} rejected 2 comments – sending <t:${second + 8}:R>`,
    );
    expect(text(digest(sent))).toContain(`${who} rejected 2 comments <t:${second}:R>`);
  });

  it("offers a review, all that wait by number, and a choice that is made elsewhere", () => {
    const drawn = digest([item({ id: id(1) }), item({ id: id(2), status: "gone" })]);

    expect(drawn).not.toHaveProperty("selects");
    expect(drawn.buttons?.map(({ label }) => label)).toEqual([
      "Review",
      "Approve all 1",
      "Reject all 1",
      "Choose comments",
    ]);
  });

  it("has no buttons when all comments are decided", () => {
    const drawn = digest([item({ status: "approved", decision: decision("approve") })]);

    expect(drawn).toMatchObject({ title: "1 comment: all decided", tone: "neutral" });
    expect(drawn).not.toHaveProperty("buttons");
    expect(drawn).not.toHaveProperty("selects");
  });

  it("fits into a message with twenty-five of the longest comments", () => {
    const hostile = comment({ text: "*_~`|[]()<>#@".repeat(50), authorName: "**".repeat(40) });
    const items = Array.from({ length: 25 }, (_, at) => item({ id: id(at), comment: hostile }));

    expect(text(digest(items)).length).toBeLessThanOrEqual(4_096);
    expect(text(digest(items)).split("\n")).toHaveLength(27);
  });

  it("is short for each of many, so that its buttons are near on a phone", () => {
    const long = comment({ text: "What a lamp, and where did you get it from, may I ask?" });
    const advice = { ruleId: "r", ruleName: "Links", kind: "reject" } as const;
    const spam = comment({ state: "likelySpam" });
    const of = (count: number) =>
      Array.from({ length: count }, (_, at) => item({ id: id(at), comment: long }));
    const eight = digest([...of(7), item({ id: id(8), comment: spam, advice })]);
    const many = digest(of(25));

    expect(text(eight).split("\n")).toEqual([
      "**8 waiting · 0 decided**",
      "-# 7 × held for review · 1 × likely spam · 💡 1 × Rule suggestion",
      ...of(7).map(
        (_, at) => `▫️ \`${at + 1}\` **Posy Larkin** What a lamp, and where did you get it from…`,
      ),
      "▫️ `8` **Posy Larkin** 💡 What a lamp!",
    ]);
    expect(text(many).split("\n").at(-1)).toBe("▫️ `25` **Posy Larkin** What a lamp, and…");
  });

  it("has the same buttons for its whole life", () => {
    const before = digest([item()]).kept;
    const after = digest([item({ status: "gone" })]).kept;

    expect(after).toEqual(before);
    expect(before?.presses.every(({ as }) => as === watch.source)).toBe(true);
  });
});
