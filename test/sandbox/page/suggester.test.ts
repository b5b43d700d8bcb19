import { afterEach, describe, expect, it, vi } from "vitest";
import { Suggester } from "../../../src/sandbox/platform/page/forms/suggester.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("Suggester", () => {
  it("asks once the typing rests, for what stands there then", async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const shown: string[] = [];
    const suggester = new Suggester(({ state, choices }) =>
      shown.push([state, ...choices.map(({ value }) => value)].join(" ")),
    );

    for (const text of ["c", "ca", "cat"]) {
      suggester.ask(async () => {
        asked.push(text);
        return [{ name: "Cats of 2026", value: "cats" }];
      });
      await vi.advanceTimersByTimeAsync(199);
    }
    const before = [...asked];
    await vi.advanceTimersByTimeAsync(1);

    expect(before).toEqual([]);
    expect(asked).toEqual(["cat"]);
    expect(shown).toEqual(["loading", "loading", "loading", "ready cats"]);
  });
});
