import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/discord/draw/limits.ts";
import { type Locale, locales } from "../../src/language/index.ts";
import { readMessages } from "../support/message-files.ts";

const root = join(import.meta.dirname, "../..");

const messages = new Map(locales.map((locale) => [locale, readMessages(locale)]));
const of = (locale: Locale): ReadonlyMap<string, string> => messages.get(locale) ?? new Map();

/** Marks that stand for the values in a message. */
const count = "\u2460";
const piece = "\u2461";

/** Every sentence that a message can become, with a mark in place of each value. */
function sentences(message: string): readonly string[] {
  return expand(parse(message, { ignoreTag: true }));
}

function expand(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.reduce<readonly string[]>(
    (before, element) => before.flatMap((start) => formsOf(element).map((end) => start + end)),
    [""],
  );
}

function formsOf(element: MessageFormatElement): readonly string[] {
  if (element.type === TYPE.literal) return [element.value];
  if ("options" in element) return Object.values(element.options).flatMap((o) => expand(o.value));
  return element.type === TYPE.argument ? [piece] : [count];
}

function faults(locale: Locale, foul: RegExp, except: (key: string) => boolean = () => false) {
  return [...of(locale)].flatMap(([key, message]) =>
    except(key)
      ? []
      : sentences(message)
          .filter((text) => foul.test(text))
          .map((t) => `${key}: ${t}`),
  );
}

describe("French", () => {
  const isSyntax = (key: string) =>
    key === "options.extra.description" || key === "failures.extra_unknown.hint";

  it("sets a narrow space before double marks and inside its quotes", () => {
    const foul = /(?<!\u202f)(?:[;!?»]|:(?=\s|$))|«(?!\u202f)|[ \u00a0][;:!?»]/u;

    expect(faults("fr", foul, isSyntax)).toEqual([]);
  });

  // French uses "tu", like Discord's own translation.
  it("says tu, never vous", () => {
    expect(faults("fr", /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})/iu)).toEqual([]);
  });
});

describe("Japanese", () => {
  const own = "[\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Han}ー]";

  it("sets no space between a number and what it counts", () => {
    expect(faults("ja", new RegExp(`[${count}\\d] ${own}|${own} [${count}]`, "u"))).toEqual([]);
  });

  it("uses marks and brackets as wide as its letters", () => {
    expect(faults("ja", new RegExp(`${own}[?!:,()]|[(?!]${own}`, "u"))).toEqual([]);
  });

  it("ends its sentences politely", () => {
    const blunt = /(?:である|だった|しろ|だ)。/u;

    expect(faults("ja", blunt)).toEqual([]);
  });
});

describe("German and Spanish", () => {
  it("say du, never Sie", () => {
    expect(
      faults(
        "de",
        /(?<=[\p{L},] )(?:Ihnen|Ihre[nmrs]?|Ihr)(?!\p{L})|(?:bitte|können|möchten|wählen|geben) Sie(?!\p{L})/u,
      ),
    ).toEqual([]);
  });

  it("say tú, never usted", () => {
    expect(
      faults(
        "es-ES",
        /(?<!\p{L})(?:usted(?:es)?|introduzca|elija|pulse|inténtelo|compruebe)(?!\p{L})/iu,
      ),
    ).toEqual([]);
  });

  it("open what they close", () => {
    expect(faults("es-ES", /^[^¿]*\?|^[^¡]*!/u)).toEqual([]);
  });
});

