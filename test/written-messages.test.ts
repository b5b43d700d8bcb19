import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writtenFiles } from "./support/written-messages.ts";

describe("what `npm run messages` writes", () => {
  it.each([...writtenFiles()])("is up to date: %s", (file, text) => {
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
