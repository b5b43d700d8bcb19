let made: Intl.DateTimeFormat | undefined;

/** Made when it is first needed: it takes 20 ms, which a start would notice. */
function pacific(): Intl.DateTimeFormat {
  made ??= new Intl.DateTimeFormat("en-CA", {
    timeZone: "America/Los_Angeles",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
  });
  return made;
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
