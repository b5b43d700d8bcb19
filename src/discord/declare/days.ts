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
const bracketed = mapPattern(
  inOrder(sign("("), either(weekday, word("shortWeekday")), sign(")")),
  ([, day]) => day,
);

const which = word("which");

/** "Friday", "next Friday", "viernes que viene", "vendredi en huit". */
const weekdays = either<NamedDay>(
  mapPattern(weekday, (day) => ({ is: "weekday", weekday: day })),
  mapPattern(inOrder(article, which, weekday), ([, one, day]) => ({
    is: "weekday",
    weekday: day,
    which: one,
  })),
  mapPattern(inOrder(weekday, which), ([day, one]) => ({
    is: "weekday",
    weekday: day,
    which: one,
  })),
  mapPattern(inOrder(weekday, word("weeksLater")), ([day, later]) => ({
    is: "weekday",
    weekday: day,
    later,
  })),
);

/** "next week", 来週: how many weeks, months or years from this one. */
const steps = either<{ readonly count: number; readonly unit: LengthUnit }>(
  mapPattern(word("step"), (step) => {
    const [count, unit] = step.split(" ");
    return { count: Number(count), unit: unit as LengthUnit };
  }),
  mapPattern(inOrder(which, word("unit")), ([one, unit]) => stepOf(one, unit)),
  mapPattern(inOrder(word("unit"), which), ([unit, one]) => stepOf(one, unit)),
);

const stepCounts = { this: 0, coming: 1, next: 1, after: 2, last: -1 } as const;

function stepOf(one: WhichDay, unit: LengthUnit) {
  return { count: stepCounts[one], unit };
}

const stepArticle = maybe(either(word("article"), word("stepArticle")));
const weekSteps = mapPattern(inOrder(stepArticle, filler, steps), ([, , step]) =>
  step.unit === "w" ? step.count : undefined,
);

/** "Friday next week", 来週の金曜日. */
const weekdaysOfWeek = either<NamedDay>(
  mapPattern(inOrder(weekSteps, ofKinds, weekday), ([week, , day]) => ({
    is: "weekday",
    weekday: day,
    week,
  })),
  mapPattern(inOrder(weekday, ofKinds, weekSteps), ([day, , week]) => ({
    is: "weekday",
    weekday: day,
    week,
  })),
);

/** "next month" keeps the day and the hour; "this month" names no day. */
const steppedDays = mapPattern(
  inOrder(stepArticle, filler, steps),
  ([, , { count, unit }]): NamedDay | undefined => {
    const length = timesUnit(Math.abs(count), unit);
    const isCalendar = unit === "d" || unit === "w" || unit === "mo" || unit === "y";
    if (count === 0 || length === undefined || !isCalendar) return undefined;
    return { is: "length", length, sign: count > 0 ? 1 : -1 };
  },
);

const relative = either<NamedDay>(
  mapPattern(word("now"), () => ({ is: "length", length: { months: 0, days: 0, ms: 0 }, sign: 1 })),
  mapPattern(
    inOrder(word("day"), word("ahead"), lengthPattern),
    ([from, , { months, days, ms }]) =>
      months + ms > 0 ? undefined : { is: "day", days: from + days },
  ),
  mapPattern(inOrder(weekday, word("ahead"), lengthPattern), ([day, , { months, days, ms }]) =>
    months + ms > 0 || days !== 7 ? undefined : { is: "weekday", weekday: day, later: 1 },
  ),
  mapPattern(word("day"), (days) => ({ is: "day", days })),
  mapPattern(inOrder(word("ahead"), lengthPattern), ([, length]) => ({
    is: "length",
    length,
    sign: 1,
  })),
  mapPattern(inOrder(lengthPattern, word("later")), ([length]) => ({
    is: "length",
    length,
    sign: 1,
  })),
  mapPattern(inOrder(word("agoBefore"), lengthPattern), ([, length]) => ({
    is: "length",
    length,
    sign: -1,
  })),
  mapPattern(inOrder(lengthPattern, word("agoBehind")), ([length]) => ({
    is: "length",
    length,
    sign: -1,
  })),
  mapPattern(
    inOrder(lengthPattern, word("after"), word("day")),
    ([{ months, days, ms }, , from]) =>
      months + ms > 0 ? undefined : { is: "day", days: from + days },
  ),
  mapPattern(inOrder(lengthPattern, word("after"), weekday), ([{ months, days, ms }, , day]) =>
    months + ms > 0 || days % 7 > 0 ? undefined : { is: "weekday", weekday: day, later: days / 7 },
  ),
);

const ordinalDay = either(
  word("ordinal"),
  mapPattern(
    inOrder(dayNumber, maybe(either<unknown>(word("ordinalMark"), sign(".")))),
    ([day]) => day,
  ),
  word("count", (count) => Number.isInteger(count) && count >= 1 && count <= 31),
);
const markedDay = mapPattern(
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
    mapPattern(inOrder(comma, of, fullYear), ([, , year]) => year),
    mapPattern(inOrder(sign("-"), fullYear), ([, year]) => year),
  ),
);

