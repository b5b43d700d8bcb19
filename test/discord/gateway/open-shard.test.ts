import { describe, expect, it } from "vitest";
import { backOffMs } from "../../../src/clock.ts";
import { reconnectWaits } from "../../../src/discord/gateway/open-shard.ts";

const waitBefore = (failures: number, chance: number) =>
  backOffMs(failures, { ...reconnectWaits, random: () => chance });

describe("reconnectWaits", () => {
  it("doubles up to a minute, and stays there", () => {
    const waits = [1, 2, 3, 4, 7, 8, 9, 5_000].map((failures) => waitBefore(failures, 1));

    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it("leaves up to half of it to chance", () => {
    expect([0, 0.5, 1].map((chance) => waitBefore(3, chance))).toEqual([1_000, 1_500, 2_000]);
  });
});
