import { type CardField, cut, md, type Text } from "../../discord/index.ts";
import type { Extra } from "./extra.ts";

/** How much of a requested part a card or a list shows; files have all of it. */
const mostChars = { field: 900, line: 240 } as const;

/**
 * Parts that `extra` asks for in addition to those that are shown anyway. Their fields are shown under YouTube's own
 * names, which people who ask for a part know.
 */
export function requestedParts({ query }: Extra, drawn: readonly string[]): readonly string[] {
  const parts = Array.isArray(query.part) ? query.part.map(String) : [];
  return parts.filter((part) => part !== "id" && !drawn.includes(part));
}

/** A field for each part. */
export function partFields(resource: object, parts: readonly string[]): readonly CardField[] {
  return parts.map((part) => ({
    name: part,
    value: cut(factsIn(partIn(resource, part)), mostChars.field),
  }));
}

/** A line for each part, in a list. */
export function partLines(resource: object, parts: readonly string[]): readonly Text[] {
  const most = Math.floor(mostChars.line / Math.max(1, parts.length));
  return parts.map((part) => md`-# ${part}: ${cut(factsIn(partIn(resource, part)), most)}`);
}

/** A table's column for each part. */
export function partColumns(parts: readonly string[]) {
  return Object.fromEntries(
    parts.map((part) => [part, (resource: object) => factsIn(partIn(resource, part))]),
  );
}

function partIn(resource: object, part: string): unknown {
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
