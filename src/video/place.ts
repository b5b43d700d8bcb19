/**
 * What stands in an object at a place like `snippet.title`, or at the end of a path whose names may hold dots;
 * undefined when the way there ends before.
 */
export function at(value: unknown, place: string | readonly string[]): unknown {
  let here = value;
  for (const name of typeof place === "string" ? place.split(".") : place) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name]; // hasOwn has just said so
  }
  return here;
}
