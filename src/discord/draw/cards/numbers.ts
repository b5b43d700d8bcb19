/** 64-bit counts travel as strings; shortened in the person's own language: 1.2M. */
export function shortNumber(
  count: string | number | undefined,
  locale: string,
): string | undefined {
  if (count === undefined || !/^\d+$/u.test(`${count}`)) return undefined;
  const format = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  return format.format(BigInt(count));
}

const duration = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/u;

/** `PT1H2M3S` as 1:02:03; undefined for what has no length yet, such as a live stream. */
export function clockTime(iso: string | undefined): string | undefined {
  const [whole, days, hours, minutes, seconds] = duration.exec(iso ?? "") ?? [];
  if (whole === undefined) return undefined;
  const part = (text: string | undefined) => Number(text ?? 0);
  const allHours = part(days) * 24 + part(hours);
  if (allHours + part(minutes) + part(seconds) === 0) return undefined;
  const two = (value: number) => `${value}`.padStart(2, "0");
  return allHours > 0
    ? `${allHours}:${two(part(minutes))}:${two(part(seconds))}`
    : `${part(minutes)}:${two(part(seconds))}`;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Search answers with HTML-escaped text (facts/video-api-notes.md 9). */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => entities[entity] ?? entity);
}
