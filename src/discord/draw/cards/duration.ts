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
