import { describe, expect, it } from "vitest";
import { createOutageWarning } from "../../src/bot/outage-warning.ts";

describe("createOutageWarning", () => {
  it("warns of an outage once, however long it lasts, and of the next one again", () => {
    let time = 0;
    const warned: number[] = [];
    const log = { warn: () => void warned.push(time) };
    const warn = createOutageWarning("counted in memory only", { log, now: () => time });

    for (const at of [0, 10_000, 65_000, 120_000, 300_000, 310_000]) {
      time = at;
      warn(new Error("away"));
    }

    expect(warned).toEqual([0, 300_000]);
  });
});
