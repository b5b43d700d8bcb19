import {
  type DatePattern,
  either,
  mapPattern,
  maybe,
  numeral,
  phrase,
  sign,
} from "./date-patterns.ts";

/** A day of the calendar; without a year the next or last of this name, without a month too. */
export interface CalendarDay {
  readonly is: "date";
  readonly day: number;
  readonly month?: number;
  readonly year?: number;
  /** Years or months from this one. */
  readonly step?: { readonly unit: "mo" | "y"; readonly count: number };
  readonly weekday?: number;
}

export function calendarDay(day: number, name: number, year?: number): CalendarDay {
  return { is: "date", day, month: name, ...(year !== undefined && { year }) };
}

export const dayDigits = numeral({ from: 1, to: 31, digits: [1, 2] });
const monthDigits = numeral({ from: 1, to: 12, digits: [1, 2] });
export const fullYear = numeral({ from: 1900, to: 2999, digits: [4] });

/** How numeric dates are written. */
export interface DateOrder {
  readonly order: "dmy" | "mdy" | "ymd";
  /** Whether English is read, where people of other countries write their own order too. */
  readonly isEnglish: boolean;
}

const shortYear = numeral({ from: 0, to: 99, digits: [2], isGlued: true });
const anyYear = either(
  fullYear,
  mapPattern(shortYear, (year) => 2000 + year),
);

/** `24.12.`, `24/12/2026`, `2026-12-24`. */
export function numericDate({ order, isEnglish }: DateOrder): DatePattern<CalendarDay> {
  const year = order === "ymd" ? fullYear : anyYear;
  const own = order === "dmy" ? dayFirst : monthFirst;
  const other = order === "dmy" ? monthFirst : dayFirst;
  const dots = phrase([sign("."), year], ([, count]) => count);
  const slashed = phrase([sign("/"), year], ([, count]) => count);
  const dashed = phrase([sign("-"), fullYear], ([, count]) => count);
  // A day that can't be a month is a day in English of either country.
  const swapped = either(other("/", slashed), other("-", dashed));
  // Where the year comes first, one that comes last leaves day and month open.
  const withYear = [own("/", slashed), own("-", dashed)].map((pattern) =>
    order === "ymd" ? mapPattern(pattern, (date) => (date.day > 12 ? date : undefined)) : pattern,
  );
  return either(
    own("/", noYear),
    ...withYear,
    dayFirst(".", dots),
    ...["-", "/", "."].map(yearFirst),
    ...(order === "mdy" ? [monthFirst(".", dots)] : []),
    // "1.1" alone is a number in English and Japanese.
    ...(isEnglish || order === "ymd" ? [] : [dayFirst(".", maybe(lastDot))]),
    ...(isEnglish ? [mapPattern(swapped, (date) => (date.day > 12 ? date : undefined))] : []),
  );
}

type YearPattern = DatePattern<number | undefined>;

const noYear: YearPattern = (_tokens, at) => [{ value: undefined, end: at }];

/** "24.12." */
const lastDot: YearPattern = (tokens, at) =>
  sign(".")(tokens, at).map(({ end }) => ({ value: undefined, end }));

function dayFirst(signs: string, yearPattern: YearPattern): DatePattern<CalendarDay> {
  return phrase([dayDigits, sign(signs), monthDigits, yearPattern], ([day, , name, year]) =>
    calendarDay(day, name, year),
  );
}

function monthFirst(signs: string, yearPattern: YearPattern): DatePattern<CalendarDay> {
  return phrase([monthDigits, sign(signs), dayDigits, yearPattern], ([name, , day, year]) =>
    calendarDay(day, name, year),
  );
}

function yearFirst(signs: string): DatePattern<CalendarDay> {
  return phrase(
    [fullYear, sign(signs), monthDigits, sign(signs), dayDigits],
    ([year, , name, , day]) => calendarDay(day, name, year),
  );
}
