import { describe, expect, it } from "vitest";
import { createMemory } from "../../../src/discord/access/memory.ts";

const keeping = { ms: 10, owner: "g" };

describe("memory", () => {
  it("asks once for all who ask in the meantime", async () => {
    let loads = 0;
    const memory = createMemory(() => 0);
    const load = async () => {
      loads += 1;
      return loads;
    };

    const both = await Promise.all([
      memory.recall("k", keeping, load),
      memory.recall("k", keeping, load),
    ]);

    expect(both).toEqual([1, 1]);
  });

  it("asks again when the time is over", async () => {
    let now = 0;
    const memory = createMemory(() => now);
    await memory.recall("k", keeping, async () => "old");
    now = 11;

    expect(await memory.recall("k", keeping, async () => "new")).toBe("new");
  });

  it("keeps no failure", async () => {
    const memory = createMemory(() => 0);
    await memory
      .recall("k", keeping, () => Promise.reject(new Error("down")))
      .catch(() => undefined);

    expect(await memory.recall("k", keeping, async () => "up")).toBe("up");
  });

  it("keeps owners apart, and lets go of one without the other", async () => {
    const memory = createMemory(() => 0);
    await memory.recall("k", { ms: 10, owner: "one" }, async () => "of one");
    await memory.recall("k", { ms: 10, owner: "two" }, async () => "of two");
    memory.forget("one");

    const again = await Promise.all([
      memory.recall("k", { ms: 10, owner: "one" }, async () => "anew"),
      memory.recall("k", { ms: 10, owner: "two" }, async () => "anew"),
    ]);

    expect(again).toEqual(["anew", "of two"]);
  });

  it("keeps what was loaded after the owner was forgotten, not what was under way before", async () => {
    const memory = createMemory(() => 0);
    const { promise, reject } = Promise.withResolvers<string>();
    const early = memory.recall("k", keeping, () => promise).catch(() => "failed");
    memory.forget("g");
    await memory.recall("k", keeping, async () => "late");
    reject(new Error("cut"));
    await early;

    expect(await memory.recall("k", keeping, async () => "again")).toBe("late");
  });
});
