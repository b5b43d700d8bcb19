import { InputError } from "../../errors.ts";
import { typedText } from "../draw/text.ts";
import { type ClockTime, clockPattern } from "./clock-times.ts";
import { either, maybe, phrase, sign, word } from "./date-patterns.ts";
import { dateTokens, normalDateText } from "./date-tokens.ts";
import { type DateLanguage, dateWords } from "./date-words.ts";
import { longestTexts } from "./text-limits.ts";

/** Two times of day, `22:00`; the second may be on the next day. */
export interface DayTimes {
  readonly from: string;
  readonly to: string;
}

const languages = Object.keys(dateWords) as readonly DateLanguage[];

/** @throws InputError `time_range_unreadable` */
export function readDayTimes(value: unknown, option: string): DayTimes {
  const read = dayTimesIn(String(value));
  if (read !== undefined) return read;
  throw new InputError(`option ${option} is not two times of day`, {
    code: "time_range_unreadable",
    facts: { option, given: typedText(String(value)) },
  });
}

/** In all our languages; undefined when it can't be read, can be read in several ways, or both times are the same. */
export function dayTimesIn(text: string): DayTimes | undefined {
  if (text.length > longestTexts.phrase) return undefined;
  const bare = normalDateText(text);
  const found = languages.flatMap((language) => readRanges(bare, language));
  const [read, ...others] = new Set(found.map(({ from, to }) => `${from} ${to}`));
  if (read === undefined || others.length > 0) return undefined;
  const [from = "", to = ""] = read.split(" ");
  return from === to ? undefined : { from, to };
}

function readRanges(text: string, language: DateLanguage): readonly DayTimes[] {
  const tokens = dateTokens(text, language);
  const clock = clockPattern({ language, isBritish: false });
  const range = phrase(
    [
      maybe(word("from")),
      maybe(word("article")),
      clock,
      word("until"),
      maybe(word("article")),
      clock,
      maybe(either<unknown>(word("rangeEnd"), sign("."))),
    ],
    ([, , from, , , to]) => rangeFrom(from, to),
  );
  return range(tokens, 0).flatMap(({ value, end }) => (end === tokens.length ? [value] : []));
}

/** Where one time names its half of the day, the other one's must be certain too: `10-11pm` has two readings. */
function rangeFrom(from: ClockTime, to: ClockTime): DayTimes | undefined {
  if (from.isPart === true || to.isPart === true) return undefined;
  // "10 to 7" begins in the evening, and "9 to 5" ends then.
  if (from.isNumber === true && isOpen(from) && isOpen(to) && from.hour > to.hour) return undefined;
  const isClear = from.isHalf === to.isHalf || (isOpen(to) ? isNextDay(from, to) : !isOpen(from));
  return isClear ? { from: shown(from), to: shown(to) } : undefined;
}

function isOpen({ hour, isHalf }: ClockTime): boolean {
  return !isHalf && hour > 0 && hour <= 12;
}

/** "10pm – 7" ends in the morning: in the evening it would end before it began. */
function isNextDay(from: ClockTime, to: ClockTime): boolean {
  if (from.isNight === true) return true;
  return from.hour > 12 && to.hour < 12 && to.hour + 12 < from.hour;
}

function shown({ hour, minute }: ClockTime): string {
  return `${padded(hour % 24)}:${padded(minute)}`;
}

function padded(count: number): string {
  return `${count}`.padStart(2, "0");
}
