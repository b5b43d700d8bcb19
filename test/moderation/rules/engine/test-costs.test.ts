import { describe, expect, it } from "vitest";
import { createTestCosts } from "../../../../src/moderation/rules/engine/test-costs.ts";

describe("createTestCosts", () => {
  it("is spent when a server's tests cost too much together, and not another's", () => {
    const ledger = createTestCosts(() => 0, 100);
    ledger.add("1", "a", 60);
    const before = ledger.isSpent("1");
    ledger.add("1", "b", 50);

    expect(before).toBe(false);
    expect(ledger.isSpent("1")).toBe(true);
    expect(ledger.isSpent("2")).toBe(false);
    expect(ledger.dearest("1", ["b", "a", "c"])).toBe("a");
    expect(ledger.dearest("1", ["c"])).toBeUndefined();
  });

  it("forgets what is dropped, and everything after a minute", () => {
    let now = 0;
    const ledger = createTestCosts(() => now, 100);
    ledger.add("1", "a", 101);
    ledger.drop("1", "a");
    const dropped = ledger.isSpent("1");
    ledger.add("1", "a", 101);
    now = 60_000;

    expect(dropped).toBe(false);
    expect(ledger.isSpent("1")).toBe(false);
  });
});
