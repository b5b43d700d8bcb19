/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function isTime(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return typeof value === "string" && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
}

interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
}

export function isWhole(
  value: unknown,
  { min = -Infinity, max = Infinity }: NumberBounds,
): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

export function describeWholeNumber({ min, max }: NumberBounds): string {
  if (min !== undefined && max !== undefined) return `a whole number from ${min} to ${max}`;
  return min === undefined ? "a whole number" : `a whole number, ${min} or more`;
}

export const timeExample = "a time like 2026-01-31T12:00:00Z";

export function isJsonRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text has more than so many Unicode characters. */
export function isLongerThan(text: string, maxChars: number): boolean {
  return text.length > maxChars && countCharacters(text) > maxChars;
}

/** Number of Unicode characters in a text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a value is given; empty texts and lists count as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Whether a value selects something; `mine: false` does not. */
export function isChosen(value: unknown): boolean {
  return value !== false && isGiven(value);
}

/**
 * The value in an object at a path like `snippet.title`, or a list of names, which may contain dots; undefined when the
 * path ends earlier.
 */
export function valueAtPath(value: unknown, place: string | readonly string[]): unknown {
  let here = value;
  for (const name of typeof place === "string" ? place.split(".") : place) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name]; // hasOwn has just said so
  }
  return here;
}
