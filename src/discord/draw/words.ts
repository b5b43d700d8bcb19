import type { Language, MessageKey, Values } from "../../language/index.ts";
import { clockTime, durationIn, shortNumber, unspaced } from "./numbers.ts";
import { literal, type Markup, type Text } from "./text.ts";

/** The values of a formatted message: `Markup` goes in as it is, everything else escaped. */
type MessagePieces = Readonly<Record<string, Text | number | bigint | boolean | Date>>;

export type Words = ReturnType<typeof createWords>;

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Ids of the registered commands by name; without them, mentions are plain names. */
export type CommandIds = ReadonlyMap<string, string>;

/** Messages, numbers and names in one person's language. */
export function createWords(language: Language, commandIds: CommandIds = new Map()) {
  const { locale, tag, speech, say, find } = language;
  const mentionCommand = (path: string) => {
    const id = commandIds.get(path.split(" ")[0] ?? "");
    return id === undefined ? language.commandName(path) : `</${path}:${id}>`;
  };
  const findMd = (key: string, pieces: MessagePieces = {}): Markup | undefined => {
    const values: Record<string, Values[string]> = {};
    for (const [name, piece] of Object.entries(pieces)) values[name] = escaped(piece);
    const markup = find(key, values, mentionCommand);
    return markup === undefined ? undefined : { markup };
  };
  return {
    locale,
    tag,
    speech,
    say,
    find,
    /** The same as `md` for a key that is put together at run time; undefined when no language has it. */
    findMd,
    /** A message with formatting of its own. Not for titles, labels and footers, which show none. */
    md(key: MessageKey, pieces?: MessagePieces): Markup {
      const text = findMd(key, pieces);
      if (text === undefined) throw new TypeError(`no language has the message ${key}`);
      return text;
    },
    /** 1,234,567 */
    number: (count: number | bigint) => new Intl.NumberFormat(tag).format(count),
    /** 1.2M; undefined where it is no number. */
    short: (count: string | number | undefined) => shortNumber(count, speech),
    /** 1:02:03, of an ISO 8601 duration; undefined for what has no length. */
    length: clockTime,
    /** 1 minute 30 seconds */
    duration: (ms: number) => durationIn(ms, speech),
    /** every 5 minutes; nobody says "every 1 minute" */
    every(ms: number): string {
      const unit = ms === 60_000 ? "minute" : ms === 3_600_000 ? "hour" : "other";
      return say("common.every", { unit, pace: durationIn(ms, speech) });
    },
    /** 4.2 MB */
    bytes(bytes: number): string {
      // 1,024 a step, as Discord shows files and their limits.
      const step = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
      const amount = new Intl.NumberFormat(speech, {
        style: "unit",
        unit: units[step] ?? "byte",
        // "3 bytes" where the short form has no plural.
        unitDisplay: step === 0 ? "long" : "short",
        maximumSignificantDigits: step === 0 ? 4 : 3,
      }).format(bytes / 1024 ** step);
      return step === 0 ? unspaced(amount, speech) : amount;
    },
    /** 42 % */
    percent: (share: number) =>
      new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 }).format(share),
    /** Germany; the code itself where it is unknown. */
    country: (code: string) => findDisplayName(code, tag, "region"),
    /** German; the code itself where it is unknown. */
    language: (code: string) => findDisplayName(code, tag, "language"),
    /** a, b and c */
    list: (items: readonly string[]) =>
      new Intl.ListFormat(speech, { type: "conjunction" }).format(items),
    /** `connect key` as the person's picker has it, with its slash; for places that show no formatting. */
    command: language.commandName,
    /** The same command to press, which writes it into the person's message box. */
    mention: (path: string): Markup => ({ markup: mentionCommand(path) }),
    /** An option as the person's picker has it in the command of that path; its own name where that is not known. */
    option(name: string, path?: string): string {
      const [command, ...sub] = path?.split(" ") ?? [];
      const keys = [command, "command", ...sub].join(".");
      const own = path === undefined ? undefined : find(`${keys}.options.${name}.name`);
      return own ?? find(`options.${name}.name`) ?? name;
    },
  };
}

function escaped(piece: MessagePieces[string]): Values[string] {
  if (typeof piece === "object" && "markup" in piece) return piece.markup;
  if (typeof piece !== "string") return piece;
  const markup = literal(piece);
  // Codes with an underscore select a case of the message, so the text itself has to stay as it is.
  return markup === piece ? piece : { markup, toString: () => piece };
}

/** Codes come from YouTube and may be unknown here, or none at all. */
function findDisplayName(code: string, tag: string, type: "region" | "language"): string {
  try {
    return new Intl.DisplayNames(tag, { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
