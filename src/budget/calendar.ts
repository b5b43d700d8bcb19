import { dayMs, hourMs } from "../clock.ts";
import { once } from "../once.ts";

/** A day as YouTube counts it: from midnight to midnight in Los Angeles. Credits are counted by the same days. */
export interface QuotaDay {
  /** `2026-01-31`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Days have 23 to 25 hours. */
export function pacificDayAt(time: number): QuotaDay {
  const endsAt = quotaResetAfter(new Date(time)).getTime();
  const startsAt = quotaResetAfter(new Date(endsAt - 25.5 * hourMs)).getTime();
  return { name: dateInLosAngeles(time), startsAt, endsAt };
}

/** The last days, today first. */
export function lastDays(now: number, count: number): readonly QuotaDay[] {
  const days: QuotaDay[] = [];
  for (let at = now; days.length < count; at = (days.at(-1)?.startsAt ?? now) - 1) {
    days.push(pacificDayAt(at));
  }
  return days;
}

let recentDay: QuotaDay | undefined;

/** The same as `pacificDayAt`, worked out once a day. */
export function quotaDayAt(time: number): QuotaDay {
  if (recentDay === undefined || time >= recentDay.endsAt || time < recentDay.startsAt) {
    recentDay = pacificDayAt(time);
  }
  return recentDay;
}

/**
 * The next midnight in Los Angeles, when the daily quota is reset.
 * https://developers.google.com/youtube/v3/determine_quota_cost
 */
export function quotaResetAfter(now: Date): Date {
  const today = dateInLosAngeles(now.getTime());
  // Los Angeles is 7 hours behind UTC in summer and 8 in winter; the clocks change after midnight.
  const inSummer = Date.parse(today) + dayMs + 7 * hourMs;
  return new Date(dateInLosAngeles(inSummer) === today ? inSummer + hourMs : inSummer);
}

/** The date in Los Angeles, like `2026-01-31`. */
export function pacificDate(time: number): string {
  return quotaDayAt(time).name;
}

/** Creating it takes 20 ms, which would slow the start down. */
const dateFormat = once(
  () =>
    new Intl.DateTimeFormat("en-CA", {
      timeZone: "America/Los_Angeles",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }),
);

function dateInLosAngeles(time: number): string {
  const parts = new Map(
    dateFormat()
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}
