import { afterEach, describe, expect, it, vi } from "vitest";
import { Suggester } from "../../../src/sandbox/platform/page/composer/suggester.ts";
import type { PlatformClient } from "../../../src/sandbox/platform/page/platform-client.ts";
import type { SuggestAction } from "../../../src/sandbox/platform/protocol.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("Suggester", () => {
  it("asks once the typing rests, for what stands there then", async () => {
    vi.useFakeTimers();
    const asked: SuggestAction[] = [];
    const suggest: PlatformClient["suggest"] = async (act) => {
      asked.push(act);
      return { choices: [{ name: "Cats of 2026", value: "cats" }] };
    };
    const shown: string[] = [];
    const suggester = new Suggester(({ state, choices }) =>
      shown.push([state, ...choices.map(({ value }) => value)].join(" ")),
    );
    const typed = (value: string) =>
      ({ focused: "query", options: [{ name: "query", value }] }) as unknown as SuggestAction;

    for (const value of ["c", "ca", "cat"]) {
      suggester.ask({ suggest } as PlatformClient, typed(value));
      await vi.advanceTimersByTimeAsync(199);
    }
    const before = [...asked];
    await vi.advanceTimersByTimeAsync(1);

    expect(before).toEqual([]);
    expect(asked).toEqual([typed("cat")]);
    expect(shown).toEqual(["loading", "loading", "loading", "ready cats"]);
  });
});
