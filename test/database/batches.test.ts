import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createBatches, createRowReader } from "../../src/database/index.ts";
import { onEach } from "../support/databases/each-kind.ts";
import { guild, openFor, otherGuild } from "./open.ts";

/** Work that ends only when a test says so. */
function heldWork() {
  const calls: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const run = async (items: readonly string[]) => {
    calls.push(items);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return items.map((item) => `${item}!`);
  };
  /** The next call, once it has begun. */
  const next = async () => {
    while (ends.length === 0) await nextTurn();
    return ends.shift() as PromiseWithResolvers<void>;
  };
  return { calls, run, next };
}

describe("batches", () => {
  it("do together what is asked while the call before is under way", async () => {
    const { calls, run, next } = heldWork();
    const add = createBatches(run);

    const first = add("a");
    const others = Promise.all([add("b"), add("c"), add("b")]);
    (await next()).resolve();
    const one = await first;
    (await next()).resolve();

    expect([one, await others]).toEqual(["a!", ["b!", "c!", "b!"]]);
    expect(calls).toEqual([["a"], ["b", "c", "b"]]);
  });

  it("fail together, and the next go on", async () => {
    const { run, next } = heldWork();
    const add = createBatches(run);

    const first = expect(add("a")).rejects.toThrow("away");
    const second = add("b");
    (await next()).reject(new Error("away"));
    await first;
    (await next()).resolve();

    expect(await second).toBe("b!");
  });

  it("belong to nobody, also where they were made for somebody's work", async () => {
    const context = new AsyncLocalStorage<string>();
    const add = context.run("one", () =>
      createBatches(async (items: readonly string[]) => items.map(() => context.getStore())),
    );

    const seen = await context.run("other", () => add("a"));

    expect(seen).toBeUndefined();
  });

  it("are limited in size", async () => {
    const { calls, run, next } = heldWork();
    const add = createBatches(run);

    const all = Promise.all(Array.from({ length: 450 }, (_, n) => add(`${n}`)));
    for (let call = 0; call < 4; call += 1) (await next()).resolve();

    expect(await all).toHaveLength(450);
    expect(calls.map(({ length }) => length)).toEqual([1, 200, 200, 49]);
  });
});

describe("a row reader", () => {
  it.each(["sqlite", "postgres"] as const)("reads by key on %s", async (dialect) => {
    const calls: (readonly string[])[] = [];
    const read = createRowReader({ dialect, isInTransaction: () => false }, async (keys) => {
      calls.push(keys);
      return keys.map((key) => (key === "none" ? undefined : key.toUpperCase()));
    });

    expect(await Promise.all(["a", "none", "b"].map(read))).toEqual(["A", undefined, "B"]);
    const alone = [["a"], ["none"], ["b"]];
    expect(calls).toEqual(dialect === "sqlite" ? alone : [["a"], ["none", "b"]]);
  });
});

onEach((kind) => {
  afterAll(() => kind().stop());

  it("finds each of many servers that are asked for at once", async () => {
    const { servers } = await openFor({ url: (await kind().fresh()).url });
    const ids = Array.from({ length: 250 }, (_, n) => `${100_000_000_000_000_000n + BigInt(n)}`);
    const added = await Promise.all(ids.map(servers.need));

    const found = await Promise.all([...ids, otherGuild, ...ids].map(servers.find));

    expect(found).toEqual([...added, undefined, ...added]);
    expect(new Set(added).size).toBe(ids.length);
  });

  it("sees within a transaction what was written there, and outside of it nothing yet", async () => {
    const { servers, transaction } = await openFor({ url: (await kind().fresh()).url });
    const { promise: isWritten, resolve } = Promise.withResolvers<void>();
    const outside = isWritten.then(() => servers.find(guild));

    const inside = await transaction(async () => {
      await servers.need(guild);
      resolve();
      const seen = await Promise.all([servers.find(guild), servers.find(otherGuild)]);
      if (kind().name === "postgres") expect(await outside).toBeUndefined();
      return seen;
    });

    expect(inside).toEqual([await servers.find(guild), undefined]);
    expect(await servers.find(guild)).toEqual(expect.any(Number));
  });
});
