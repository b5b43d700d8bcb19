import { readdirSync } from "node:fs";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { readCatalogue } from "../../src/language/catalogue.ts";
import { createLanguages, type Locale, localeFor, locales } from "../../src/language/index.ts";
import { messagesFolder, readMessages } from "../support/message-files.ts";

const messages = new Map(locales.map((locale) => [locale, readMessages(locale)]));
const of = (locale: Locale) => messages.get(locale) ?? new Map<string, string>();
const source = of("en-US");
const others = locales.filter((locale) => locale !== "en-US");

interface Slots {
  /** Name and kind of each placeholder: `count:plural`. */
  readonly names: Set<string>;
  /** The values that a selection by this name distinguishes. */
  readonly selects: Map<string, Set<string>>;
  /** The categories of each plural, and whether it is cardinal or ordinal. */
  readonly plurals: { readonly type: Intl.PluralRuleType; readonly categories: string[] }[];
}

const kinds: Readonly<Record<number, string>> = {
  [TYPE.argument]: "text",
  [TYPE.number]: "number",
  [TYPE.date]: "date",
  [TYPE.time]: "time",
  [TYPE.select]: "select",
  [TYPE.plural]: "plural",
};

function slotsOf(message: string): Slots {
  const slots: Slots = { names: new Set(), selects: new Map(), plurals: [] };
  try {
    collect(parse(message, { ignoreTag: true }), slots);
  } catch {
    // Another test reports messages that can't be parsed.
  }
  return slots;
}

function collect(elements: readonly MessageFormatElement[], slots: Slots): void {
  for (const element of elements) {
    const kind = kinds[element.type];
    if (kind === undefined || !("value" in element)) continue;
    slots.names.add(`${element.value}:${kind}`);
    if (element.type === TYPE.select) {
      const known = slots.selects.get(element.value) ?? new Set();
      for (const option of Object.keys(element.options)) known.add(option);
      slots.selects.set(element.value, known);
    }
    if (element.type === TYPE.plural) {
      const type = element.pluralType ?? "cardinal";
      slots.plurals.push({ type, categories: Object.keys(element.options) });
    }
    if ("options" in element) {
      for (const option of Object.values(element.options)) collect(option.value, slots);
    }
  }
}

/** Treats plurals and numbers alike: in a language without plural forms, a plain number is enough. */
const looser = (names: Iterable<string>) =>
  [...new Set([...names].map((name) => name.replace(/:(plural|number)$/u, ":count")))].sort();

const errorsOf = (locale: Locale, faultOf: (message: string, key: string) => string | undefined) =>
  [...of(locale)].flatMap(([key, message]) => {
    const fault = faultOf(message, key);
    return fault === undefined ? [] : [`${key}: ${fault}`];
  });

describe("the message files", () => {
  it("are all read for English", () => {
    expect(readCatalogue("en-US")).toEqual(source);
  });

  it("lie in one folder for each language", () => {
    expect(readdirSync(messagesFolder).sort()).toEqual([...locales].sort());
  });
});

describe("every message", () => {
  it.each(others)("of %s is one of the English ones", (locale) => {
    expect([...of(locale).keys()].filter((key) => !source.has(key))).toEqual([]);
  });

  it.each(locales)("can be read and says something in %s", (locale) => {
    const faults = errorsOf(locale, (message) => {
      if (message.trim() === "") return "is empty";
      if (message !== message.trim()) return "has spaces around it";
      try {
        parse(message, { ignoreTag: true });
      } catch (error) {
        return String(error);
      }
      return undefined;
    });

    expect(faults).toEqual([]);
  });

  it.each(others)("takes the same values in %s", (locale) => {
    const faults = errorsOf(locale, (message, key) => {
      const wanted = looser(slotsOf(source.get(key) ?? message).names);
      const found = looser(slotsOf(message).names);
      return wanted.join() === found.join() ? undefined : `${found} instead of ${wanted}`;
    });

    expect(faults).toEqual([]);
  });

  it.each(others)("distinguishes in %s what it does in English", (locale) => {
    const faults = errorsOf(locale, (message, key) => {
      const wanted = slotsOf(source.get(key) ?? message).selects;
      return [...slotsOf(message).selects]
        .filter(([name, options]) => {
          const known = wanted.get(name) ?? new Set();
          return [...options].sort().join() !== [...known].sort().join();
        })
        .map(([name]) => `another choice of ${name}`)
        .at(0);
    });

    expect(faults).toEqual([]);
  });

  it.each(locales)("counts by the plurals of %s", (locale) => {
    const faults = errorsOf(locale, (message) => {
      for (const { type, categories } of slotsOf(message).plurals) {
        const named = categories.filter((category) => !category.startsWith("="));
        const { pluralCategories } = new Intl.PluralRules(locale, { type }).resolvedOptions();
        const unknown = named.filter((one) => !pluralCategories.some((known) => known === one));
        if (unknown.length > 0) return `has no ${unknown}`;
        // Spanish and French use `many` from a million on; `other` stands in for it.
        const missing = pluralCategories.filter((one) => one !== "many" && !named.includes(one));
        if (missing.length > 0) return `lacks ${missing}`;
      }
      return undefined;
    });

    expect(faults).toEqual([]);
  });
});

