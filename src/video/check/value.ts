/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function isTime(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return typeof value === "string" && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function isWhole(value: unknown, { min = -Infinity, max = Infinity }: Bounds): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

export function wholeNumber({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return `a whole number from ${min} to ${max}`;
  return min === undefined ? "a whole number" : `a whole number, ${min} or more`;
}

export const aTime = "a time like 2026-01-31T12:00:00Z";

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text is longer than so many Unicode characters. */
export function isOver(text: string, maxChars: number): boolean {
  return text.length > maxChars && countOf(text) > maxChars;
}

/** Unicode characters of a text. */
export function countOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Empty texts and lists say nothing. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** `mine: false` is given and chooses nothing. */
export function isChosen(value: unknown): boolean {
  return value !== false && isGiven(value);
}
