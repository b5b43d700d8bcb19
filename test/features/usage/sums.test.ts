import { describe, expect, it } from "vitest";
import { sumLinesBy, type UsageLine } from "../../../src/features/usage/sums.ts";

function line(userId: string, kind: UsageLine["kind"], amount: number): UsageLine {
  return { day: "2026-11-21", kind, of: "video-key", userId, command: "x", method: "x", amount };
}

const lines = [
  line("searcher", "units", 1),
  line("searcher", "searches", 1),
  line("reader", "units", 7),
  line("other", "units", 1),
];

describe("sumLinesBy", () => {
  it.each([
    ["units", ["reader", "searcher", "other"]],
    ["searches", ["searcher", "reader", "other"]],
    ["credits", ["reader", "searcher", "other"]],
  ] as const)("puts who spent most %s first", (what, order) => {
    expect(sumLinesBy(lines, ({ userId }) => userId, what).map(([name]) => name)).toEqual(order);
  });
});
