/** Fields of records that are moments; beside them all whose names end so. */
const moments: ReadonlySet<string> = new Set(["at", "since", "until"]);

/** Times as people and other programs write them, however deep they stand. */
export function dated(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(dated);
  if (typeof one !== "object" || one === null) return one;
  const fields = Object.entries(one).map(([name, value]) => {
    const isTime = typeof value === "number" && (name.endsWith("At") || moments.has(name));
    return [name, isTime ? new Date(value).toISOString() : dated(value)];
  });
  return Object.fromEntries(fields);
}
