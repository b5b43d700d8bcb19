import { describe, expect, it } from "vitest";
import { createMemory } from "../../src/discord/memory.ts";

describe("memory", () => {
  it("asks once for all who ask in the meantime", async () => {
    let loads = 0;
    const memory = createMemory(() => 0);
    const load = async () => {
      loads += 1;
      return loads;
    };

    const both = await Promise.all([memory.recall("k", 10, load), memory.recall("k", 10, load)]);

    expect(both).toEqual([1, 1]);
  });

  it("asks again when the time is over", async () => {
    let now = 0;
    const memory = createMemory(() => now);
    await memory.recall("k", 10, async () => "old");
    now = 11;

    expect(await memory.recall("k", 10, async () => "new")).toBe("new");
  });

  it("keeps no failure", async () => {
    const memory = createMemory(() => 0);
    await memory.recall("k", 10, () => Promise.reject(new Error("down"))).catch(() => undefined);

    expect(await memory.recall("k", 10, async () => "up")).toBe("up");
  });
});
