/** Snowflakes grow with time; as decimal numbers without leading zeros they compare by length first. */
export function compareAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether an id was given out after another; after none it always was. */
export function isNewer(id: string, other: string | undefined): boolean {
  return other === undefined || compareAge(id, other) > 0;
}
