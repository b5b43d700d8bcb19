import { describe, expect, it } from "vitest";
import { once } from "../src/once.ts";

describe("once", () => {
  it("makes a value at the first call, and never again", () => {
    const made: string[] = [];
    const value = once(() => void made.push("made"));

    expect(made).toEqual([]);
    value();
    value();
    expect(made).toEqual(["made"]);
  });
});
