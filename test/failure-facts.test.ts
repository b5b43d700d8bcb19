import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureFacts, failureFactsFile } from "./support/failure-facts.ts";

describe("the facts of failures", () => {
  it("are those that the English messages are filled with (`npm run messages`)", () => {
    expect(readFileSync(failureFactsFile, "utf8")).toBe(failureFacts());
  });
});
