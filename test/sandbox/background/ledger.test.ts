import { describe, expect, it } from "vitest";
import { createLedger } from "../../../src/sandbox/background/ledger.ts";

const clock = (): { now: () => number; pass: (ms: number) => void } => {
  let time = 1_000_000;
  return {
    now: () => time,
    pass: (ms) => {
      time += ms;
    },
  };
};

describe("createLedger", () => {
  it.each([
    ["preview", 40_000_000, 0.25],
    ["small", 1_000_000, 0.25],
    ["regular", 1_000_000, 0.25],
    ["medium", 100_000, 1],
    ["full", 100_000, 1],
    ["50MP", 100_000, 1],
    ["auto", 250_000, 0.25],
    ["auto", 250_001, 1],
  ] as const)("charges size %s of %i pixels %f credits", (size, pixels, cost) => {
    expect(createLedger(5, Date.now).charge(size, pixels)).toBe(cost);
  });

  it("refuses with 402 when the credits don't suffice", () => {
    const ledger = createLedger(1, Date.now);
    ledger.charge("preview", 1);

    expect(() => ledger.charge("full", 1)).toThrow(
      expect.objectContaining({ status: 402, complaints: [{ title: "Insufficient credits" }] }),
    );
  });

  it("gives back what a failed call took", () => {
    const ledger = createLedger(1, Date.now);
    ledger.refund(ledger.charge("full", 1));

    expect(ledger.charge("full", 1)).toBe(1);
  });

  it("counts megapixels rounded up, at least one a call", () => {
    const ledger = createLedger(1, Date.now);
    ledger.admit(166_500);

    expect(ledger.admit(2_000_001).remaining).toBe(500 - 1 - 3);
  });

  it("starts the minute with the first call", () => {
    const { now, pass } = clock();
    const ledger = createLedger(1, now);
    const first = ledger.admit(1);
    pass(59_999);
    const last = ledger.admit(1);
    pass(1);
    const fresh = ledger.admit(1);

    expect([first.reset, last.reset, fresh.reset]).toEqual([1060, 1060, 1120]);
    expect(fresh.remaining).toBe(499);
  });

  it("says how long to wait when the minute is used up", () => {
    const { now, pass } = clock();
    const ledger = createLedger(1, now);
    for (let i = 0; i < 10; i++) ledger.admit(50_000_000);
    pass(20_500);

    expect(() => ledger.admit(1)).toThrow(
      expect.objectContaining({ status: 429, headers: { "Retry-After": "40" } }),
    );
  });
});
