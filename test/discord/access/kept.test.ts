import { describe, expect, it } from "vitest";
import { createKept } from "../../../src/discord/access/kept.ts";

const mebibyte = 1024 * 1024;

describe("what is kept for a while", () => {
  it("comes back for its own guild alone", () => {
    const kept = createKept(() => 0);
    const handle = kept.put("1", Uint8Array.of(1, 2, 3));

    expect(kept.get("1", handle)).toEqual(Uint8Array.of(1, 2, 3));
    expect(kept.get("2", handle)).toBeUndefined();
    expect(kept.get("1", "made-up")).toBeUndefined();
  });

  it("is gone after a quarter of an hour", () => {
    let now = 0;
    const kept = createKept(() => now);
    const handle = kept.put("1", Uint8Array.of(1));
    now = 15 * 60_000 - 1;

    expect(kept.get("1", handle)).toBeDefined();
    now = 15 * 60_000;
    expect(kept.get("1", handle)).toBeUndefined();
  });

  it("gives way to newer files beyond 64 MiB, the oldest first", () => {
    const kept = createKept(() => 0);
    const [first, second, third] = [1, 2, 3].map(() =>
      kept.put("1", new Uint8Array(30 * mebibyte)),
    ) as [string, string, string];

    expect(kept.get("1", first)).toBeUndefined();
    expect(kept.get("1", second)).toBeDefined();
    expect(kept.get("1", third)).toBeDefined();
  });

  it("does not take a file that is larger than all of its room", () => {
    const kept = createKept(() => 0);
    const small = kept.put("1", Uint8Array.of(1));
    const handle = kept.put("1", new Uint8Array(65 * mebibyte));

    expect(kept.get("1", handle)).toBeUndefined();
    expect(kept.get("1", small)).toBeDefined();
  });
});
