import { describe, expect, it } from "vitest";
import { option } from "../../src/discord/options.ts";

const about = { description: "x" } as const;

describe("option.color", () => {
  it.each([
    ["white", "#ffffff"],
    [" Gray ", "#808080"],
    ["#F80", "#ff8800"],
    ["ff8800", "#ff8800"],
  ])("reads %j as %s", (text, color) => {
    expect(option.color(about).parse(text, "color")).toBe(color);
  });

  it.each(["", "#12345", "reddish", "rgb(1,2,3)"])("refuses %j and says what it takes", (text) => {
    expect(() => option.color(about).parse(text, "color")).toThrow(
      expect.objectContaining({
        code: "option_unreadable",
        hint: expect.stringContaining("#rrggbb"),
      }),
    );
  });
});

describe("option.country", () => {
  it("reads a code whatever its case", () => {
    expect(option.country(about).parse(" de ", "region")).toBe("DE");
  });

  it("refuses a name, because only codes are sent", () => {
    expect(() => option.country(about).parse("Germany", "region")).toThrow(
      expect.objectContaining({ facts: { option: "region", wanted: "a country" } }),
    );
  });
});
