import { dayMs, hourMs } from "../../clock.ts";
import type { CalendarDay } from "./calendar-dates.ts";
import type { ClockTime } from "./clock-times.ts";
import type { DateText } from "./date-reading.ts";
import type { NamedDay } from "./days.ts";
import { momentAt, offsetAt, wallClockAt } from "./wall-clock.ts";

/** Which of several moments of one name is meant: the next, or the last. */
export type DateSide = "ahead" | "behind";

export interface MomentReading {
  readonly now: number;
  readonly timeZone: string;
  readonly side: DateSide;
  /** The person's language. */
  readonly tag: string;
}

/** The moment that a text means; undefined when its parts contradict each other or the calendar. */
export function momentMeant(text: DateText, reading: MomentReading): number | undefined {
  const [timeZone = reading.timeZone, offset] = text.timeZone?.split(" ") ?? [];
  const shown = wallClockAt(reading.now, timeZone);
  const sought: Sought = {
    ...reading,
    timeZone,
    offset,
    shown,
    today: dayStart(shown),
    time: text.time,
  };
  const { day } = text;
  const at =
    day === undefined
      ? nearest(
          daysAround.map((count) => sought.today + count * dayMs),
          sought,
        )
      : momentOn(day, sought);
  if (at === undefined || Number.isNaN(new Date(at).getTime())) return undefined;
  return offset === undefined || offsetAt(at, offset) === offsetAt(at, timeZone) ? at : undefined;
}

interface Sought extends MomentReading {
  /** What the clocks show, and the beginning of that day. */
  readonly shown: number;
  readonly today: number;
  readonly time: ClockTime | undefined;
  /** How far the zone's clocks have to be ahead of UTC then. */
  readonly offset: string | undefined;
}

function momentOn(day: NamedDay, sought: Sought): number | undefined {
  switch (day.is) {
    case "day":
      return momentOfDay(day, sought);
    case "weekday":
      return momentOfWeekday(day, sought);
    case "date":
      return momentOfDate(day, sought);
    case "length":
      return momentAfter(day, sought);
  }
}

function momentOfDay(
  { days, weekday, date }: Extract<NamedDay, { is: "day" }>,
  sought: Sought,
): number | undefined {
  const { time, today, shown, side, timeZone } = sought;
  if (Math.abs(days) > mostDays) return undefined;
  const start = today + days * dayMs;
  if (weekday !== undefined && new Date(start).getUTCDay() !== weekday) return undefined;
  if (date !== undefined && !isDate(start, date)) return undefined;
  if (time?.isNight === true) {
    // "Tonight at 2" and "today at midnight" are in the night that begins today, unless it is past midnight.
    if (days < -1 || days > 0 || shown - today < 5 * hourMs) return undefined;
    const night = side === "behind" && days === 0 ? start - dayMs : start;
    return onClock(time.hour < 24 ? night + dayMs : night, sought);
  }
  if (time !== undefined) return onClock(start, sought);
  const kept = side === "behind" ? 0 : shown - today;
  return momentAt(start + kept, timeZone);
}

function isDate(start: number, { day, month, year, weekday }: CalendarDay): boolean {
  const at = new Date(start);
  const shown = [at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCFullYear(), at.getUTCDay()];
  return [day, month, year, weekday].every(
    (said, index) => said === undefined || said === shown[index],
  );
}

function momentOfWeekday(
  day: Extract<NamedDay, { is: "weekday" }>,
  sought: Sought,
): number | undefined {
  const { today, side, time } = sought;
  const { weekday, which, later = 0 } = day;
  if (time?.isNight === true) return undefined;
  const ofWeek = (week: number) =>
    today + (week * 7 + mondays(weekday) - weekdayFrom(today)) * dayMs;
  const week = day.week ?? (which === "next" ? 1 : which === "after" ? 2 : undefined);
  if (week !== undefined) return isUnclear(day, sought) ? undefined : onClock(ofWeek(week), sought);
  // "Friday week" said on a Friday is in one week or in two.
  if (later > 0 && weekdayFrom(today) === mondays(weekday)) return undefined;
  const isAhead =
    which === "last" ? false : which === "coming" || later > 0 ? true : side === "ahead";
  const days = [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7]
    .map((count) => today + count * dayMs)
    .filter((start) => new Date(start).getUTCDay() === weekday)
    // Without an hour, a weekday's own name is not said of today.
    .filter((start) => start !== today || (time !== undefined && which !== "last"));
  const at = nearest(days, { ...sought, side: isAhead ? "ahead" : "behind" });
  if (at === undefined || later === 0) return at;
  if (later * 7 > mostDays) return undefined;
  const start = dayStart(wallClockAt(at, sought.timeZone));
  return onClock(start + later * 7 * dayMs, sought);
}

