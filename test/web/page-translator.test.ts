import { describe, expect, it } from "vitest";
import { createLanguages, locales } from "../../src/language/index.ts";
import { translatorFor } from "../../src/web/page-translator.ts";

const words = { locales, of: createLanguages().of };

describe("translatorFor", () => {
  it.each([
    [undefined, "en-US"],
    ["", "en-US"],
    ["*", "en-US"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["es-MX", "es-ES"],
    ["FR-ca", "fr"],
    ["ja-JP,en-US;q=0.9", "ja"],
    ["en-GB,ja;q=0.9", "en-US"],
    ["nl,fr;q=0.5,de;q=0.8", "de"],
    ["nl-NL,pl", "en-US"],
    ["de;q=0,ja;q=0.1", "ja"],
    ["de;q=x, fr ; q=0.3", "fr"],
    ["../../etc,<b>,\u0000,__proto__,constructor", "en-US"],
    [`${"nl,".repeat(30)}de`, "en-US"],
  ])("answers %j in %s", (header, expected) => {
    expect(translatorFor(header, words).locale).toBe(expected);
  });

  it("asks for nothing but its own languages, whatever browsers send", () => {
    const asked = new Set<string>();
    const of = (locale: string) => {
      asked.add(locale);
      return words.of(locale);
    };

    for (const tag of ["de-AT", "zz-ZZ", "ja-JP-u-ca-japanese", "en-x-secret", "fr-FR-1694acad"])
      translatorFor(tag, { locales, of });

    expect([...asked].sort()).toEqual(["de", "en-US", "fr", "ja"]);
  });
});
