import { describe, expect, it } from "vitest";
import { pagesBeside } from "../../../src/features/lists/batch-page.ts";

describe("pagesBeside", () => {
  it("stays within a batch until its end", () => {
    const { before, after } = pagesBeside({ tokens: [null], chunk: 1 }, { pages: 3 });

    expect([before, after]).toEqual([
      { tokens: [null], chunk: 0 },
      { tokens: [null], chunk: 2 },
    ]);
  });

  it("goes on to the next batch, and back to the last page of the one before", () => {
    const { before, after } = pagesBeside(
      { tokens: [null, "B"], chunk: 0 },
      { pages: 1, nextPageToken: "C" },
    );

    expect(after).toEqual({ tokens: [null, "B", "C"], chunk: 0 });
    expect(before?.tokens).toEqual([null]);
    expect(before?.chunk).toBeGreaterThan(1_000);
  });

  it("ends with the list on both sides", () => {
    const { before, after } = pagesBeside({ tokens: [null], chunk: 0 }, { pages: 1 });

    expect([before, after]).toEqual([undefined, undefined]);
  });
});
