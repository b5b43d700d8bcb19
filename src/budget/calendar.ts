import type { Spendable } from "./types.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A day as a service counts it. */
export interface QuotaDay {
  /** `2026-01-31`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

type DayAt = (time: number) => QuotaDay;

/** Days have 23 to 25 hours in Los Angeles, by which the video service counts. */
export const pacificDayAt: DayAt = (time) => {
  const endsAt = quotaResetAfter(new Date(time)).getTime();
  const startsAt = quotaResetAfter(new Date(endsAt - 25.5 * hourMs)).getTime();
  return { name: pacificDate(time), startsAt, endsAt };
};

/** The image service says nothing of days, so that ours are those of UTC. */
export const utcDayAt: DayAt = (time) => {
  const startsAt = Math.floor(time / dayMs) * dayMs;
  return {
    name: new Date(startsAt).toISOString().slice(0, 10),
    startsAt,
    endsAt: startsAt + dayMs,
  };
};

/** The last days, today's first. */
export function lastDays(dayAt: DayAt, now: number, count: number): readonly QuotaDay[] {
  const days: QuotaDay[] = [];
  for (let at = now; days.length < count; at = (days.at(-1)?.startsAt ?? now) - 1) {
    days.push(dayAt(at));
  }
  return days;
}

/** Today by what is spent, each worked out once a day. */
export function createCalendar(now: () => number): (bucket: Spendable) => QuotaDay {
  const pacific = rememberDay(pacificDayAt);
  const utc = rememberDay(utcDayAt);
  return (bucket) => (bucket === "credits" ? utc : pacific)(now());
}

function rememberDay(dayAt: DayAt): DayAt {
  let today: QuotaDay | undefined;
  return (time) => {
    if (today === undefined || time >= today.endsAt || time < today.startsAt) today = dayAt(time);
    return today;
  };
}

let format: Intl.DateTimeFormat | undefined;

/** Made when it is first needed: it takes 20 ms, which a start would notice. */
function pacific(): Intl.DateTimeFormat {
  format ??= new Intl.DateTimeFormat("en-CA", {
    timeZone: "America/Los_Angeles",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
  });
  return format;
}

/** Midnight in Los Angeles is 7 hours behind UTC in summer and 8 in winter; the clocks change later that night. */
const offsets = [7, 8] as const;

/**
 * The next midnight in Los Angeles, when daily budgets start anew.
 * https://developers.google.com/youtube/v3/determine_quota_cost
 */
export function quotaResetAfter(now: Date): Date {
  const { year, month, day } = fieldsOf(now);
  const candidates = offsets.map((offset) => new Date(Date.UTC(year, month - 1, day + 1, offset)));
  const [summer, winter] = candidates as [Date, Date];
  return fieldsOf(summer).hour === 0 ? summer : winter;
}

/** The date in Los Angeles, like `2026-01-31`. */
export function pacificDate(time: number): string {
  const { year, month, day } = fieldsOf(new Date(time));
  return `${year}-${`${month}`.padStart(2, "0")}-${`${day}`.padStart(2, "0")}`;
}

function fieldsOf(time: Date): { year: number; month: number; day: number; hour: number } {
  const parts = new Map(
    pacific()
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return { year: field("year"), month: field("month"), day: field("day"), hour: field("hour") };
}
