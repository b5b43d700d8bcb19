/** The day in a time zone, as `2026-01-31`. */
export function dayIn(timeZone: string | undefined, at: number): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone ?? "UTC" }).format(at);
}
