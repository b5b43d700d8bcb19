import {
  type DatePattern,
  either,
  inOrder,
  maybe,
  meaning,
  numeral,
  sign,
  word,
} from "./date-patterns.ts";
import type { LengthUnit, WhichDay } from "./date-words.ts";
import { lengthPattern, type TimeLength, timesUnit } from "./lengths.ts";

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

/** A day as it was named, before it is known from when. */
export type NamedDay =
  /** So many days from today. */
  | {
      readonly is: "day";
      readonly days: number;
      /** What is said of the same day: "tomorrow, Thursday". */
      readonly weekday?: number;
      readonly date?: CalendarDay;
    }
  /** A weekday: the next or last one, or that of a week so many weeks from this one. */
  | {
      readonly is: "weekday";
      readonly weekday: number;
      readonly which?: WhichDay;
      readonly week?: number;
      readonly later?: number;
    }
  | CalendarDay
  | { readonly is: "length"; readonly length: TimeLength; readonly sign: 1 | -1 };

/** A day, with the part of it that was named in the same word, and whether a bare number may follow as its hour. */
export interface DayFound {
  readonly day: NamedDay;
  readonly part?: string;
  readonly takesNumber: boolean;
  /** "Friday 12" may be the twelfth or noon, unless a time is named too. */
  readonly isWeekdayNumber?: true;
  /** The first of a month that was named without a day; a time has nothing to belong to. */
  readonly isMonth?: true;
}

const dayNumber = numeral({ from: 1, to: 31, digits: [0, 1, 2] });
const dayDigits = numeral({ from: 1, to: 31, digits: [1, 2] });
const monthDigits = numeral({ from: 1, to: 12, digits: [1, 2] });
const fullYear = numeral({ from: 1900, to: 2999, digits: [4] });
const comma = maybe(sign(","));
const of = maybe(word("of"));
const article = maybe(word("article"));
const around = maybe(word("around"));
const ofKinds = maybe(either<unknown>(word("of"), word("article"), word("around"), sign(",")));

const weekday = word("weekday");
const bracketed = meaning(
  inOrder(sign("("), either(weekday, word("shortWeekday")), sign(")")),
  ([, day]) => day,
);

const which = word("which");

/** "Friday", "next Friday", "viernes que viene", "vendredi en huit". */
const weekdays = either<NamedDay>(
  meaning(weekday, (day) => ({ is: "weekday", weekday: day })),
  meaning(inOrder(article, which, weekday), ([, one, day]) => ({
    is: "weekday",
    weekday: day,
    which: one,
  })),
  meaning(inOrder(weekday, which), ([day, one]) => ({ is: "weekday", weekday: day, which: one })),
  meaning(inOrder(weekday, word("weeksLater")), ([day, later]) => ({
    is: "weekday",
    weekday: day,
    later,
  })),
);

/** "next week", 来週: how many weeks, months or years from this one. */
const steps = either<{ readonly count: number; readonly unit: LengthUnit }>(
  meaning(word("step"), (step) => {
    const [count, unit] = step.split(" ");
    return { count: Number(count), unit: unit as LengthUnit };
  }),
  meaning(inOrder(which, word("unit")), ([one, unit]) => stepOf(one, unit)),
  meaning(inOrder(word("unit"), which), ([unit, one]) => stepOf(one, unit)),
);

const stepCounts = { this: 0, coming: 1, next: 1, after: 2, last: -1 } as const;

function stepOf(one: WhichDay, unit: LengthUnit) {
  return { count: stepCounts[one], unit };
}

const stepArticle = maybe(either(word("article"), word("stepArticle")));
const weekSteps = meaning(inOrder(stepArticle, around, steps), ([, , step]) =>
  step.unit === "w" ? step.count : undefined,
);

/** "Friday next week", 来週の金曜日. */
const weekdaysOfWeek = either<NamedDay>(
  meaning(inOrder(weekSteps, ofKinds, weekday), ([week, , day]) => ({
    is: "weekday",
    weekday: day,
    week,
  })),
  meaning(inOrder(weekday, ofKinds, weekSteps), ([day, , week]) => ({
    is: "weekday",
    weekday: day,
    week,
  })),
);

