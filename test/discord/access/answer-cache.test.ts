import { describe, expect, it } from "vitest";
import { createAnswerCache } from "../../../src/discord/access/answer-cache.ts";

const options = { ms: 10, owner: "g" };

describe("createAnswerCache", () => {
  it("asks once for all who ask in the meantime", async () => {
    let loads = 0;
    const cache = createAnswerCache(() => 0);
    const load = async () => {
      loads += 1;
      return loads;
    };

    const both = await Promise.all([
      cache.recall("k", options, load),
      cache.recall("k", options, load),
    ]);

    expect(both).toEqual([1, 1]);
  });

  it("asks again when the time is over", async () => {
    let now = 0;
    const cache = createAnswerCache(() => now);
    await cache.recall("k", options, async () => "old");
    now = 11;

    expect(await cache.recall("k", options, async () => "new")).toBe("new");
  });

  it("keeps no failure", async () => {
    const cache = createAnswerCache(() => 0);
    await cache
      .recall("k", options, () => Promise.reject(new Error("down")))
      .catch(() => undefined);

    expect(await cache.recall("k", options, async () => "up")).toBe("up");
  });

  it("keeps owners apart, and lets go of one without the other", async () => {
    const cache = createAnswerCache(() => 0);
    await cache.recall("k", { ms: 10, owner: "one" }, async () => "of one");
    await cache.recall("k", { ms: 10, owner: "two" }, async () => "of two");
    cache.forget("one");

    const again = await Promise.all([
      cache.recall("k", { ms: 10, owner: "one" }, async () => "anew"),
      cache.recall("k", { ms: 10, owner: "two" }, async () => "anew"),
    ]);

    expect(again).toEqual(["anew", "of two"]);
  });

  it("keeps what was loaded after the owner was forgotten, not what was under way before", async () => {
    const cache = createAnswerCache(() => 0);
    const { promise, reject } = Promise.withResolvers<string>();
    const early = cache.recall("k", options, () => promise).catch(() => "failed");
    cache.forget("g");
    await cache.recall("k", options, async () => "late");
    reject(new Error("cut"));
    await early;

    expect(await cache.recall("k", options, async () => "again")).toBe("late");
  });
});
