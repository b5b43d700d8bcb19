import { beforeAll, describe, expect, it } from "vitest";
import { nameSpendingSource } from "../../../src/features/usage/card.ts";
import { ownRoutes } from "../../support/raw-dispatch.ts";
import { words } from "../../support/words.ts";

let names: readonly string[] = [];

beforeAll(async () => {
  const { commands, menus, actions } = await ownRoutes();
  names = [...commands.keys(), ...menus.keys(), ...actions.keys()];
});

describe("nameOf", () => {
  it("has a name for everything that can be counted", () => {
    const given = names.map((name) => nameSpendingSource(name, words()));

    expect(names.length).toBeGreaterThan(200);
    expect(given.filter((name) => name.trim() === "")).toEqual([]);
  });

  it("calls menus by their titles", () => {
    expect(nameSpendingSource("Add to playlist", words())).toBe("Add to playlist");
  });
});