/** "next month" keeps the day and the hour; "this month" names no day. */
const steppedDays = meaning(
  inOrder(stepArticle, around, steps),
  ([, , { count, unit }]): NamedDay | undefined => {
    const length = timesUnit(Math.abs(count), unit);
    const isCalendar = unit === "d" || unit === "w" || unit === "mo" || unit === "y";
    if (count === 0 || length === undefined || !isCalendar) return undefined;
    return { is: "length", length, sign: count > 0 ? 1 : -1 };
  },
);

const relative = either<NamedDay>(
  meaning(word("now"), () => ({ is: "length", length: { months: 0, days: 0, ms: 0 }, sign: 1 })),
  meaning(inOrder(word("day"), word("ahead"), lengthPattern), ([from, , { months, days, ms }]) =>
    months + ms > 0 ? undefined : { is: "day", days: from + days },
  ),
  meaning(inOrder(weekday, word("ahead"), lengthPattern), ([day, , { months, days, ms }]) =>
    months + ms > 0 || days !== 7 ? undefined : { is: "weekday", weekday: day, later: 1 },
  ),
  meaning(word("day"), (days) => ({ is: "day", days })),
  meaning(inOrder(word("ahead"), lengthPattern), ([, length]) => ({
    is: "length",
    length,
    sign: 1,
  })),
  meaning(inOrder(lengthPattern, word("later")), ([length]) => ({ is: "length", length, sign: 1 })),
  meaning(inOrder(word("agoBefore"), lengthPattern), ([, length]) => ({
    is: "length",
    length,
    sign: -1,
  })),
  meaning(inOrder(lengthPattern, word("agoBehind")), ([length]) => ({
    is: "length",
    length,
    sign: -1,
  })),
  meaning(inOrder(lengthPattern, word("after"), word("day")), ([{ months, days, ms }, , from]) =>
    months + ms > 0 ? undefined : { is: "day", days: from + days },
  ),
  meaning(inOrder(lengthPattern, word("after"), weekday), ([{ months, days, ms }, , day]) =>
    months + ms > 0 || days % 7 > 0 ? undefined : { is: "weekday", weekday: day, later: days / 7 },
  ),
);

const ordinalDay = either(
  word("ordinal"),
  meaning(
    inOrder(dayNumber, maybe(either<unknown>(word("ordinalMark"), sign(".")))),
    ([day]) => day,
  ),
  word("count", (count) => Number.isInteger(count) && count >= 1 && count <= 31),
);
const markedDay = meaning(
  inOrder(dayNumber, either<unknown>(word("ordinalMark"), word("dayMark"))),
  ([day]) => day,
);

const month = word("month");
/** A word that is a weekday too is a month only behind its day: "mar 20" is a Tuesday. */
const certainMonth: typeof month = (tokens, at) =>
  word("weekday")(tokens, at).length > 0 ? [] : month(tokens, at);
/** Two digits after a named month are an hour, or nothing: "24 December 20". */
const yearBehind = maybe(
  either(
    meaning(inOrder(comma, of, fullYear), ([, , year]) => year),
    meaning(inOrder(sign("-"), fullYear), ([, year]) => year),
  ),
);

const yearStep = meaning(inOrder(stepArticle, steps), ([, step]) =>
  step.unit === "y" ? ({ unit: "y", count: step.count } as const) : undefined,
);
const monthStep = meaning(inOrder(stepArticle, around, steps), ([, , step]) =>
  step.unit === "mo" ? ({ unit: "mo", count: step.count } as const) : undefined,
);

/** The day of the month and its month by name: "24. Dezember 2026", "24 de diciembre de 2026". */
const dayThenMonth = meaning(
  inOrder(ordinalDay, maybe(sign("-")), of, month, yearBehind),
  ([day, , , name, year]) => calendarDay(day, name, year),
);

/** "December 24, 2026". */
const monthThenDay = meaning(
  inOrder(
    certainMonth,
    article,
    either(
      word("ordinal"),
      meaning(inOrder(dayDigits, maybe(word("ordinalMark"))), ([day]) => day),
    ),
    yearBehind,
  ),
  ([name, , day, year]) => calendarDay(day, name, year),
);

