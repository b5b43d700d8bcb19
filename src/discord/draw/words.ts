import type { Language, MessageKey, Values } from "../../language/index.ts";
import { clockTime, durationIn, shortNumber, unspaced } from "./numbers.ts";
import { formatted, type Markup, type Text } from "./text.ts";

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
  /** `connect key` as the person's picker has it, with its slash. */
  command(path: string): string;
  /** An option as the person's picker has it, in the command of that path. */
  option(name: string, path?: string): string;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function wordsOf(language: Language): Words {
  const { tag, speech } = language;
  return {
    locale: language.locale,
    tag,
    speech,
    say: language.say,
    find: language.find,
    md: (key, pieces = {}) => ({ markup: language.say(key, escaped(pieces)) }),
    number: (count) => new Intl.NumberFormat(tag).format(count),
    short: (count) => shortNumber(count, speech),
    length: clockTime,
    duration: (ms) => durationIn(ms, speech),
    bytes: (bytes) => {
      const step = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
      const amount = new Intl.NumberFormat(speech, {
        style: "unit",
        unit: units[step] ?? "byte",
        // "3 bytes" where the short form has no plural.
        unitDisplay: step === 0 ? "long" : "short",
        maximumSignificantDigits: 3,
      }).format(bytes / 1000 ** step);
      return step === 0 ? unspaced(amount, speech) : amount;
    },
    percent: (share) =>
      new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 }).format(share),
    country: (code) => nameOf(code, tag, "region"),
    language: (code) => nameOf(code, tag, "language"),
    list: (items) => new Intl.ListFormat(speech, { type: "conjunction" }).format(items),
    command: (path) => commandName(path, language),
    option: (name, path) => optionName(name, path, language),
  };
}

function escaped(pieces: MessagePieces): Values {
  return Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => [
      name,
      typeof piece === "string" || (typeof piece === "object" && "markup" in piece)
        ? formatted(piece)
        : piece,
    ]),
  );
}

/** A command as the person's picker calls it: `/connect key`, `/verbinden schlüssel`. */
function commandName(path: string, { find }: Language): string {
  const [command = "", ...sub] = path.split(" ");
  const top = find(`${command}.command.name`) ?? command;
  const below = sub.map((name) => find(`${command}.command.${name}.name`) ?? name);
  return `/${[top, ...below].join(" ")}`;
}

/** An option as the person's picker calls it in that command; its own name where the command is not known. */
function optionName(name: string, path: string | undefined, { find }: Language): string {
  const [command, ...sub] = path?.split(" ") ?? [];
  const keys = [command, "command", ...sub].join(".");
  const own = path === undefined ? undefined : find(`${keys}.options.${name}.name`);
  return own ?? find(`options.${name}.name`) ?? name;
}

/** Codes come from the service and may be unknown here, or none at all. */
function nameOf(code: string, tag: string, type: "region" | "language"): string {
  try {
    return new Intl.DisplayNames(tag, { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
