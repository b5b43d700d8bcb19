import {
  type CalendarDay,
  calendarDay,
  type DateOrder,
  dayDigits,
  fullYear,
  numericDate,
} from "./calendar-dates.ts";
import {
  type DatePattern,
  either,
  inOrder,
  mapPattern,
  maybe,
  numeral,
  phrase,
  sign,
  word,
} from "./date-patterns.ts";
import type { LengthUnit, WhichDay } from "./date-words.ts";
import { lengthPattern, type TimeLength, timesUnit } from "./lengths.ts";

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
const comma = maybe(sign(","));
const of = maybe(word("of"));
const article = maybe(word("article"));
const filler = maybe(word("filler"));
const ofKinds = maybe(either<unknown>(word("of"), word("article"), word("filler"), sign(",")));

const weekday = word("weekday");
const bracketed = phrase(
  [sign("("), either(weekday, word("shortWeekday")), sign(")")],
  ([, day]) => day,
);

const which = word("which");

type WeekdayDay = Extract<NamedDay, { is: "weekday" }>;

function onWeekday(day: number, rest: Omit<WeekdayDay, "is" | "weekday"> = {}): WeekdayDay {
  return { is: "weekday", weekday: day, ...rest };
}

/** "Friday", "next Friday", "viernes que viene", "vendredi en huit". */
const weekdays = either<NamedDay>(
  mapPattern(weekday, (day) => onWeekday(day)),
  phrase([article, which, weekday], ([, one, day]) => onWeekday(day, { which: one })),
  phrase([weekday, which], ([day, one]) => onWeekday(day, { which: one })),
  phrase([weekday, word("weeksLater")], ([day, later]) => onWeekday(day, { later })),
);

/** "next week", 来週: how many weeks, months or years from this one. */
const steps = either<{ readonly count: number; readonly unit: LengthUnit }>(
  mapPattern(word("step"), (step) => {
    const [count, unit] = step.split(" ");
    return { count: Number(count), unit: unit as LengthUnit };
  }),
  phrase([which, word("unit")], ([one, unit]) => stepFor(one, unit)),
  phrase([word("unit"), which], ([unit, one]) => stepFor(one, unit)),
);

const stepCounts = { this: 0, coming: 1, next: 1, after: 2, last: -1 } as const;

function stepFor(one: WhichDay, unit: LengthUnit) {
  return { count: stepCounts[one], unit };
}

const stepArticle = maybe(either(word("article"), word("stepArticle")));
const weekSteps = phrase([stepArticle, filler, steps], ([, , step]) =>
  step.unit === "w" ? step.count : undefined,
);

/** "Friday next week", 来週の金曜日. */
const weekdaysOfWeek = either<NamedDay>(
  phrase([weekSteps, ofKinds, weekday], ([week, , day]) => onWeekday(day, { week })),
  phrase([weekday, ofKinds, weekSteps], ([day, , week]) => onWeekday(day, { week })),
);

/** "next month" keeps the day and the hour; "this month" names no day. */
const steppedDays = phrase(
  [stepArticle, filler, steps],
  ([, , { count, unit }]): NamedDay | undefined => {
    const length = timesUnit(Math.abs(count), unit);
    const isCalendar = unit === "d" || unit === "w" || unit === "mo" || unit === "y";
    if (count === 0 || length === undefined || !isCalendar) return undefined;
    return { is: "length", length, sign: count > 0 ? 1 : -1 };
  },
);

const byLength = (length: TimeLength, sign: 1 | -1): NamedDay => ({ is: "length", length, sign });

/** How many days; undefined for a length with months or hours. */
const wholeDays = mapPattern(lengthPattern, ({ months, days, ms }) =>
  months + ms > 0 ? undefined : days,
);
const wholeWeeks = mapPattern(wholeDays, (days) => (days % 7 > 0 ? undefined : days / 7));
const oneWeek = mapPattern(wholeWeeks, (weeks) => (weeks === 1 ? weeks : undefined));

