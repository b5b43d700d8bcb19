import { describe, expect, it } from "vitest";
import type { TestRequest } from "../../../../src/moderation/rules/engine/messages.ts";
import {
  createCostMeter,
  createRequestHandler,
} from "../../../../src/moderation/rules/engine/request-handler.ts";
import { alike, patterns } from "../found.ts";

function openLooker(isFull = () => false) {
  const asked: number[] = [];
  const onTest = (at: number) => void asked.push(at);
  return { asked, ask: createRequestHandler({ measure: createCostMeter(), onTest, isFull }) };
}

const look = (more: Partial<TestRequest>): TestRequest => ({
  kind: "test",
  tests: [
    { key: "a", test: alike("bad") },
    { key: "b", test: patterns("b.d") },
  ],
  comments: [{ text: "so bad" }],
  isAll: false,
  maxCostMs: 1_000,
  ...more,
});

describe("createRequestHandler", () => {
  it("asks tests in the order that a comment has, and says which it is asking", () => {
    const { ask, asked } = openLooker();

    const answer = ask(look({ comments: [{ text: "so bad", order: [1, 0] }] }));

    expect(answer).toMatchObject({ findings: [{ found: [{ at: 1, by: "b.d" }], isWhole: true }] });
    expect(asked).toEqual([1, -1]);
  });

  it("asks for tests that it does not know, and knows them from then on", () => {
    const { ask } = openLooker();
    const tests = [{ key: "a" }, { key: "b" }];

    const before = ask(look({ tests }));
    ask(look({}));
    const after = ask(look({ tests }));

    expect(before).toEqual({ kind: "unknown" });
    expect(after).toMatchObject({ kind: "tested", findings: [{ found: [{ at: 0, by: "bad" }] }] });
  });

  it("compiles tests anew after memory ran short", () => {
    const { ask } = openLooker(() => true);
    ask(look({}));

    const again = ask(look({ tests: [{ key: "a" }, { key: "b" }], isAll: true }));

    expect(again).toMatchObject({ findings: [{ found: [{ at: 0 }, { at: 1 }] }] });
  });

  it("leaves out a test that can't be used, and says why", () => {
    const { ask } = openLooker();
    const tests = [
      { key: "x", test: patterns("(?=x)") },
      { key: "b", test: patterns("b.d") },
    ];

    const answer = ask(look({ tests, comments: [{ text: "bad" }, { text: "bed" }] }));

    expect(answer).toMatchObject({
      findings: [{ found: [{ at: 1 }] }, { found: [{ at: 1 }] }],
      failed: [{ at: 0, reason: expect.stringContaining("InputError") }],
    });
  });

  it("reads no more comments than may cost so much together", () => {
    const { ask } = openLooker();
    const comments = Array.from({ length: 10 }, () => ({ text: "a".repeat(10_000) }));

    const answer = ask(look({ comments, maxCostMs: 3 }));

    expect(answer.kind === "tested" && answer.findings.length).toBeLessThan(10);
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

/** A CPU clock that advances by this much each time it is read. */
function cpuOf(msEach: number) {
  let ms = 0;
  return () => {
    ms += msEach;
    return ms;
  };
}

const million = 1_000_000;

describe("createCostMeter", () => {
  it("ends a work before a step too many", () => {
    const done: number[] = [];

    const { isOver, value } = createCostMeter()(100, (spend) => {
      for (let n = 0; n < 10; n += 1) {
        spend(2 * million);
        done.push(n);
      }
      return "done";
    });

    expect({ isOver, value, done }).toEqual({ isOver: true, value: undefined, done: [0, 1] });
  });

  it("counts the thread's time where that is less than the steps may take", () => {
    const measured = createCostMeter(cpuOf(3))(100, (spend) => spend(50 * million));

    expect(measured).toMatchObject({ isOver: false, costMs: 6 });
  });

  it("blames no work of few steps for a slow machine", () => {
    const measured = createCostMeter(cpuOf(60_000))(100, (spend) => spend(million));

    expect(measured.isOver).toBe(false);
    expect(measured.costMs).toBeCloseTo(20);
  });

  it("hands on what the work throws", () => {
    const fault = new Error("of its own");
    const failing = () => {
      throw fault;
    };

    expect(() => createCostMeter()(100, failing)).toThrow(fault);
  });
});
