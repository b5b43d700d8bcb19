import { describe, expect, it } from "vitest";
import { parseUntrustedJson } from "../src/untrusted-json.ts";

describe("parseUntrustedJson", () => {
  it.each([
    ["[".repeat(1_000_000), "complex"],
    [`[${"{},".repeat(300_000)}1]`, "complex"],
    [`{${Array.from({ length: 30_000 }, (_, at) => `"k${at}":1`).join()}}`, "complex"],
    [`[${"1,".repeat(70_000)}1]`, "complex"],
    [JSON.stringify(Array(20_000).fill('[{,:"\\')), "parsed"],
    [`"${"[".repeat(100_000)}"`, "parsed"],
    ['"open', "invalid"],
    ['"\\', "invalid"],
    ["", "invalid"],
  ])("parses only what takes little time: %#", (text, state) => {
    expect(parseUntrustedJson(text)).toMatchObject({ state });
  });

  it("names the line of a mistake", () => {
    expect(parseUntrustedJson('{\n"a": 1,\n}')).toMatchObject({ state: "invalid", line: 3 });
  });
});
