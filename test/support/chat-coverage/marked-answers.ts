import { type MethodSpec, methods } from "../../../src/video/index.ts";
import documented from "../../video/data/methods.json" with { type: "json" };
import schemas from "../../video/data/schemas.json" with { type: "json" };

/** A field of a schema: its type, another schema, a list, a map, or an object. */
type Schema = string | readonly Schema[] | { readonly [name: string]: Schema };

/** The place of a field in a method's answer: `Video status.license`. */
export type FieldPlace = string;

/** One field of a marked answer. */
export interface MarkedField {
  readonly place: FieldPlace;
  /** The texts by which it can be recognised; one of them is enough. */
  readonly shown: readonly string[];
  readonly isDeprecated: boolean;
}

const all = schemas as Readonly<Record<string, Schema>>;

/** Each method that answers with a resource, and the schema of that answer. */
const answers = Object.entries(methods).flatMap(
  ([method, { path, effect }]: [string, MethodSpec]) => {
    const { response } = documented[method as keyof typeof documented] as { response?: string };
    return response === undefined
      ? []
      : [{ name: method, path, response, isRead: effect === "read" }];
  },
);

const numeric = /^(?:integer|number|string:u?int64)/u;

/** A number for each field, different from all others. */
const numbers = new Map<FieldPlace, number>();

/** Every field of every answer, by its place. */
export const markedFields: ReadonlyMap<FieldPlace, MarkedField> = new Map(
  [...new Set(answers.map(({ response }) => response))].flatMap((response) =>
    leavesOf(`@${response}`, []).map(({ path, type }) => {
      const place = placeOf(response, path);
      const isDeprecated = type.includes("!deprecated");
      return [place, { place, shown: shownFor(place, type), isDeprecated }] as const;
    }),
  ),
);

/**
 * YouTube's answer to a GET of this address, with a unique value in every field of the requested parts. Undefined for
 * other addresses.
 */
export function markedAnswer({ pathname, searchParams }: URL): string | undefined {
  const found = answers.find(({ path, isRead }) => isRead && pathname === `/youtube/v3${path}`);
  if (found === undefined) return undefined;
  const parts = searchParams.get("part")?.split(",");
  const id = searchParams.get("id")?.split(",")[0];
  const answer = marked(`@${found.response}`, found.response, []) as Answer;
  return JSON.stringify({
    ...answer,
    items: answer.items?.map((item) => ({
      ...withParts(item, parts),
      ...(id !== undefined && typeof item.id === "string" && { id }),
    })),
  });
}

interface Answer {
  readonly items?: readonly { readonly id?: unknown }[];
}

function withParts(item: object, parts: readonly string[] | undefined): object {
  if (parts === undefined) return item;
  const shown = ["kind", "etag", "id", ...parts];
  return Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name)));
}

/** An entry's fields are named by the entry's own schema, fields around the entries by the answer's. */
function placeOf(response: string, path: readonly string[]): FieldPlace {
  if (path[0] !== "items") return `${response} ${path.join(".")}`;
  return `${response.replace("ListResponse", "")} ${path.slice(1).join(".")}`;
}

/** The fields that an answer contains, whatever their values. */
export function placesIn(response: string, answer: unknown): readonly FieldPlace[] {
  return leavesOf(`@${response}`, [])
    .filter(({ path }) => isHeld(answer, path))
    .map(({ path }) => placeOf(response, path));
}

function isHeld(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return isHeld(value[0], path);
  const [step, ...rest] = path;
  if (step === undefined) return value !== undefined;
  if (typeof value !== "object" || value === null) return false;
  return isHeld((value as Readonly<Record<string, unknown>>)[step === "*" ? "fr" : step], rest);
}

/** The name of the schema of a method's answer. */
export function responseOf(method: string): string | undefined {
  return answers.find(({ name }) => name === method)?.response;
}

interface Leaf {
  readonly path: readonly string[];
  readonly type: string;
}

/** A deprecated object counts as a single field. */
function leavesOf(schema: Schema, path: readonly string[]): readonly Leaf[] {
  if (isList(schema)) return leavesOf(schema[0] ?? "string", path);
  if (typeof schema !== "string") {
    return Object.entries(schema).flatMap(([name, one]) => leavesOf(one, [...path, name]));
  }
  const named = schemaNamed(schema);
  return named === undefined ? [{ path, type: schema }] : leavesOf(named, path);
}

function marked(schema: Schema, response: string, path: readonly string[]): unknown {
  if (isList(schema)) return [marked(schema[0] ?? "string", response, path)];
  if (typeof schema !== "string") {
    const entries = Object.entries(schema).map(([name, one]) => {
      return [name === "*" ? "fr" : name, marked(one, response, [...path, name])] as const;
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  const named = schemaNamed(schema);
  if (named !== undefined) return marked(named, response, path);
  return schema.startsWith("@") ? undefined : valueFor(placeOf(response, path), schema);
}

/** Undefined for a plain type, and for a deprecated object. */
function schemaNamed(schema: string): Schema | undefined {
  const [, name] = /^@(\w+)$/u.exec(schema) ?? [];
  return name === undefined ? undefined : all[name];
}

function isList(schema: Schema): schema is readonly Schema[] {
  return Array.isArray(schema);
}

function numberOf(place: FieldPlace): number {
  const number = numbers.get(place) ?? 211 + numbers.size;
  numbers.set(place, number);
  return number;
}

/** Not a word that we use ourselves, and without characters that need escaping. */
function wordFor(place: FieldPlace): string {
  const [resource = ""] = place.split(" ");
  return `Qz${resource}${numberOf(place)}x`;
}

function dateFor(place: FieldPlace): Date {
  return new Date(Date.UTC(2020, 0, 1) + numberOf(place) * 86_400_000);
}

/** Values that YouTube adds to a list of choices later are shown as they are, so any word will do for a choice. */
function valueFor(place: FieldPlace, type: string): unknown {
  if (type.startsWith("=")) return type.slice(1);
  if (type.startsWith("boolean")) return true;
  if (numeric.test(type)) {
    return type.startsWith("string") ? `${numberOf(place)}` : numberOf(place);
  }
  if (isDate(place, type)) return dateFor(place).toISOString();
  if (place.endsWith(".duration")) return `PT${minutes(place)}M${seconds(place)}S`;
  return /url$/iu.test(place) ? `https://example.com/${wordFor(place)}` : wordFor(place);
}

/** The value as YouTube writes it, and as the chat shows it. */
function shownFor(place: FieldPlace, type: string): readonly string[] {
  if (type.startsWith("=")) return [type.slice(1)];
  if (type.startsWith("boolean")) return [];
  // People count places from 1.
  const first = place.endsWith(".position") ? 1 : 0;
  if (numeric.test(type)) return [`${numberOf(place) + first}`];
  if (isDate(place, type)) {
    return [dateFor(place).toISOString(), `<t:${dateFor(place).getTime() / 1000}:`];
  }
  if (!place.endsWith(".duration")) return [wordFor(place)];
  return [`${minutes(place)}:${`${seconds(place)}`.padStart(2, "0")}`];
}

/** For `memberSince`, the documentation says text, but YouTube returns a date. */
function isDate(place: FieldPlace, type: string): boolean {
  return type.startsWith("string:date-time") || place.endsWith(".memberSince");
}

function minutes(place: FieldPlace): number {
  return Math.floor(numberOf(place) / 60);
}

function seconds(place: FieldPlace): number {
  return numberOf(place) % 60;
}