/** Words that are naturally the same as in English; any other text that equals English was not translated. */
const international =
  "csv json url id png jpg webp srt vtt sbv sub ttml scc hd sd fhd qhd 3d 2d ok api rss min max youtube creative commons discord greenroom extra podcast subrip webvtt subviewer scenarist token";
const sameWords: Readonly<Record<Exclude<Locale, "en-US">, string>> = {
  de: "video videos playlist playlists thumbnail thumbnails banner server tag tags link links name text status format format position person standard upload uploads details region version feed live trailer charts level levels start export import code short shorts cutout normal episode film keywords modus filter name orange branding bot moderator manager handle sticker emoji transparent logo budget budgets credits reserve ping pings test player bitrate sex horror neon",
  "es-ES":
    "banner banners normal color total error general moderator short shorts trailer region live links videos clips no animal rol roles sticker emoji",
  fr: "playlist playlists description descriptions tag tags note notes position page pages format image images message messages section sections strict date type types option options source sources public standard normal miniature zone signature moderation live code total clip clips trailer commercial question questions action actions region rotation distance simple caption short shorts film films episode minutes animal place orange transparent portrait logo budget budgets pause test archive document violence projection latitude longitude altitude styles",
  ja: "",
};

function isSameByNature(message: string, locale: Exclude<Locale, "en-US">): boolean {
  const words = message
    .replace(/\{[^{}]*\}/gu, " ")
    .toLowerCase()
    .match(/\p{L}[\p{L}\d-]*/gu);
  const known = new Set(`${international} ${sameWords[locale]}`.split(" "));
  return (words ?? []).every((word) => known.has(word) || word.length === 1);
}

describe("every translation", () => {
  it.each(others)("is another sentence in %s than in English", (locale) => {
    const faults = errorsOf(locale, (message, key) => {
      if (message !== source.get(key)) return undefined;
      return isSameByNature(message, locale) ? undefined : `“${message}” is English`;
    });

    expect(faults).toEqual([]);
  });

  it.each([
    ["de", /[“»«]|"(?![^„]*“)/u],
    ["ja", /[„«»]/u],
    ["fr", /[„]|«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»/u],
    ["es-ES", /[„“”]/u],
  ] as const)("quotes as %s does", (locale, foreign) => {
    const faults = errorsOf(locale, (message) => {
      const text = locale === "de" ? message.replace(/„[^„“]*“/gu, "") : message;
      return foreign.test(text) ? "quotes like another language" : undefined;
    });

    expect(faults).toEqual([]);
  });
});

describe("createLanguages", () => {
  const languages = createLanguages();
  const key = "failures.cancelled.title";

  it.each([
    ["de", "de"],
    ["fr", "fr"],
    ["es-419", "es-ES"],
    ["en-GB", "en-US"],
    ["ja", "ja"],
    ["pl", "en-US"],
  ] as const)("speaks to %s in %s", (tag, locale) => {
    expect(localeFor(tag)).toBe(locale);
    expect(languages.of(tag).locale).toBe(locale);
    expect(languages.of(tag).say(key)).toBe(of(locale).get(key));
  });

  it("writes numbers as the person's own region does", () => {
    const [us, german] = [languages.of("en-US"), languages.of("de")];

    expect(us.say("common.page", { page: 1_234 })).toContain("1,234");
    expect(german.say("common.page", { page: 1_234 })).toContain("1.234");
  });

  it("says in English, and counts as English does, what a language lacks", () => {
    const japanese = readCatalogue("ja") as Map<string, string>;
    const text = japanese.get("erasure.queues.feeds") ?? "";
    japanese.delete("erasure.queues.feeds");

    const spoken = [1, 2].map((count) => languages.of("ja").say("erasure.queues.feeds", { count }));

    japanese.set("erasure.queues.feeds", text);
    expect(spoken).toEqual(["1 announced channel", "2 announced channels"]);
  });

  it("finds nothing for a key that no language has", () => {
    expect(languages.of("de").find("failures.never_heard_of.hint")).toBeUndefined();
    expect(languages.each("failures.never_heard_of.hint").size).toBe(0);
  });

  it("gives a message in every language that has it", () => {
    expect([...languages.each(key).keys()]).toEqual([...locales]);
  });

  it("throws rather than leave a gap", () => {
    expect(() => languages.of("de").say("common.page")).toThrow(/page/u);
  });
});

describe("words for one thing", () => {
  it.each(others)("tell a list of replies from a new reply in %s", (locale) => {
    const name = (command: string) => of(locale).get(`comments.command.${command}.name`) ?? "";

    expect(name("reply").endsWith(name("replies"))).toBe(false);
    expect(name("replies")).not.toBe(of(locale).get("watch.command.replies.name"));
  });

  it.each([
    ["de", /überwach/iu],
    ["ja", /見張|ウォッチ/u],
  ] as const)("use one word for a watch in %s", (locale, another) => {
    const found = [...of(locale)].filter(([, message]) => another.test(message));

    expect(found).toEqual([]);
  });
});
