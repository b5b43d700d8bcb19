import { describe, expect, it } from "vitest";
import type { InputError } from "../../../src/errors.ts";
import { readOpacity, readShadow } from "../../../src/flows/background-removal/shadows.ts";

const refused = (code: string) => expect.objectContaining({ code }) as InputError;

describe("readShadow", () => {
  it.each([
    ["drop", "drop"],
    ["3d", "3D"],
    ["car: car, Person 3D; other=drop", { car: "car", person: "3D", other: "drop" }],
  ])("reads %s", (text, shadow) => {
    expect(readShadow(text)).toEqual(shadow);
  });

  it.each(["", "soft", "auto: drop", "car: soft", "car drop person 3D"])("refuses “%s”", (text) => {
    expect(() => readShadow(text)).toThrow(refused("invalid_shadow_type"));
  });
});

describe("readOpacity", () => {
  it.each([
    ["0", 0],
    ["50 %", 50],
    ["AUTO", "auto"],
    ["car: 90, person: auto", { car: 90, person: "auto" }],
  ])("reads %s", (text, opacity) => {
    expect(readOpacity(text)).toEqual(opacity);
  });

  it.each(["101", "-1", "much", "car: 200"])("refuses “%s”", (text) => {
    expect(() => readOpacity(text)).toThrow(refused("invalid_shadow_opacity"));
  });
});
