import { describe, expect, it } from "vitest";
import { createLooker } from "../../../../src/moderation/rules/engine/looker.ts";
import type { LookRequest } from "../../../../src/moderation/rules/engine/messages.ts";
import { createMeter } from "../../../../src/moderation/rules/engine/meter.ts";
import { alike, patterns } from "../found.ts";

function openLooker(isFull = () => false) {
  const asked: number[] = [];
  const onTest = (at: number) => void asked.push(at);
  return { asked, ask: createLooker({ meter: createMeter(), onTest, isFull }) };
}

const look = (more: Partial<LookRequest>): LookRequest => ({
  kind: "look",
  tests: [
    { key: "a", test: alike("bad") },
    { key: "b", test: patterns("b.d") },
  ],
  comments: [{ text: "so bad" }],
  isAll: false,
  maxCostMs: 1_000,
  ...more,
});

describe("createLooker", () => {
  it("asks tests in the order that a comment has, and says which it is asking", () => {
    const { ask, asked } = openLooker();

    const answer = ask(look({ comments: [{ text: "so bad", order: [1, 0] }] }));

    expect(answer).toMatchObject({ looks: [{ found: [{ at: 1, by: "b.d" }], isWhole: true }] });
    expect(asked).toEqual([1, -1]);
  });

  it("asks for tests that it was not told of, and knows them from then on", () => {
    const { ask } = openLooker();
    const tests = [{ key: "a" }, { key: "b" }];

    const before = ask(look({ tests }));
    ask(look({}));
    const after = ask(look({ tests }));

    expect(before).toEqual({ kind: "unknown" });
    expect(after).toMatchObject({ kind: "looked", looks: [{ found: [{ at: 0, by: "bad" }] }] });
  });

  it("compiles tests anew after memory ran short", () => {
    const { ask } = openLooker(() => true);
    ask(look({}));

    const again = ask(look({ tests: [{ key: "a" }, { key: "b" }], isAll: true }));

    expect(again).toMatchObject({ looks: [{ found: [{ at: 0 }, { at: 1 }] }] });
  });

  it("leaves out a test that can't be used, and says why", () => {
    const { ask } = openLooker();
    const tests = [
      { key: "x", test: patterns("(?=x)") },
      { key: "b", test: patterns("b.d") },
    ];

    const answer = ask(look({ tests, comments: [{ text: "bad" }, { text: "bed" }] }));

    expect(answer).toMatchObject({
      looks: [{ found: [{ at: 1 }] }, { found: [{ at: 1 }] }],
      faults: [{ at: 0, reason: expect.stringContaining("InputError") }],
    });
  });

  it("reads no more comments than may cost so much together", () => {
    const { ask } = openLooker();
    const comments = Array.from({ length: 10 }, () => ({ text: "a".repeat(10_000) }));

    const answer = ask(look({ comments, maxCostMs: 3 }));

    expect(answer.kind === "looked" && answer.looks.length).toBeLessThan(10);
  });

  it("refuses with facts what can't be looked for", () => {
    const answer = openLooker().ask({ kind: "check", tests: [patterns("a**")] });

    expect(answer).toMatchObject({
      kind: "refused",
      code: "rule_pattern",
      facts: { reason: "repeat", place: 2 },
    });
  });
});
