import type { Extra } from "../../declare/extra.ts";
import type { Field } from "../reply.ts";
import { cut, md, type Text } from "../text.ts";

/** What a card or a list says of a part that somebody asked for; the whole is in the files. */
const mostChars = { field: 900, line: 240 } as const;

/**
 * Parts that `extra` asks for beside those that are drawn anyway. What they say is shown as the service calls it: who
 * asks for them by name knows these names, and no words of ours stand between.
 */
export function askedParts({ query }: Extra, drawn: readonly string[]): readonly string[] {
  const asked = Array.isArray(query.part) ? query.part.map(String) : [];
  return asked.filter((part) => part !== "id" && !drawn.includes(part));
}

/** A field for each, where there is room for one. */
export function partFields(resource: object, parts: readonly string[]): readonly Field[] {
  return parts.map((part) => ({
    name: part,
    value: cut(factsIn(partOf(resource, part)), mostChars.field),
  }));
}

/** A line for each, among others. */
export function partLines(resource: object, parts: readonly string[]): readonly Text[] {
  const most = Math.floor(mostChars.line / Math.max(1, parts.length));
  return parts.map((part) => md`-# ${part}: ${cut(factsIn(partOf(resource, part)), most)}`);
}

/** As one cell of a table. */
export function partColumns(parts: readonly string[]) {
  return Object.fromEntries(
    parts.map((part) => [part, (resource: object) => factsIn(partOf(resource, part))]),
  );
}

function partOf(resource: object, part: string): unknown {
  return (resource as Readonly<Record<string, unknown>>)[part];
}

/** Every value with its place: `privacyStatus: public · tags: a, b`. */
function factsIn(value: unknown): string {
  const facts = factsAt(value, []);
  return facts.length === 0 ? "—" : facts.join(" · ");
}

function factsAt(value: unknown, path: readonly string[]): readonly string[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return [`${path.join(".")}: ${String(value)}`];
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return value.length === 0 ? [] : [`${path.join(".")}: ${value.join(", ")}`];
  }
  return Object.entries(value).flatMap(([name, one]) => factsAt(one, [...path, name]));
}
