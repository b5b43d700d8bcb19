import type { Chrono, ParsedResult } from "chrono-node";
import { InputError } from "../../errors.ts";
import { typedText } from "../draw/text.ts";

/** The local time of the person who asks. */
export interface LocalTime {
  readonly now: number;
  /** The person's language. */
  readonly tag: string;
  /** IANA name; UTC when the guild has set none. */
  readonly timeZone: string;
}

interface DateReading extends LocalTime {
  readonly option: string;
  readonly must?: "future" | "past" | undefined;
}

/** Words around a date that don't change it: "at", "um", "el", "à". */
const filler = /^[\p{L}\s,.]{0,8}$/u;

/**
 * Reads a moment as people write it in their language; in the guild's time zone unless the text names one.
 * @throws InputError `date_unreadable`, `date_past`, `date_future`
 */
export async function readDate(text: string, reading: DateReading): Promise<Date> {
  const date = await dateIn(text, reading);
  const { option, must, now, timeZone } = reading;
  if (date === undefined) {
    throw new InputError(`option ${option} is not a date`, {
      code: "date_unreadable",
      facts: { option, timeZone, given: typedText(text) },
    });
  }
  if (must === "future" && date.getTime() <= now) throw wrongSide(text, date, reading);
  if (must === "past" && date.getTime() > now) throw wrongSide(text, date, reading);
  return date;
}

/** Undefined when it can't be read. */
export async function dateIn(text: string, reading: LocalTime): Promise<Date | undefined> {
  const trimmed = text.trim();
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/u.test(trimmed)) {
    const exact = new Date(trimmed);
    return Number.isNaN(exact.getTime()) ? undefined : exact;
  }
  const own = await parsersFor(reading.tag);
  for (const parser of own) {
    const date = understood(parser, trimmed, reading);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** The person's language first, then English, which everybody may use. */
async function parsersFor(tag: string): Promise<readonly Chrono[]> {
  const { en, de, es, fr, ja } = await import("chrono-node");
  const own = { de, es, fr, ja }[tag.slice(0, 2)];
  const english = tag === "en-US" ? en.casual : en.GB;
  return own === undefined ? [english] : [own.casual, english];
}

function understood(parser: Chrono, text: string, reading: LocalTime): Date | undefined {
  const { now, timeZone } = reading;
  const reference = { instant: new Date(now), timezone: offsetAt(now, timeZone) };
  const [result] = parser.parse(text, reference, { forwardDate: true });
  if (result === undefined) return undefined;
  const before = text.slice(0, result.index);
  const after = text.slice(result.index + result.text.length);
  if (!filler.test(before) || !filler.test(after)) return undefined;
  return inZone(result, reading);
}

/** The reference may have another offset than the date, because summer time begins or ends between them. */
function inZone(result: ParsedResult, { now, timeZone }: LocalTime): Date {
  const date = result.start.date();
  const isOwnZone = result.start.isCertain("timezoneOffset");
  const isRelative = /^(?:in|dans|en)\s|後$/iu.test(result.text.trim());
  if (isOwnZone || isRelative) return date;
  const shift = offsetAt(now, timeZone) - offsetAt(date.getTime(), timeZone);
  return new Date(date.getTime() + shift * 60_000);
}

/** Minutes that the zone's clocks are ahead of UTC. */
export function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/u.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Units as people write them, by the parser's names for them. */
const lengthUnits = {
  ms: /^(?:ms|milli\p{L}*|milisegundos?|ミリ秒)$/u,
  s: /^(?:s|se[ckg]s?|seconds?|secondes?|sekunden?|segundos?|秒)$/u,
  min: /^(?:m|mins?|minutes?|minuten?|minutos?|分)$/u,
  h: /^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|時間)$/u,
  d: /^(?:d|j|days?|tagen?|tage?|jours?|d[ií]as?|日)$/u,
} as const;

/** @throws InputError `duration_unreadable` */
export async function readDuration(text: string, option: string): Promise<number> {
  const trimmed = text.trim().toLowerCase();
  const clock = /^(?:(\d+):)?(\d{1,2}):([0-5]\d)$/u.exec(trimmed);
  if (clock !== null) {
    const [, hours = "0", minutes = "0", seconds = "0"] = clock;
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  }
  const { default: parse } = await import("parse-duration");
  const plain = /^\d+(?:[.,]\d+)?$/u.test(trimmed);
  const ms = plain ? parse(`${trimmed.replace(",", ".")}s`) : parse(inUnits(trimmed) ?? "");
  if (ms !== null && Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  throw new InputError(`option ${option} is not a length of time`, {
    code: "duration_unreadable",
    facts: { option, given: typedText(text) },
  });
}

/** One amount with its unit and a separator; each match begins where the last one ended. */
const amount = /(\d+(?:[.,]\d+)?)\s*(\p{L}+)[\s,.]*/guy;

/** `2 Minuten 30 Sek.` as `2min 30s`; undefined when the text holds anything else. */
function inUnits(text: string): string | undefined {
  const pieces = [...text.matchAll(amount)];
  if (pieces.map(([whole]) => whole).join("") !== text) return undefined;
  const read = pieces.map(([, count = "", word = ""]) => {
    const unit = Object.entries(lengthUnits).find(([, names]) => names.test(word))?.[0];
    return unit === undefined ? undefined : `${count.replace(",", ".")}${unit}`;
  });
  return read.includes(undefined) ? undefined : read.join(" ");
}

/** Says how the text was understood: in another time zone than the reader's, it may be another moment than was meant. */
function wrongSide(text: string, date: Date, reading: DateReading): InputError {
  const { option, timeZone, must } = reading;
  const facts = { option, timeZone, given: typedText(text), moment: date.getTime() };
  return new InputError(`option ${option} is not in the ${must}`, {
    code: must === "past" ? "date_future" : "date_past",
    facts,
  });
}
