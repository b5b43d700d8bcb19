const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const formats: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

interface MarkdownTimestamp {
  readonly unixSeconds: number;
  readonly style: string;
  /** The browser's own when absent. */
  readonly locale?: string | undefined;
}

/** A timestamp in one of Discord's styles: https://docs.discord.com/developers/reference#message-formatting */
export function timeText({ unixSeconds, style, locale }: MarkdownTimestamp, now: number): string {
  const date = new Date(unixSeconds * 1_000);
  if (Number.isNaN(date.getTime())) return "Invalid date";
  if (style === "R") {
    const seconds = unixSeconds - now / 1_000;
    const [unit, size] = units.find((one) => Math.abs(seconds) >= one[1]) ?? ["second", 1];
    const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
    return words.format(Math.round(seconds / size), unit);
  }
  return new Intl.DateTimeFormat(locale, formats[style] ?? formats.f).format(date);
}

/** As beside an author's name: "Today at 10:24". */
export function messageTime(iso: string, now: number): string {
  const date = new Date(iso);
  const clock = date.toLocaleTimeString(undefined, { timeStyle: "short" });
  const days = Math.round((startOfDay(now) - startOfDay(date.getTime())) / 86_400_000);
  if (days === 0) return `Today at ${clock}`;
  if (days === 1) return `Yesterday at ${clock}`;
  return `${date.toLocaleDateString(undefined, { dateStyle: "short" })} ${clock}`;
}

export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
