const dayMs = 24 * 3_600_000;
/** No record is older (`store.credits`). */
const keptDays = 40;

/** UTC day of a moment, `2026-01-31`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** When the day of that moment is over. */
export function endOfDay(time: number): Date {
  return new Date((Math.floor(time / dayMs) + 1) * dayMs);
}

/** The last days, today's first. */
export function lastDays(now: number, count: number): readonly string[] {
  const days = Math.min(Math.max(count, 0), keptDays + 1);
  return Array.from({ length: days }, (_, ago) => dayOf(now - ago * dayMs));
}
