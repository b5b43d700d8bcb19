import { describe, expect, it } from "vitest";
import { servedCountry, withServedCountry } from "../../../src/features/context/index.ts";
import { regionCodes } from "../../../src/sandbox/video/data/index.ts";
import { servedCountries } from "../../../src/video/index.ts";

describe("a country that YouTube has", () => {
  it("is each that it lists, by its name too", () => {
    expect([...servedCountries].toSorted()).toEqual([...regionCodes].toSorted());
    for (const code of servedCountries) {
      const name = new Intl.DisplayNames("de", { type: "region" }).of(code) ?? "";
      expect(servedCountry(name), name).toBe(code);
    }
  });

  it.each("EU SU DD FX AN YU XK AQ ZZ UM AF".split(" "))("is not %s", (code) => {
    expect(servedCountry(code)).toBeUndefined();
  });
});

describe("stored settings", () => {
  it.each("EU SU DD FX AN YU XK AQ".split(" "))("count as without a country for %s", (region) => {
    expect(withServedCountry({ region, timeZone: "UTC" })).toEqual({ timeZone: "UTC" });
  });

  it("keep a known country, and read UK as GB", () => {
    expect(withServedCountry({ region: "DE" })).toEqual({ region: "DE" });
    expect(withServedCountry({ region: "UK" })).toEqual({ region: "GB" });
    expect(withServedCountry({})).toEqual({});
  });
});