/** Weeks begin on a Monday, but on a Sunday in the USA, and nobody says "next Monday" of tomorrow. */
function isUnclear(
  { weekday, week }: Extract<NamedDay, { is: "weekday" }>,
  { today, tag }: Sought,
): boolean {
  const isSunday = weekdayFrom(today) === 6;
  if (tag === "en-US" && (isSunday || (week !== undefined && weekday === 0))) return true;
  return isSunday && week === undefined && weekday === 1;
}

/** Days since Monday. */
function mondays(weekday: number): number {
  return (weekday + 6) % 7;
}

function weekdayFrom(start: number): number {
  return mondays(new Date(start).getUTCDay());
}

/** The leap day comes back after eight years at the latest, and a 31st after two months. */
const yearsTried = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8];
const monthsTried = [-3, -2, -1, 0, 1, 2, 3];

function momentOfDate(date: CalendarDay, sought: Sought): number | undefined {
  const now = new Date(sought.shown);
  const [thisYear, thisMonth] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (sought.time?.isNight === true) return undefined;
  const { day, step, year, month } = date;
  const starts =
    step?.unit === "mo"
      ? [startOfDate(thisYear, thisMonth + step.count, day)]
      : month === undefined
        ? monthsTried.map((count) => startOfDate(thisYear, thisMonth + count, day))
        : year !== undefined || step !== undefined
          ? [startOfDate(year ?? thisYear + (step?.count ?? 0), month, day)]
          : yearsTried.map((count) => startOfDate(thisYear + count, month, day));
  const days = starts.filter((start) => start !== undefined);
  const isFixed = year !== undefined || step !== undefined;
  // Today's date always means this year's, even if its hour is over.
  const one = isFixed ? days[0] : days.find((start) => start === sought.today);
  const at = one === undefined ? nearest(days, sought) : onClock(one, sought);
  if (at === undefined || date.weekday === undefined) return at;
  const start = days.find((each) => onClock(each, sought) === at) ?? 0;
  return new Date(start).getUTCDay() === date.weekday ? at : undefined;
}

/** Undefined for a day that the month does not have. A month may be beyond the year's end. */
function startOfDate(year: number, month: number, day: number): number | undefined {
  const start = new Date(Date.UTC(year, month - 1, day));
  return start.getUTCDate() === day ? start.getTime() : undefined;
}

/** A little more than a hundred years. */
const mostDays = 40_000;

function momentAfter(
  { length: { months, days, ms }, sign }: Extract<NamedDay, { is: "length" }>,
  sought: Sought,
): number | undefined {
  const { now, shown, timeZone, time } = sought;
  if (months * 31 + days + ms / dayMs > mostDays) return undefined;
  if (months === 0 && days === 0) return time === undefined ? now + sign * ms : undefined;
  const date = new Date(shown);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + sign * months];
  // The last day of the month where it has fewer days.
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const start = Date.UTC(year, month, Math.min(date.getUTCDate(), last));
  const there = start + (shown - dayStart(shown)) + sign * days * dayMs;
  if (time === undefined) return momentAt(there, timeZone) + sign * ms;
  return ms > 0 || time.isNight === true ? undefined : onClock(dayStart(there), sought);
}

function dayStart(shown: number): number {
  return Math.floor(shown / dayMs) * dayMs;
}

const daysAround = [-2, -1, 0, 1, 2];

/** Of the days in their order, the moment of that which is the next or the last. */
function nearest(starts: readonly number[], sought: Sought): number | undefined {
  const { side, today, now } = sought;
  const ahead = starts.filter((start) => start >= today - 2 * dayMs);
  const behind = starts.filter((start) => start <= today + dayMs).toReversed();
  for (const start of side === "ahead" ? ahead : behind) {
    const at = onClock(start, sought);
    if (side === "ahead" ? at > now : at <= now) return at;
  }
  return undefined;
}

/** The time of that day; without one noon, and of what is over the beginning. */
function onClock(start: number, { time, side, timeZone, offset }: Sought): number {
  const { hour, minute, second } = time ?? {
    hour: side === "ahead" ? 12 : 0,
    minute: 0,
    second: 0,
  };
  const at = momentAt(start + ((hour * 60 + minute) * 60 + second) * 1000, timeZone);
  if (offset === undefined) return at;
  // When the clocks go back, 1:30 EST is an hour after 1:30 EDT.
  const other = at + (offsetAt(at, timeZone) - offsetAt(at, offset)) * 60_000;
  return offsetAt(other, timeZone) === offsetAt(other, offset) ? other : at;
}
