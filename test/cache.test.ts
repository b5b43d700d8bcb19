import { describe, expect, it } from "vitest";
import { createAnswerCache, createCache } from "../src/cache.ts";

describe("createCache", () => {
  it("lets the value go that was used longest ago when it is full", () => {
    const cache = createCache<number>({ maxSize: 2 });
    cache.set("a", 1);
    cache.set("b", 2);
    cache.get("a");

    cache.set("c", 3);

    expect([...cache.keys()].sort()).toEqual(["a", "c"]);
  });

  it("holds as much as the sizes of its values allow", () => {
    const cache = createCache<string>({ maxSize: 5, sizeOf: (text) => text.length });
    cache.set("a", "xxx");

    cache.set("b", "yyy");

    expect([...cache.keys()]).toEqual(["b"]);
  });

  it("forgets what is older than its age, by the clock it is given", () => {
    let time = 1_000;
    const cache = createCache<number>({ maxSize: 2, maxAgeMs: 10, now: () => time });
    cache.set("a", 1);

    time += 10;
    const before = cache.get("a");
    time += 1;

    expect([before, cache.get("a")]).toEqual([1, undefined]);
  });
});

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

  it("keeps what a write does not change when the owner writes", async () => {
    const cache = createAnswerCache(() => 0);
    await cache.recall("fixed", { ...options, outlivesWrites: true }, async () => "old");
    await cache.recall("other", options, async () => "old");
    cache.forgetChanged("g");

    const again = await Promise.all([
      cache.recall("fixed", options, async () => "new"),
      cache.recall("other", options, async () => "new"),
    ]);

    expect(again).toEqual(["old", "new"]);
  });

  it("drops the oldest answers when they are too large together", async () => {
    const cache = createAnswerCache(() => 0);
    const megabyte = "x".repeat(1024 * 1024);
    for (let number = 0; number < 40; number += 1)
      await cache.recall(`k${number}`, options, async () => megabyte);

    const first = await cache.recall("k0", options, async () => "again");
    const last = await cache.recall("k39", options, async () => "again");

    expect([first, last === megabyte]).toEqual(["again", true]);
  });
});
