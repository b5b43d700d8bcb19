const quarterMs = 15 * 60_000;
/** Eight days of quarters of an hour: a day is longer when the clocks change. */
const mostSteps = 8 * 24 * 4;
const hour = 9;

/** Days as ISO 8601 numbers them: 1 is Monday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** The next 9:00 of that weekday in the server's time zone, after `now`. Milliseconds since the epoch. */
export function nextSummaryAt(weekday: Weekday, now: number, timeZone = "UTC"): number {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const wanted = `${names[weekday - 1]} ${String(hour).padStart(2, "0")}:00`;
  const first = Math.floor(now / quarterMs) + 1;
  for (let step = 0; step < mostSteps; step += 1) {
    const at = (first + step) * quarterMs;
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
    if (`${parts.get("weekday")} ${parts.get("hour")}:${parts.get("minute")}` === wanted) return at;
  }
  throw new RangeError(`no 9:00 within eight days in ${timeZone}`);
}
