import { isDeepStrictEqual } from "node:util";
import type { Captured } from "./capture.ts";

/** The differences between two requests for the same call, like `query.part: one list` or `content-type`. */
export function differencesOf(ours: readonly Captured[], theirs: readonly Captured[]): string[] {
  const [own, ...further] = ours;
  const [their, ...theirFurther] = theirs;
  if (own === undefined || their === undefined) return ["nothing was sent"];
  return [
    ...(further.length === theirFurther.length ? [] : [`requests: ${ours.length}`]),
    ...(own.verb === their.verb ? [] : ["verb"]),
    ...(own.path === their.path ? [] : ["path"]),
    ...(own.authorization === their.authorization ? [] : ["authorization"]),
    ...queryDifferences(own.query, their.query),
    ...(own.type === their.type ? [] : [`content-type: ${own.type}`]),
    ...bodyDifferences(own, their),
  ];
}

function queryDifferences(own: Captured["query"], their: Captured["query"]): string[] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(their)])].sort();
  return names.flatMap((name) => {
    const [a, b] = [own[name], their[name]];
    if (a === undefined || b === undefined) return [`query.${name}: ${a ? "ours" : "theirs"} only`];
    if (isDeepStrictEqual(a, b)) return [];
    const isList = isDeepStrictEqual(new Set(a.join(",").split(",")), new Set(b));
    return [isList ? `query.${name}: one list` : `query.${name}: ${a}`];
  });
}

function bodyDifferences(own: Captured, their: Captured): string[] {
  if (own.parts.length !== their.parts.length) return [`parts: ${own.parts.length}`];
  if (own.parts.length === 0) return isSame(own, their) ? [] : ["body"];
  return own.parts.flatMap((part, at) => {
    const other = their.parts[at] ?? { type: undefined, body: Buffer.alloc(0) };
    return [
      ...(part.type === other.type ? [] : [`part ${at + 1} content-type: ${part.type}`]),
      ...(isSame(part, other) ? [] : [`part ${at + 1} body`]),
    ];
  });
}

type Content = Pick<Captured, "type" | "body">;

/** Compares JSON by its meaning, and everything else byte by byte. */
function isSame(own: Content, their: Content): boolean {
  if (own.body.equals(their.body)) return true;
  if (!own.type?.includes("json") || !their.type?.includes("json")) return false;
  return isDeepStrictEqual(JSON.parse(own.body.toString()), JSON.parse(their.body.toString()));
}
