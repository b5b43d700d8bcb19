/** The items that are there: a condition that does not hold leaves `false` in a list, what nobody gave `undefined`. */
export function compact<T>(items: readonly (T | false | undefined)[]): T[] {
  return items.filter((item) => item !== false && item !== undefined) as T[];
}
