import { describe, expect, it } from "vitest";
import { createCache } from "../src/cache.ts";

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