const markedYear = either(
  meaning(
    inOrder(numeral({ from: 1900, to: 2999, digits: [0, 4] }), word("yearMark")),
    ([year]) => year,
  ),
  meaning(
    inOrder(word("era"), numeral({ from: 1, to: 99 }), word("yearMark")),
    ([before, count]) => before + count,
  ),
);

/** 2026年12月24日, 12月24日, 来年の1月1日, 来月5日. */
const inMarks = either<CalendarDay>(
  meaning(
    inOrder(maybe(markedYear), monthNumber(), dayNumber, word("dayMark")),
    ([year, name, day]) => calendarDay(day, name, year),
  ),
  meaning(
    inOrder(yearStep, of, monthNumber(), dayNumber, word("dayMark")),
    ([step, , name, day]) => ({
      ...calendarDay(day, name),
      step,
    }),
  ),
);

function monthNumber(): DatePattern<number> {
  return meaning(
    inOrder(numeral({ from: 1, to: 12, digits: [0, 1, 2] }), word("monthMark")),
    ([name]) => name,
  );
}

/** "the 5th of next month", "le 5 du mois prochain". */
const ofStep = either<CalendarDay>(
  meaning(
    inOrder(article, either(ordinalDay, markedDay), ofKinds, monthStep),
    ([, day, , step]) => ({
      is: "date",
      day,
      step,
    }),
  ),
  meaning(inOrder(monthStep, ofKinds, either(ordinalDay, markedDay)), ([step, , day]) => ({
    is: "date",
    day,
    step,
  })),
);

function calendarDay(day: number, name: number, year?: number): CalendarDay {
  return { is: "date", day, month: name, ...(year !== undefined && { year }) };
}

/** How numeric dates are written. */
export interface DateOrder {
  readonly order: "dmy" | "mdy" | "ymd";
  /** Whether English is read, where people of other countries write their own order too. */
  readonly isEnglish: boolean;
}

const shortYear = numeral({ from: 0, to: 99, digits: [2], isGlued: true });
const anyYear = either(
  fullYear,
  meaning(shortYear, (year) => 2000 + year),
);

/** `24.12.`, `24/12/2026`, `2026-12-24`. */
function numeric({ order, isEnglish }: DateOrder): DatePattern<CalendarDay> {
  const year = order === "ymd" ? fullYear : anyYear;
  const own = order === "dmy" ? dayFirst : monthFirst;
  const other = order === "dmy" ? monthFirst : dayFirst;
  const dots = meaning(inOrder(sign("."), year), ([, count]) => count);
  const slashed = meaning(inOrder(sign("/"), year), ([, count]) => count);
  const dashed = meaning(inOrder(sign("-"), fullYear), ([, count]) => count);
  // A day that can't be a month is a day in English of either country.
  const swapped = either(other("/", slashed), other("-", dashed));
  // Where the year comes first, one that comes last leaves day and month open.
  const withYear = [own("/", slashed), own("-", dashed)].map((pattern) =>
    order === "ymd" ? meaning(pattern, (date) => (date.day > 12 ? date : undefined)) : pattern,
  );
  return either(
    own("/", noYear),
    ...withYear,
    dayFirst(".", dots),
    ...["-", "/", "."].map(yearFirst),
    ...(order === "mdy" ? [monthFirst(".", dots)] : []),
    // "1.1" alone is a number in English and Japanese.
    ...(isEnglish || order === "ymd" ? [] : [dayFirst(".", maybe(lastDot))]),
    ...(isEnglish ? [meaning(swapped, (date) => (date.day > 12 ? date : undefined))] : []),
  );
}

type YearPattern = DatePattern<number | undefined>;

const noYear: YearPattern = (_tokens, at) => [{ value: undefined, end: at }];

/** "24.12." */
const lastDot: YearPattern = (tokens, at) =>
  sign(".")(tokens, at).map(({ end }) => ({ value: undefined, end }));

