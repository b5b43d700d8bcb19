import { join } from "node:path";
import { expect, it } from "vitest";
import { readTestLevels } from "./support/test-levels.ts";

const levels = readTestLevels(join(import.meta.dirname, ".."));

it("a test that starts a process, a browser or a database server is named *.full.test.ts", () => {
  expect(levels.misplaced).toEqual([]);
});

it("each level has files", () => {
  const { unit, product, eachDatabase } = levels;

  expect([unit, product, eachDatabase].map(({ length }) => length > 20)).toEqual([
    true,
    true,
    true,
  ]);
});
