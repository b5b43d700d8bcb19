import { describe, expect, it } from "vitest";
import { createAllowances } from "../../src/bot/clients.ts";

const hour = 3_600_000;

describe("allowances", () => {
  it("are the same for a key while it is used", () => {
    let time = 0;
    const allowances = createAllowances({ now: () => time });
    const first = allowances.of("a");
    for (let n = 0; n < 5; n += 1) {
      time += hour - 1;
      expect(allowances.of("a")).toBe(first);
    }
  });

  it("forget keys that nobody used for an hour", () => {
    let time = 0;
    const allowances = createAllowances({ now: () => time });
    const first = allowances.of("a");
    time += hour;
    allowances.of("b");

    expect(allowances.of("a")).not.toBe(first);
  });

  it("keep a key that calls wait for or are under way with, or that the service holds", async () => {
    let time = 0;
    const allowances = createAllowances({ now: () => time });
    const [busy, held] = [allowances.of("busy"), allowances.of("held")];
    const turn = await busy.pacer.admit();
    await held.pacer.hold(3 * hour);
    time += 2 * hour;
    allowances.of("other");

    expect(allowances.load()).toEqual({ waiting: 0, running: 1 });
    expect(allowances.of("busy")).toBe(busy);
    expect(allowances.of("held")).toBe(held);
    turn.end();
  });
});
