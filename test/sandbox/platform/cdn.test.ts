import { describe, expect, it } from "vitest";
import { readRange } from "../../../src/sandbox/platform/cdn.ts";

describe("readRange", () => {
  it.each([
    [undefined, undefined],
    ["bytes=0-3", { from: 0, to: 3 }],
    ["bytes=4-", { from: 4, to: 9 }],
    ["bytes=-3", { from: 7, to: 9 }],
    ["bytes=-30", { from: 0, to: 9 }],
    ["bytes=8-30", { from: 8, to: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-4", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,3-4", undefined],
    ["lines=0-1", undefined],
  ] as const)("reads %s of ten bytes", (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });

  it("finds nothing to serve of an empty file", () => {
    expect(readRange("bytes=0-", 0)).toBe("unsatisfiable");
  });
});