const yearStep = mapPattern(inOrder(stepArticle, steps), ([, step]) =>
  step.unit === "y" ? ({ unit: "y", count: step.count } as const) : undefined,
);
const monthStep = mapPattern(inOrder(stepArticle, filler, steps), ([, , step]) =>
  step.unit === "mo" ? ({ unit: "mo", count: step.count } as const) : undefined,
);

/** The day of the month and its month by name: "24. Dezember 2026", "24 de diciembre de 2026". */
const dayThenMonth = mapPattern(
  inOrder(ordinalDay, maybe(sign("-")), of, month, yearBehind),
  ([day, , , name, year]) => calendarDay(day, name, year),
);

/** "December 24, 2026". */
const monthThenDay = mapPattern(
  inOrder(
    certainMonth,
    article,
    either(
      word("ordinal"),
      mapPattern(inOrder(dayDigits, maybe(word("ordinalMark"))), ([day]) => day),
    ),
    yearBehind,
  ),
  ([name, , day, year]) => calendarDay(day, name, year),
);

const markedYear = either(
  mapPattern(
    inOrder(numeral({ from: 1900, to: 2999, digits: [0, 4] }), word("yearMark")),
    ([year]) => year,
  ),
  mapPattern(
    inOrder(word("era"), numeral({ from: 1, to: 99 }), word("yearMark")),
    ([before, count]) => before + count,
  ),
);

/** 2026年12月24日, 12月24日, 来年の1月1日, 来月5日. */
const inMarks = either<CalendarDay>(
  mapPattern(
    inOrder(maybe(markedYear), monthNumber(), dayNumber, word("dayMark")),
    ([year, name, day]) => calendarDay(day, name, year),
  ),
  mapPattern(
    inOrder(yearStep, of, monthNumber(), dayNumber, word("dayMark")),
    ([step, , name, day]) => ({
      ...calendarDay(day, name),
      step,
    }),
  ),
);

function monthNumber(): DatePattern<number> {
  return mapPattern(
    inOrder(numeral({ from: 1, to: 12, digits: [0, 1, 2] }), word("monthMark")),
    ([name]) => name,
  );
}

/** "the 5th of next month", "le 5 du mois prochain". */
const ofStep = either<CalendarDay>(
  mapPattern(
    inOrder(article, either(ordinalDay, markedDay), ofKinds, monthStep),
    ([, day, , step]) => ({
      is: "date",
      day,
      step,
    }),
  ),
  mapPattern(inOrder(monthStep, ofKinds, either(ordinalDay, markedDay)), ([step, , day]) => ({
    is: "date",
    day,
    step,
  })),
);

/** "the 5th", "Friday the 5th". */
const ofMonth = either<CalendarDay>(
  mapPattern(markedDay, (day) => ({ is: "date", day })),
  mapPattern(inOrder(word("article"), ordinalDay), ([, day]): CalendarDay => ({ is: "date", day })),
  mapPattern(
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
  mapPattern(
    inOrder(article, markedDay, comma, either(weekday, bracketed)),
    ([, number, , day]) => ({
      is: "date",
      day: number,
      weekday: day,
    }),
  ),
);

/** "Friday 12". */
const weekdayNumber = mapPattern(
  inOrder(weekday, comma, ordinalDay),
  ([day, , date]): CalendarDay => ({ is: "date", day: date, weekday: day }),
);

/** "December 2026". */
const monthOnly = either<CalendarDay>(
  mapPattern(inOrder(month, of, fullYear), ([name, , year]) => calendarDay(1, name, year)),
  mapPattern(inOrder(markedYear, monthNumber()), ([year, name]) => calendarDay(1, name, year)),
);

/** A day that is named from today on. */
const fromToday = mapPattern(
  inOrder(of, filler, either(relative, weekdays, weekdaysOfWeek, steppedDays)),
  ([, , day]) => day,
);

/** "Freitag morgen", "tomorrow evening", "tonight". */
const dayWithPart = either<DayFound>(
  mapPattern(inOrder(either(relative, weekdays), word("partAfterDay")), ([day, part]) => ({
    day,
    part,
    takesNumber: true,
  })),
  // "8 tomorrow evening"
  mapPattern(inOrder(filler, either(relative, weekdays), of, word("part")), ([, day, , part]) => ({
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
    mapPattern(inOrder(weekday, comma, article, dates), ([day, , , date]) => ({
      ...date,
      weekday: day,
    })),
    mapPattern(inOrder(dates, comma, either(weekday, bracketed)), ([date, , day]) => ({
      ...date,
      weekday: day,
    })),
  );
  const confirmed = either<NamedDay>(
    mapPattern(
      inOrder(word("day"), comma, filler, article, either(weekday, bracketed)),
      ([days, , , , one]) => ({ is: "day", days, weekday: one }),
    ),
    mapPattern(inOrder(word("day"), comma, filler, article, withWeekday), ([days, , , , date]) => ({
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
