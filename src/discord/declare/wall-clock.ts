import { createCache } from "../../cache.ts";
import { dayMs, minuteMs } from "../../clock.ts";

/** The local time of the person who asks. */
export interface LocalTime {
  readonly now: number;
  /** The person's language. */
  readonly tag: string;
  /** IANA name; UTC when the server has set none. */
  readonly timeZone: string;
}

/** Creating a format takes ten times as long as using it. */
const offsetFormats = createCache<Intl.DateTimeFormat>({ maxSize: 50 });

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  const known = offsetFormats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  offsetFormats.set(timeZone, format);
  return format;
}

/** Minutes that the zone's clocks are ahead of UTC. */
export function offsetAt(at: number, timeZone: string): number {
  const shown = offsetFormat(timeZone).format(at);
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/u.exec(shown) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** What the zone's clocks and calendar show, as if they were in UTC. */
export function wallClockAt(at: number, timeZone: string): number {
  return at + offsetAt(at, timeZone) * minuteMs;
}

/**
 * The moment when the zone's clocks show this. Of an hour that comes twice it is the first; an hour that is skipped is
 * counted on from before the change, so 2:30 is 3:30.
 */
export function momentAt(wallClock: number, timeZone: string): number {
  const [before, after] = [wallClock - dayMs, wallClock + dayMs].map(
    (near) => wallClock - offsetAt(near, timeZone) * minuteMs,
  ) as [number, number];
  const isShown = (at: number) => wallClockAt(at, timeZone) === wallClock;
  return isShown(before) || !isShown(after) ? before : after;
}
