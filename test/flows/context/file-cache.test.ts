import { describe, expect, it } from "vitest";
import { createFileCache } from "../../../src/flows/context/file-cache.ts";

const mebibyte = 1024 * 1024;

describe("createFileCache", () => {
  it("comes back for its own guild alone", () => {
    const files = createFileCache(() => 0);
    const handle = files.put("1", Uint8Array.of(1, 2, 3));

    expect(files.get("1", handle)).toEqual(Uint8Array.of(1, 2, 3));
    expect(files.get("2", handle)).toBeUndefined();
    expect(files.get("1", "made-up")).toBeUndefined();
  });

  it("is gone after a quarter of an hour", () => {
    let now = 1;
    const files = createFileCache(() => now);
    const handle = files.put("1", Uint8Array.of(1));
    now += 15 * 60_000;

    expect(files.get("1", handle)).toBeDefined();
    now += 1;
    expect(files.get("1", handle)).toBeUndefined();
  });

  it("gives way to newer files beyond 64 MiB, the oldest first", () => {
    const files = createFileCache(() => 0);
    const [first, second, third] = [1, 2, 3].map(() =>
      files.put("1", new Uint8Array(30 * mebibyte)),
    ) as [string, string, string];

    expect(files.get("1", first)).toBeUndefined();
    expect(files.get("1", second)).toBeDefined();
    expect(files.get("1", third)).toBeDefined();
  });

  it("keeps a file no longer for being used, and no newer one shorter", () => {
    const files = createFileCache(() => 1);
    const first = files.put("1", new Uint8Array(30 * mebibyte));
    const second = files.put("1", new Uint8Array(30 * mebibyte));
    files.get("1", first);
    files.put("1", new Uint8Array(30 * mebibyte));

    expect(files.get("1", first)).toBeUndefined();
    expect(files.get("1", second)).toBeDefined();
  });

  it("lets go of one guild without another", () => {
    const files = createFileCache(() => 1);
    const mine = files.put("1", Uint8Array.of(1));
    const other = files.put("2", Uint8Array.of(2));
    files.forget("1");

    expect(files.get("1", mine)).toBeUndefined();
    expect(files.get("2", other)).toBeDefined();
  });

  it("does not take a file that is larger than all of its room", () => {
    const files = createFileCache(() => 0);
    const small = files.put("1", Uint8Array.of(1));
    const handle = files.put("1", new Uint8Array(65 * mebibyte));

    expect(files.get("1", handle)).toBeUndefined();
    expect(files.get("1", small)).toBeDefined();
  });
});