function dayFirst(signs: string, yearPattern: YearPattern): DatePattern<CalendarDay> {
  return meaning(inOrder(dayDigits, sign(signs), monthDigits, yearPattern), ([day, , name, year]) =>
    calendarDay(day, name, year),
  );
}

function monthFirst(signs: string, yearPattern: YearPattern): DatePattern<CalendarDay> {
  return meaning(inOrder(monthDigits, sign(signs), dayDigits, yearPattern), ([name, , day, year]) =>
    calendarDay(day, name, year),
  );
}

function yearFirst(signs: string): DatePattern<CalendarDay> {
  return meaning(
    inOrder(fullYear, sign(signs), monthDigits, sign(signs), dayDigits),
    ([year, , name, , day]) => calendarDay(day, name, year),
  );
}

/** Every way to name a day; the weekday beside a date has to be its weekday. */
export function dayPattern(order: DateOrder): DatePattern<DayFound> {
  const dates = either<CalendarDay>(dayThenMonth, monthThenDay, inMarks, ofStep, numeric(order));
  const withWeekday = either<CalendarDay>(
    dates,
    meaning(inOrder(weekday, comma, article, dates), ([day, , , date]) => ({
      ...date,
      weekday: day,
    })),
    meaning(inOrder(dates, comma, either(weekday, bracketed)), ([date, , day]) => ({
      ...date,
      weekday: day,
    })),
  );
  const ofMonth = either<CalendarDay>(
    meaning(markedDay, (day) => ({ is: "date", day })),
    meaning(inOrder(word("article"), ordinalDay), ([, day]): CalendarDay => ({ is: "date", day })),
    meaning(
      inOrder(
        weekday,
        comma,
        either<readonly [unknown, number]>(
          inOrder(word("article"), ordinalDay),
          inOrder(comma, markedDay),
        ),
      ),
      ([day, , [, date]]) => ({ is: "date", day: date, weekday: day }),
    ),
    meaning(
      inOrder(article, markedDay, comma, either(weekday, bracketed)),
      ([, number, , day]) => ({
        is: "date",
        day: number,
        weekday: day,
      }),
    ),
  );
  const weekdayNumber = meaning(
    inOrder(weekday, comma, ordinalDay),
    ([day, , date]): CalendarDay => ({ is: "date", day: date, weekday: day }),
  );
  const monthOnly = either<CalendarDay>(
    meaning(inOrder(month, of, fullYear), ([name, , year]) => calendarDay(1, name, year)),
    meaning(inOrder(markedYear, monthNumber()), ([year, name]) => calendarDay(1, name, year)),
  );
  const today = meaning(
    inOrder(of, around, either(relative, weekdays, weekdaysOfWeek, steppedDays)),
    ([, , day]) => day,
  );
  const confirmed = either<NamedDay>(
    meaning(
      inOrder(word("day"), comma, around, article, either(weekday, bracketed)),
      ([days, , , , one]) => ({ is: "day", days, weekday: one }),
    ),
    meaning(inOrder(word("day"), comma, around, article, withWeekday), ([days, , , , date]) => ({
      is: "day",
      days,
      date,
    })),
  );
  return either<DayFound>(
    meaning(withWeekday, (day) => ({ day, takesNumber: true })),
    meaning(ofMonth, (day) => ({ day, takesNumber: false })),
    meaning(weekdayNumber, (day) => ({ day, takesNumber: false, isWeekdayNumber: true })),
    meaning(monthOnly, (day) => ({ day, takesNumber: false, isMonth: true })),
    meaning(today, (day) => ({ day, takesNumber: day.is === "day" })),
    meaning(confirmed, (day) => ({ day, takesNumber: true })),
    meaning(inOrder(either(relative, weekdays), word("partAfterDay")), ([day, part]) => ({
      day,
      part,
      takesNumber: true,
    })),
    // "8 tomorrow evening"
    meaning(inOrder(around, either(relative, weekdays), of, word("part")), ([, day, , part]) => ({
      day,
      part,
      takesNumber: true,
    })),
    meaning(word("dayPart"), (dayPart) => {
      const [days, part] = dayPart.split(" ");
      return { day: { is: "day", days: Number(days) }, part: part ?? "", takesNumber: true };
    }),
  );
}
