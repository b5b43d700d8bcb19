import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitted, type IndexEntry } from "../../src/store/continuation-index.ts";

const kibibyte = 1_024;

function entry(handle: string, userId: string, bytes = kibibyte, endsAt = 1_000): IndexEntry {
  return { handle, userId, bytes, endsAt };
}

const names = (entries: readonly IndexEntry[]) => entries.map(({ handle }) => handle);

describe("admitted", () => {
  it("lists one more at the end", () => {
    const former = [entry("a", "1"), entry("b", "2")];

    const { listed, dropped } = admitted(entry("c", "1"), former, { maxBytes: 3_072, now: 0 });

    expect([names(listed), names(dropped)]).toEqual([["a", "b", "c"], []]);
  });

  it("drops the oldest of whoever has most, and not of who writes", () => {
    const former = [entry("a", "1"), entry("b", "2"), entry("c", "2"), entry("d", "2")];

    const { listed, dropped } = admitted(entry("e", "1"), former, { maxBytes: 4_096, now: 0 });

    expect([names(listed), names(dropped)]).toEqual([["a", "c", "d", "e"], ["b"]]);
  });

  it("counts bytes, and something for each however short", () => {
    const former = [entry("a", "1", 3_000), entry("b", "2", 1), entry("c", "2", 1)];

    const { dropped } = admitted(entry("d", "2", 1), former, { maxBytes: 3_700, now: 0 });

    expect(names(dropped)).toEqual(["a"]);
  });

  it("drops several for a large one, which stays however large it is", () => {
    const former = [entry("a", "1"), entry("b", "1")];

    const { listed } = admitted(entry("c", "1", 9_000), former, { maxBytes: 2_048, now: 0 });

    expect(names(listed)).toEqual(["c"]);
  });

  it("forgets lines of what is over before it drops anything", () => {
    const former = [entry("a", "1", 1_024, 5), entry("b", "2")];

    const { listed, dropped } = admitted(entry("c", "2"), former, { maxBytes: 2_048, now: 5 });

    expect([names(listed), names(dropped)]).toEqual([["b", "c"], []]);
  });

  it("stays within its bytes, and takes from nobody who has less than a fair part", () => {
    const puts = fc.array(
      fc.record({ userId: fc.constantFrom("1", "2", "3", "4"), bytes: fc.nat(900) }),
      { maxLength: 120 },
    );

    fc.assert(
      fc.property(puts, (all) => {
        const maxBytes = 8_000;
        let listed: readonly IndexEntry[] = [];
        for (const [at, { userId, bytes }] of all.entries()) {
          const result = admitted(entry(`${at}`, userId, bytes), listed, { maxBytes, now: 0 });
          const sum = (entries: readonly IndexEntry[], who?: string) =>
            entries
              .filter((one) => who === undefined || one.userId === who)
              .reduce((total, one) => total + Math.max(256, one.bytes), 0);
          const before = [...listed, ...result.listed.slice(-1)];

          expect(sum(result.listed)).toBeLessThanOrEqual(maxBytes);
          expect(result.listed.at(-1)?.handle).toBe(`${at}`);
          for (const gone of result.dropped) {
            expect(sum(before, gone.userId)).toBeGreaterThanOrEqual(maxBytes / 4);
          }
          listed = result.listed;
        }
      }),
    );
  });
});
