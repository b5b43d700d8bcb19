import type { EscapedText, Language, MessageKey, Values } from "../../language/index.ts";
import { clockTime, durationIn, shortNumber, unspaced } from "./numbers.ts";
import { literal, type Markup, type Text } from "./text.ts";

/** The values of a formatted message: `Markup` goes in as it is, everything else escaped. */
type MessagePieces = Readonly<Record<string, Text | number | bigint | boolean | Date>>;

/** Messages, numbers and names in one person's language. */
export interface Words extends Pick<Language, "locale" | "tag" | "speech" | "say" | "find"> {
  /** A message with formatting of its own. Not for titles, labels and footers, which show none. */
  md(key: MessageKey, pieces?: MessagePieces): Markup;
  /** 1,234,567 */
  number(count: number | bigint): string;
  /** 1.2M; undefined where it is no number. */
  short(count: string | number | undefined): string | undefined;
  /** 1:02:03, of an ISO 8601 duration; undefined for what has no length. */
  length(iso: string | undefined): string | undefined;
  /** 1 minute 30 seconds */
  duration(ms: number): string;
  /** every 5 minutes */
  every(ms: number): string;
  /** 4.2 MB */
  bytes(bytes: number): string;
  /** 42 % */
  percent(share: number): string;
  /** Germany; the code itself where it is unknown. */
  country(code: string): string;
  /** German; the code itself where it is unknown. */
  language(code: string): string;
  /** a, b and c */
  list(items: readonly string[]): string;
  /** The same as `md` for a key that is put together at run time; undefined when no language has it. */
  findMd(key: string, pieces?: MessagePieces): Markup | undefined;
  /** `connect key` as the person's picker has it, with its slash; for places that show no formatting. */
  command(path: string): string;
  /** The same command to press, which writes it into the person's message box. */
  mention(path: string): Markup;
  /** An option as the person's picker has it, in the command of that path. */
  option(name: string, path?: string): string;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Ids of the registered commands by name; without them, mentions are plain names. */
export type CommandIds = ReadonlyMap<string, string>;

export function wordsOf(language: Language, commandIds: CommandIds = new Map()): Words {
  const { tag, speech } = language;
  const mentionCommand = (path: string) => {
    const id = commandIds.get(path.split(" ")[0] ?? "");
    return id === undefined ? language.commandName(path) : `</${path}:${id}>`;
  };
  const findMd: Words["findMd"] = (key, pieces = {}) => {
    const markup = language.find(key, escaped(pieces), mentionCommand);
    return markup === undefined ? undefined : { markup };
  };
  return {
    locale: language.locale,
    tag,
    speech,
    say: language.say,
    find: language.find,
    findMd,
    md: (key, pieces) => {
      const text = findMd(key, pieces);
      if (text === undefined) throw new TypeError(`no language has the message ${key}`);
      return text;
    },
    number: (count) => new Intl.NumberFormat(tag).format(count),
    short: (count) => shortNumber(count, speech),
    length: clockTime,
    duration: (ms) => durationIn(ms, speech),
    every: (ms) =>
      language.say("common.every", { unit: singleUnit(ms), pace: durationIn(ms, speech) }),
    bytes: (bytes) => {
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
    percent: (share) =>
      new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 }).format(share),
    country: (code) => findDisplayName(code, tag, "region"),
    language: (code) => findDisplayName(code, tag, "language"),
    list: (items) => new Intl.ListFormat(speech, { type: "conjunction" }).format(items),
    command: language.commandName,
    mention: (path) => ({ markup: mentionCommand(path) }),
    option: (name, path) => optionName(name, path, language),
  };
}

/** Nobody says "every 1 minute". */
function singleUnit(ms: number): "minute" | "hour" | "other" {
  if (ms === 60_000) return "minute";
  return ms === 3_600_000 ? "hour" : "other";
}

function escaped(pieces: MessagePieces): Values {
  return Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => {
      if (typeof piece === "object" && "markup" in piece) return [name, piece.markup];
      return [name, typeof piece === "string" ? escapedText(piece) : piece];
    }),
  );
}

/** Codes with an underscore select a case of the message, so the text itself has to stay as it is. */
function escapedText(text: string): string | EscapedText {
  const markup = literal(text);
  return markup === text ? text : { markup, toString: () => text };
}

/** An option as the person's picker calls it in that command; its own name where the command is not known. */
function optionName(name: string, path: string | undefined, { find }: Language): string {
  const [command, ...sub] = path?.split(" ") ?? [];
  const keys = [command, "command", ...sub].join(".");
  const own = path === undefined ? undefined : find(`${keys}.options.${name}.name`);
  return own ?? find(`options.${name}.name`) ?? name;
}

/** Codes come from YouTube and may be unknown here, or none at all. */
function findDisplayName(code: string, tag: string, type: "region" | "language"): string {
  try {
    return new Intl.DisplayNames(tag, { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
