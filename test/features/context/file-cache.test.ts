import { describe, expect, it } from "vitest";
import { createFileCache } from "../../../src/features/context/file-cache.ts";

const cacheAt = (now: () => number) =>
  createFileCache({ now, stored: undefined, log: { warn: () => undefined } });

const mebibyte = 1024 * 1024;

describe("createFileCache", () => {
  it("comes back for its own guild alone", async () => {
    const files = cacheAt(() => 0);
    const handle = await files.put("1", Uint8Array.of(1, 2, 3));

    expect(await files.get("1", handle)).toEqual(Uint8Array.of(1, 2, 3));
    expect(await files.get("2", handle)).toBeUndefined();
    expect(await files.get("1", "made-up")).toBeUndefined();
  });

  it("is gone after a quarter of an hour", async () => {
    let now = 1;
    const files = cacheAt(() => now);
    const handle = await files.put("1", Uint8Array.of(1));
    now += 15 * 60_000;

    expect(await files.get("1", handle)).toBeDefined();
    now += 1;
    expect(await files.get("1", handle)).toBeUndefined();
  });

  it("gives way to newer files beyond 64 MiB, the oldest first", async () => {
    const files = cacheAt(() => 0);
    const [first, second, third] = [
      await files.put("1", new Uint8Array(30 * mebibyte)),
      await files.put("1", new Uint8Array(30 * mebibyte)),
      await files.put("1", new Uint8Array(30 * mebibyte)),
    ];

    expect(await files.get("1", first)).toBeUndefined();
    expect(await files.get("1", second)).toBeDefined();
    expect(await files.get("1", third)).toBeDefined();
  });

  it("keeps a file no longer for being used, and no newer one shorter", async () => {
    const files = cacheAt(() => 1);
    const first = await files.put("1", new Uint8Array(30 * mebibyte));
    const second = await files.put("1", new Uint8Array(30 * mebibyte));
    await files.get("1", first);
    await files.put("1", new Uint8Array(30 * mebibyte));

    expect(await files.get("1", first)).toBeUndefined();
    expect(await files.get("1", second)).toBeDefined();
  });

  it("lets go of one guild without another", async () => {
    const files = cacheAt(() => 1);
    const mine = await files.put("1", Uint8Array.of(1));
    const other = await files.put("2", Uint8Array.of(2));
    files.forget("1");

    expect(await files.get("1", mine)).toBeUndefined();
    expect(await files.get("2", other)).toBeDefined();
  });

  it("does not take a file that is larger than all of its room", async () => {
    const files = cacheAt(() => 0);
    const small = await files.put("1", Uint8Array.of(1));
    const handle = await files.put("1", new Uint8Array(65 * mebibyte));

    expect(await files.get("1", handle)).toBeUndefined();
    expect(await files.get("1", small)).toBeDefined();
  });
});
