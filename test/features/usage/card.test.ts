import { beforeAll, describe, expect, it } from "vitest";
import type { QuotaBound, QuotaState } from "../../../src/budget/index.ts";
import { describeQuotaPart, nameSpendingSource } from "../../../src/features/usage/card.ts";
import { ownRoutes } from "../../support/raw-dispatch.ts";
import { words } from "../../support/words.ts";

let names: readonly string[] = [];

beforeAll(async () => {
  const { commands, menus, actions } = await ownRoutes();
  names = [...commands.keys(), ...menus.keys(), ...actions.keys()];
});

describe("nameSpendingSource", () => {
  it("has a name for everything that can be counted", () => {
    const given = names.map((name) => nameSpendingSource(name, words()));

    expect(names.length).toBeGreaterThan(200);
    expect(given.filter((name) => name.trim() === "")).toEqual([]);
  });

  it("tells what people ask for from what Greenroom checks by itself", () => {
    const given = ["search", "activity", "watch", "announce"].map((name) =>
      nameSpendingSource(name, words()),
    );

    expect(given).toEqual([
      "/search",
      "/activity",
      "Automatic checks of /watch",
      "Automatic checks of /announce",
    ]);
  });

  it("calls menus by their titles", () => {
    expect(nameSpendingSource("Add to playlist", words())).toBe("Add to playlist");
  });
});

const resetsAt = new Date(0);

function stateWith(sharing?: QuotaBound["sharing"]): QuotaState {
  const amounts = { used: 0, limit: 10_000, left: 10_000, reserved: 0, resetsAt };
  const share = { of: "part", ...amounts, ...(sharing && { sharing }) } as const;
  return { ...amounts, blocked: false, share };
}

function described(sharing: QuotaBound["sharing"], tag?: string): string {
  return describeQuotaPart(stateWith(sharing), words(tag)).join("\n");
}

describe("the part of a channel", () => {
  it("is described with what is its own, and how many share the quota", () => {
    const text = described({ own: 2_500, channels: 2, ofPerson: 1 });

    expect(text).toContain("2,500 units a day are guaranteed");
    expect(text).toContain("2 channels share");
    expect(text).not.toContain("new");
    expect(text).not.toContain("person");
  });

  it("says until when a new channel has less, and who it is shared with", () => {
    const sharing = { own: 40, channels: 99, ofPerson: 98, fullFrom: "2026-01-22" };

    expect(described(sharing)).toContain("its part is smaller until Jan 22, 2026");
    expect(described(sharing)).toContain(
      "98 channels that the same person linked share what is guaranteed",
    );
    expect(described(sharing, "de")).toContain("Bis zum 22.01.2026");
  });

  it("is not mentioned where the project is not divided", () => {
    expect(describeQuotaPart(stateWith(), words())).toEqual([]);
  });
});
