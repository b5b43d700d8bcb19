import type { SpendingKind } from "./types.ts";

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

export type DayAt = (time: number) => QuotaDay;

/** Days have 23 to 25 hours in Los Angeles, by which the video service counts. */
export const pacificDayAt: DayAt = (time) => {
  const endsAt = quotaResetAfter(new Date(time)).getTime();
  const startsAt = quotaResetAfter(new Date(endsAt - 25.5 * hourMs)).getTime();
  return { name: dateInLosAngeles(time), startsAt, endsAt };
};

/** The image service has no days of its own, so we use those of UTC. */
export const utcDayAt: DayAt = (time) => {
  const startsAt = Math.floor(time / dayMs) * dayMs;
  const name = new Date(startsAt).toISOString().slice(0, 10);
  return { name, startsAt, endsAt: startsAt + dayMs };
};

/** The last days, today first. */
export function lastDays(dayAt: DayAt, now: number, count: number): readonly QuotaDay[] {
  const days: QuotaDay[] = [];
  for (let at = now; days.length < count; at = (days.at(-1)?.startsAt ?? now) - 1) {
    days.push(dayAt(at));
  }
  return days;
}

/** Today's day for what is spent. Each calendar is worked out once a day. */
export function createCalendar(now: () => number): (bucket: SpendingKind) => QuotaDay {
  const utcDay = rememberDay(utcDayAt);
  return (bucket) => (bucket === "credits" ? utcDay : recentPacificDay)(now());
}

function rememberDay(dayAt: DayAt): DayAt {
  let today: QuotaDay | undefined;
  return (time) => {
    if (today === undefined || time >= today.endsAt || time < today.startsAt) today = dayAt(time);
    return today;
  };
}

const recentPacificDay = rememberDay(pacificDayAt);

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
  return recentPacificDay(time).name;
}

let dateFormat: Intl.DateTimeFormat | undefined;

function dateInLosAngeles(time: number): string {
  // Created when first needed: it takes 20 ms, which would slow the start down.
  dateFormat ??= new Intl.DateTimeFormat("en-CA", {
    timeZone: "America/Los_Angeles",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = new Map(dateFormat.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}