describe.each(locales)("marks in %s", (locale) => {
  it("are typographic", () => {
    expect(faults(locale, /'|\.\.\.|(?<!\w)"|"(?!\w)| {2}/u)).toEqual([]);
  });
});

/** Names of commands and subcommands in a language, with the slash. */
function commandsIn(locale: Locale): ReadonlySet<string> {
  const named = of(locale);
  return new Set(
    [...named].flatMap(([key, name]) => {
      const [, command = "", sub] = /^([\w-]+)\.command\.(?:([\w-]+)\.)?name$/u.exec(key) ?? [];
      if (command === "") return [];
      const top = named.get(`${command}.command.name`) ?? command;
      return [sub === undefined ? `/${top}` : `/${top} ${name}`];
    }),
  );
}

describe("what messages name", () => {
  it.each(locales)("are commands as the picker has them in %s", (locale) => {
    const known = commandsIn(locale);
    const wrong = [...of(locale)].flatMap(([key, message]) =>
      [...message.matchAll(/(?<=^|\s)\/\p{L}[^\s.,、。]*(?: [^\s.,、。]+)?/gu)]
        .map(([command]) => command)
        .filter((command) => !known.has(command) && !known.has(command.split(" ")[0] ?? ""))
        .map((command) => `${key}: ${command}`),
    );

    expect(known.size).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it.each(locales)("are options as the picker has them in %s", (locale) => {
    const said = (key: string) => of(locale).get(key) ?? "";

    for (const [sentence, name] of [
      ["videos.edit.too_long", "videos.command.edit.options.description.name"],
      ["comments.editing.long", "comments.command.edit.options.text.name"],
      ["failures.extra_unknown.title", "options.extra.name"],
      ["failures.extra_unknown.hint", "options.extra.name"],
      ["failures.extra_unreadable.title", "options.extra.name"],
      ["failures.extra_unreadable.hint", "options.extra.name"],
    ] as const) {
      expect(said(sentence), sentence).toMatch(
        new RegExp(`[“„«「]\\s?${said(name)}\\s?[”“»」]`, "u"),
      );
    }
  });

  it.each(locales)("is the button that is there in %s", (locale) => {
    const said = (key: string) => of(locale).get(key) ?? "";

    expect(said("members.list.empty_updates")).toContain(said("common.next"));
  });
});

/** Buttons of different cards that do the same. */
const alike = [
  ["add-to-playlist.title", "cards.add_to_playlist"],
  ["cards.edit", "comments.button.edit"],
  ["cards.delete", "comments.button.delete", "comments.deleting.confirm"],
  ["comments.button.approve", "choices.comment_decision.published"],
  ["comments.button.reject", "choices.comment_decision.rejected"],
  ["cards.like", "choices.rating.like"],
  ["videos.rated.undo", "choices.rating.none"],
] as const;

describe("one thing", () => {
  it.each(alike)("is called the same everywhere: %s", (...keys) => {
    for (const locale of locales) {
      const names = new Set(keys.map((key) => (key === undefined ? key : of(locale).get(key))));
      expect(names.size, `${locale}: ${[...names]}`).toBe(1);
    }
  });
});

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield readFileSync(path, "utf8");
  }
}

const code = [...sources(join(root, "src")), ...sources(join(root, "commands"))];

/** Keys of messages that the code puts into such a place. */
function keysAt(pattern: RegExp): ReadonlySet<string> {
  return new Set(code.flatMap((text) => [...text.matchAll(pattern)].map(([, key = ""]) => key)));
}

const say = '(?:\\w+\\.)*words\\.say\\("([\\w.-]+)"';

/** Places where Discord cuts long text. Buttons and form fields both use `label`, so the smaller limit applies. */
const places = [
  ["label", keysAt(new RegExp(`\\blabel: ${say}`, "gu")), limits.form.label],
  ["placeholder", keysAt(new RegExp(`\\bplaceholder: ${say}`, "gu")), limits.form.placeholder],
  [
    "title of a form",
    keysAt(
      new RegExp(
        `\\btitle: ${say}[^\\n]*\\),?\\s+(?:(?:about|isReturned|intro|\\.\\.\\.)[^\\n]*\\s+)*fields:`,
        "gu",
      ),
    ),
    limits.form.title,
  ],
] as const;

describe("nothing is cut", () => {
  it.each(places)("as the %s, in any language", (_, keys, most) => {
    const long = locales.flatMap((locale) =>
      [...keys].flatMap((key) =>
        sentences(of(locale).get(key) ?? "")
          .map((text) => text.replaceAll(count, "1,234"))
          .filter((text) => text.length > most)
          .map((text) => `${locale} ${key}: ${text}`),
      ),
    );

    expect(keys.size).toBeGreaterThan(3);
    expect(long).toEqual([]);
  });

  it.each(locales)("in the picker, where %s has about 65 characters", (locale) => {
    const long = [...of(locale)].filter(
      ([key, text]) =>
        /(?:^|\.)(?:command\b.*|^options\..*)\.description$/u.test(key) && text.length > 65,
    );

    expect(long).toEqual([]);
  });
});
