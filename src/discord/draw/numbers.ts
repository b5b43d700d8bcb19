import { durationSeconds } from "../../clock.ts";

/** 64-bit counts travel as strings; shortened in the person's own language: 1.2M. */
export function shortNumber(
  count: string | number | undefined,
  locale: string,
): string | undefined {
  if (count === undefined || !/^\d+$/u.test(`${count}`)) return undefined;
  const format = new Intl.NumberFormat(locale, {
    notation: "compact",
    maximumFractionDigits: 1,
    // Compact numbers have no sign in their thousands by themselves: 1743 beside 16.398.
    useGrouping: "always",
  });
  return format.format(BigInt(count));
}

/** `PT1H2M3S` as 1:02:03; undefined for what has no length yet, such as a live stream. */
export function clockTime(iso: string | undefined): string | undefined {
  const all = durationSeconds(iso);
  if (all === undefined) return undefined;
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (value: number) => `${value}`.padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const units = ["hour", "minute", "second", "millisecond"] as const;
const lengths = { hour: 3_600_000, minute: 60_000, second: 1_000, millisecond: 1 } as const;

/** `1 minute 30 seconds`, for a language. */
export function durationIn(ms: number, tag: string): string {
  let left = Math.round(ms);
  const counts = units.map((unit) => {
    const count = Math.floor(left / lengths[unit]);
    left -= count * lengths[unit];
    return [unit, count] as const;
  });
  const shown = counts.filter(([, count]) => count > 0);
  return (shown.length === 0 ? [["second", 0] as const] : shown)
    .map(([unit, count]) => measured(count, unit, tag))
    .join(unspaced(" ", tag));
}

function measured(count: number, unit: (typeof units)[number], tag: string): string {
  const format = new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" });
  return unspaced(format.format(count), tag);
}

/** Japanese sets no space between a number and its counter; Intl does. */
export function unspaced(text: string, tag: string): string {
  return tag.startsWith("ja") ? text.replaceAll(" ", "") : text;
}