const relative = either<NamedDay>(
  mapPattern(word("now"), () => byLength({ months: 0, days: 0, ms: 0 }, 1)),
  mapPattern(word("day"), (days) => ({ is: "day", days })),
  phrase([word("day"), word("ahead"), wholeDays], ([from, , days]) => ({
    is: "day",
    days: from + days,
  })),
  phrase([wholeDays, word("after"), word("day")], ([days, , from]) => ({
    is: "day",
    days: from + days,
  })),
  phrase([weekday, word("ahead"), oneWeek], ([day, , later]) => onWeekday(day, { later })),
  phrase([wholeWeeks, word("after"), weekday], ([later, , day]) => onWeekday(day, { later })),
  phrase([word("ahead"), lengthPattern], ([, length]) => byLength(length, 1)),
  phrase([lengthPattern, word("later")], ([length]) => byLength(length, 1)),
  phrase([word("agoBefore"), lengthPattern], ([, length]) => byLength(length, -1)),
  phrase([lengthPattern, word("agoBehind")], ([length]) => byLength(length, -1)),
);

const ordinalDay = either(
  word("ordinal"),
  phrase([dayNumber, maybe(either<unknown>(word("ordinalMark"), sign(".")))], ([day]) => day),
  word("count", (count) => Number.isInteger(count) && count >= 1 && count <= 31),
);
const markedDay = phrase(
  [dayNumber, either<unknown>(word("ordinalMark"), word("dayMark"))],
  ([day]) => day,
);

const month = word("month");
/** A word that is a weekday too is a month only behind its day: "mar 20" is a Tuesday. */
const certainMonth: typeof month = (tokens, at) =>
  word("weekday")(tokens, at).length > 0 ? [] : month(tokens, at);
/** Two digits after a named month are an hour, or nothing: "24 December 20". */
const yearBehind = maybe(
  either(
    phrase([comma, of, fullYear], ([, , year]) => year),
    phrase([sign("-"), fullYear], ([, year]) => year),
  ),
);

const yearStep = phrase([stepArticle, steps], ([, step]) =>
  step.unit === "y" ? ({ unit: "y", count: step.count } as const) : undefined,
);
const monthStep = phrase([stepArticle, filler, steps], ([, , step]) =>
  step.unit === "mo" ? ({ unit: "mo", count: step.count } as const) : undefined,
);

/** The day of the month and its month by name: "24. Dezember 2026", "24 de diciembre de 2026". */
const dayThenMonth = phrase(
  [ordinalDay, maybe(sign("-")), of, month, yearBehind],
  ([day, , , name, year]) => calendarDay(day, name, year),
);

/** "December 24, 2026". */
const monthThenDay = phrase(
  [
    certainMonth,
    article,
    either(
      word("ordinal"),
      phrase([dayDigits, maybe(word("ordinalMark"))], ([day]) => day),
    ),
    yearBehind,
  ],
  ([name, , day, year]) => calendarDay(day, name, year),
);

const markedYear = either(
  phrase([numeral({ from: 1900, to: 2999, digits: [0, 4] }), word("yearMark")], ([year]) => year),
  phrase(
    [word("era"), numeral({ from: 1, to: 99 }), word("yearMark")],
    ([before, count]) => before + count,
  ),
);

const monthNumber = phrase(
  [numeral({ from: 1, to: 12, digits: [0, 1, 2] }), word("monthMark")],
  ([name]) => name,
);

/** 2026年12月24日, 12月24日, 来年の1月1日, 来月5日. */
const inMarks = either<CalendarDay>(
  phrase([maybe(markedYear), monthNumber, dayNumber, word("dayMark")], ([year, name, day]) =>
    calendarDay(day, name, year),
  ),
  phrase([yearStep, of, monthNumber, dayNumber, word("dayMark")], ([step, , name, day]) => ({
    ...calendarDay(day, name),
    step,
  })),
);

