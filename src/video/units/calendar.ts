import { pacificDate, quotaResetAfter } from "./quota-reset.ts";

const hour = 3_600_000;

/** A day in Los Angeles, by which the service counts. */
export interface Day {
  /** `2026-01-31`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Days have 23 to 25 hours there. */
export function dayAt(now: number): Day {
  const endsAt = quotaResetAfter(new Date(now)).getTime();
  const startsAt = quotaResetAfter(new Date(endsAt - 25.5 * hour)).getTime();
  return { name: pacificDate(now), startsAt, endsAt };
}

/** The last days, today's first. */
export function lastDays(now: number, count: number): readonly Day[] {
  const days = [dayAt(now)];
  for (let at = days[0]; at !== undefined && days.length < count; at = days.at(-1)) {
    days.push(dayAt(at.startsAt - 1));
  }
  return days;
}

/** Today, worked out once a day. */
export function createCalendar(now: () => number): () => Day {
  let today: Day | undefined;
  return () => {
    const time = now();
    if (today === undefined || time >= today.endsAt || time < today.startsAt) today = dayAt(time);
    return today;
  };
}
