import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import { drawDigestCard } from "../../../src/flows/watches/digest.ts";
import type { HeldComment } from "../../../src/moderation/index.ts";
import { words } from "../../support/words.ts";
import { comment, decision, item, now, watch } from "./facts.ts";

const id = (place: number) => `${place}`.padStart(32, "0");

function digest(items: readonly HeldComment[]) {
  const card = { state: "due", handle: "d".repeat(22), since: now } as const;
  const itemIds = items.map((one) => one.id);
  const made = { id: "e".repeat(32), watchId: watch.id, itemIds, revision: 1, card, addedAt: now };
  return drawDigestCard({ watch, digest: made, items }, words());
}

const text = (drawn: ReturnType<typeof digest>) => formatted(drawn.text ?? "");

describe("a digest", () => {
  it("has a line for each comment: number, author, beginning and state", () => {
    const drawn = digest([
      item({ id: id(1) }),
      item({ id: id(2), status: "approved", decision: decision("approve") }),
      item({ id: id(3), status: "rejected", decision: decision("ban") }),
      item({ id: id(4), failure: { code: "x", kind: "hold", at: now } }),
    ]);

    expect(drawn.title).toBe("4 new comments");
    expect(text(drawn).split("\n").slice(0, 5)).toEqual([
      "**2 waiting · 2 decided**",
      "▫️ `1` **Posy Larkin** What a lamp\\!".replace("\\!", "!"),
      "✅ `2` **Posy Larkin** What a lamp!",
      "🚫 `3` **Posy Larkin** What a lamp!",
      "⚠️ `4` **Posy Larkin** What a lamp!",
    ]);
    expect(text(drawn)).toContain("Last: ");
  });

  it("offers only undecided comments to choose from", () => {
    const drawn = digest([item({ id: id(1) }), item({ id: id(2), status: "gone" })]);

    expect(drawn.selects?.[0]).toMatchObject({ placeholder: "Choose comments", max: 1 });
    expect(drawn.selects?.[0]?.options).toEqual([
      { label: "1. Posy Larkin", value: id(1), description: "What a lamp!" },
    ]);
    expect(drawn.buttons?.map(({ label }) => label)).toEqual([
      "Approve all",
      "Reject all",
      "By author",
      "By pattern",
    ]);
  });

  it("has no buttons when all comments are decided", () => {
    const drawn = digest([item({ status: "approved", decision: decision("approve") })]);

    expect(drawn).toMatchObject({ title: "1 comment: all decided", tone: "quiet" });
    expect(drawn).not.toHaveProperty("buttons");
    expect(drawn).not.toHaveProperty("selects");
  });

  it("fits into a message with twenty-five of the longest comments", () => {
    const hostile = comment({ text: "*_~`|[]()<>#@".repeat(50), authorName: "**".repeat(40) });
    const items = Array.from({ length: 25 }, (_, at) => item({ id: id(at), comment: hostile }));

    expect(text(digest(items)).length).toBeLessThanOrEqual(4_096);
    expect(text(digest(items)).split("\n")).toHaveLength(26);
  });

  it("has the same buttons for its whole life", () => {
    const before = digest([item()]).kept;
    const after = digest([item({ status: "gone" })]).kept;

    expect(after).toEqual(before);
    expect(before?.presses.every(({ as }) => as === watch.source)).toBe(true);
  });
});
