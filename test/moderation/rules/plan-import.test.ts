import { describe, expect, it } from "vitest";
import type { CommentRule, RuleBook } from "../../../src/moderation/records/index.ts";
import { planImport } from "../../../src/moderation/rules/plan-import.ts";

const draft = (name: string, word = "w") => ({
  name,
  test: { kind: "words", words: [word], isFolded: true } as const,
  does: "suggest" as const,
  decision: "hold" as const,
  isOn: true,
});
const stored = (name: string, id: string): CommentRule => ({
  ...draft(name),
  id,
  addedBy: "1",
  addedAt: 5,
});
const book: RuleBook = {
  rules: [stored("One", "a"), stored("Two", "b"), stored("two", "c")],
  spared: { members: false, authors: [{ id: "UCa", name: "Ann" }] },
  dailyCap: 100,
};
const names = (rules: readonly { readonly name: string }[]) => rules.map(({ name }) => name);

describe("planImport", () => {
  it("tells rules apart by their names, whatever their case, in order", () => {
    const rules = [draft("TWO", "x"), draft("two"), draft("two"), draft("New")];

    const plan = planImport(book, { rules }, { isWhole: false });

    expect(names(plan.changed)).toEqual(["TWO"]);
    expect(plan.changed[0]?.before).toMatchObject({ name: "Two", test: { words: ["w"] } });
    expect(names(plan.added)).toEqual(["two", "New"]);
    expect(names(plan.rules)).toEqual(["One", "TWO", "two", "two", "New"]);
    expect(plan.rules[1]).toMatchObject({ id: "b", addedAt: 5, test: { words: ["x"] } });
    expect(plan).toMatchObject({ removed: [], same: 2, alike: 2 });
  });

  it("removes the others only from a whole import", () => {
    const imported = { rules: [draft("One")], spared: { members: true, authors: [{ id: "UCb" }] } };

    const some = planImport(book, imported, { isWhole: false });
    const whole = planImport(book, imported, { isWhole: true });

    expect(some.removed).toEqual([]);
    expect(some.spared?.authors).toEqual([{ id: "UCa", name: "Ann" }, { id: "UCb" }]);
    expect(names(whole.removed)).toEqual(["Two", "two"]);
    expect(whole.spared).toEqual(imported.spared);
  });

  it("finds nothing to do for what is there already", () => {
    const { rules, spared, dailyCap } = book;

    const plan = planImport(book, { rules, spared, dailyCap }, { isWhole: true });

    expect(plan).toMatchObject({ added: [], changed: [], removed: [], same: 3 });
    expect(plan).not.toHaveProperty("spared");
    expect(plan).not.toHaveProperty("dailyCap");
  });

  it("has another basis as soon as a rule or setting is another", () => {
    const basis = (one: RuleBook) => planImport(one, { rules: [] }, { isWhole: true }).basis;

    expect(basis({ ...book, acted: { day: "2026-01-01", count: 1 } })).toBe(basis(book));
    expect(basis({ ...book, dailyCap: 1 })).not.toBe(basis(book));
  });
});
