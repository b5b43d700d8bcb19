import type { WatchPing } from "../records/index.ts";

const zones = new Map<string, Intl.DateTimeFormat>();

/** Whether a role may be called now. `pingedAt`: when it was called last. */
export function mayPing(
  { gapMs, quiet }: WatchPing,
  {
    now,
    pingedAt,
    timeZone,
  }: {
    readonly now: number;
    readonly pingedAt: number | undefined;
    readonly timeZone: string | undefined;
  },
): boolean {
  if (pingedAt !== undefined && now - pingedAt < gapMs) return false;
  return quiet === undefined || !isQuiet(quiet, timeOfDay(now, timeZone ?? "UTC"));
}

/** From the first time of day on, up to the second; over midnight where the second is earlier. */
export function isQuiet({ from, to }: NonNullable<WatchPing["quiet"]>, time: string): boolean {
  if (from === to) return false;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** What clocks show there, `22:05`; those of summer in summer. */
export function timeOfDay(now: number, timeZone: string): string {
  return formatOf(timeZone).format(now);
}

/** Making one takes longer than asking it a thousand times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  zones.set(timeZone, made);
  return made;
}
