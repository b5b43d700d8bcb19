import { describe, expect, it } from "vitest";
import { createSenderReputation } from "../../../src/web/endpoint/sender-reputation.ts";

const subnet = (n: number) => `2001:db8:7:${n.toString(16)}`;

describe("createSenderReputation", () => {
  it("blocks a network whose addresses sign wrongly in turn, and nobody else", () => {
    const senders = createSenderReputation(() => 0);
    let checked = 0;

    for (let n = 0; n < 10_300; n += 1) {
      if (senders.isBlocked(subnet(n))) continue;
      checked += 1;
      senders.addWrong(subnet(n));
    }

    expect(checked).toBeLessThan(300);
    expect(senders.isBlocked("2001:db8:8:1")).toBe(false);
    expect(senders.isBlocked("203.0.113.7")).toBe(false);
  });

  it("never blocks one who signed rightly, whatever the neighbours do", () => {
    const senders = createSenderReputation(() => 0);
    senders.addRight(subnet(1));

    for (let n = 2; n < 1_000; n += 1) senders.addWrong(subnet(n));

    expect(senders.isBlocked(subnet(1))).toBe(false);
    expect(senders.isBlocked(subnet(2))).toBe(true);
  });
});
