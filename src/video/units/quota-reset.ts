const pacific = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Los_Angeles",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
});

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

function fieldsOf(time: Date): { year: number; month: number; day: number; hour: number } {
  const parts = new Map(
    pacific.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return { year: field("year"), month: field("month"), day: field("day"), hour: field("hour") };
}
