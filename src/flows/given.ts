type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given; undefined when none was. */
export function given<T extends object>(fields: T): Present<T> | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries) as Present<T>;
}