/** "the 5th of next month", "le 5 du mois prochain". */
const ofStep = either<CalendarDay>(
  phrase([article, either(ordinalDay, markedDay), ofKinds, monthStep], ([, day, , step]) => ({
    is: "date",
    day,
    step,
  })),
  phrase([monthStep, ofKinds, either(ordinalDay, markedDay)], ([step, , day]) => ({
    is: "date",
    day,
    step,
  })),
);

/** "the 5th", "Friday the 5th". */
const ofMonth = either<CalendarDay>(
  mapPattern(markedDay, (day) => ({ is: "date", day })),
  phrase([word("article"), ordinalDay], ([, day]): CalendarDay => ({ is: "date", day })),
  phrase(
    [
      weekday,
      comma,
      either<readonly [unknown, number]>(
        inOrder(word("article"), ordinalDay),
        inOrder(comma, markedDay),
      ),
    ],
    ([day, , [, date]]) => ({ is: "date", day: date, weekday: day }),
  ),
  phrase([article, markedDay, comma, either(weekday, bracketed)], ([, number, , day]) => ({
    is: "date",
    day: number,
    weekday: day,
  })),
);

/** "Friday 12". */
const weekdayNumber = phrase(
  [weekday, comma, ordinalDay],
  ([day, , date]): CalendarDay => ({ is: "date", day: date, weekday: day }),
);

/** "December 2026". */
const monthOnly = either<CalendarDay>(
  phrase([month, of, fullYear], ([name, , year]) => calendarDay(1, name, year)),
  phrase([markedYear, monthNumber], ([year, name]) => calendarDay(1, name, year)),
);

/** A day that is named from today on. */
const fromToday = phrase(
  [of, filler, either(relative, weekdays, weekdaysOfWeek, steppedDays)],
  ([, , day]) => day,
);

/** "Freitag morgen", "tomorrow evening", "tonight". */
const dayWithPart = either<DayFound>(
  phrase([either(relative, weekdays), word("partAfterDay")], ([day, part]) => ({
    day,
    part,
    takesNumber: true,
  })),
  // "8 tomorrow evening"
  phrase([filler, either(relative, weekdays), of, word("part")], ([, day, , part]) => ({
    day,
    part,
    takesNumber: true,
  })),
  mapPattern(word("dayPart"), (dayPart) => {
    const [days, part] = dayPart.split(" ");
    return { day: { is: "day", days: Number(days) }, part: part ?? "", takesNumber: true };
  }),
);

/** Every way to name a day; the weekday beside a date has to be its weekday. */
export function dayPattern(order: DateOrder): DatePattern<DayFound> {
  const dates = either<CalendarDay>(
    dayThenMonth,
    monthThenDay,
    inMarks,
    ofStep,
    numericDate(order),
  );
  const withWeekday = either<CalendarDay>(
    dates,
    phrase([weekday, comma, article, dates], ([day, , , date]) => ({
      ...date,
      weekday: day,
    })),
    phrase([dates, comma, either(weekday, bracketed)], ([date, , day]) => ({
      ...date,
      weekday: day,
    })),
  );
  const confirmed = either<NamedDay>(
    phrase(
      [word("day"), comma, filler, article, either(weekday, bracketed)],
      ([days, , , , one]) => ({ is: "day", days, weekday: one }),
    ),
    phrase([word("day"), comma, filler, article, withWeekday], ([days, , , , date]) => ({
      is: "day",
      days,
      date,
    })),
  );
  return either<DayFound>(
    mapPattern(withWeekday, (day) => ({ day, takesNumber: true })),
    mapPattern(ofMonth, (day) => ({ day, takesNumber: false })),
    mapPattern(weekdayNumber, (day) => ({ day, takesNumber: false, isWeekdayNumber: true })),
    mapPattern(monthOnly, (day) => ({ day, takesNumber: false, isMonth: true })),
    mapPattern(fromToday, (day) => ({ day, takesNumber: day.is === "day" })),
    mapPattern(confirmed, (day) => ({ day, takesNumber: true })),
    dayWithPart,
  );
}
