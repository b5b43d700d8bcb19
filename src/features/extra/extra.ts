import { listedTexts, type SuggestedChoice, typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  type FieldSpec,
  type Method,
  type MethodSpec,
  methods,
  type ParamSpec,
} from "../../video/index.ts";
import { settablePlaces } from "./method-fields.ts";

/** Parameters and body fields beyond a command's own options; JSON-shaped, so that a question's button can store them. */
export interface Extra {
  readonly query: Readonly<Record<string, unknown>>;
  /** Nested as the fields' places say. */
  readonly body: Readonly<Record<string, unknown>>;
}

export const noExtra: Extra = { query: {}, body: {} };

type AnySpec = ParamSpec | FieldSpec;

/**
 * Reads `name=value; name=value`. A list takes commas, `\;` stands for a semicolon.
 * @throws InputError `extra_unknown`, `extra_unreadable`, `extra_for_content_owners`
 */
export function readExtra(method: Method, covered: ReadonlySet<string>, text: string): Extra {
  const places = freePlaces(method, covered);
  const methodSpec: MethodSpec = methods[method];
  let extra = noExtra;
  for (const piece of text.split(/(?<!\\);/u)) {
    if (piece.trim() === "") continue;
    const [name = "", ...rest] = piece.split("=");
    const place = name.trim();
    const spec = specAt(places, place);
    if (methodSpec.query[place]?.forContentOwners) {
      throw new InputError(`extra ${place} is for content owners`, {
        code: "extra_for_content_owners",
        facts: { name: place },
      });
    }
    if (spec === undefined || rest.length === 0) {
      throw new InputError(`extra ${place} is unknown`, {
        code: "extra_unknown",
        facts: { name: place, known: [...places.keys()].join(", ") },
      });
    }
    const typed = rest.join("=").trim().replaceAll("\\;", ";");
    const isList = ("repeated" in spec && spec.repeated) || spec.type === "strings";
    const value = isList
      ? listedTexts(typed).map((each) => readOne(place, spec, each))
      : readOne(place, spec, typed);
    extra = withPlace(extra, { method, place, value });
  }
  return extra;
}

interface PlaceValue {
  readonly method: Method;
  /** The name of a parameter, or the place of a body field. */
  readonly place: string;
  readonly value: unknown;
}

export function withPlace(extra: Extra, { method, place, value }: PlaceValue): Extra {
  return place in methods[method].query
    ? { ...extra, query: { ...extra.query, [place]: value } }
    : { ...extra, body: put(extra.body, place.split("."), value) };
}

/** The parameters together with the extra ones: parts are added, everything else is set. */
export function withExtra<P extends object>(params: P, extra: Extra): P {
  const otherParams = params as Readonly<Record<string, unknown>>;
  const body =
    Object.keys(extra.body).length === 0 ? {} : { body: merged(otherParams.body, extra.body) };
  // The body's own id is not a part.
  const written = Object.keys(extra.body).filter((name) => name !== "id");
  const part = [...asList(otherParams.part), ...asList(extra.query.part), ...written];
  const parts =
    part.length === 0 || otherParams.part === undefined ? {} : { part: [...new Set(part)] };
  // The types can't be followed here, but the client checks the whole request before it is sent.
  return { ...otherParams, ...extra.query, ...body, ...parts } as P;
}

/** Suggests names after what was typed, and the values of a name that is typed. */
export function suggestExtra(
  method: Method,
  covered: ReadonlySet<string>,
  typed: string,
): readonly SuggestedChoice[] {
  const before = typed.slice(0, typed.lastIndexOf(";") + 1);
  const last = typed.slice(before.length).trim();
  const head = before === "" ? "" : `${before} `;
  const [name = "", value] = last.split("=");
  const places = freePlaces(method, covered);
  const spec = places.get(name);
  const values = spec?.enum ?? (spec?.type === "boolean" ? ["true", "false"] : []);
  const texts =
    value !== undefined && spec !== undefined
      ? values.filter((each) => each.startsWith(value)).map((each) => `${name}=${each}`)
      : [...places.keys()]
          .filter((place) => place.toLowerCase().includes(last.toLowerCase()))
          .map((place) => `${place}=`);
  return texts.map((text) => ({ name: `${head}${text}`, value: `${head}${text}` }));
}

export function freePlaces(
  method: Method,
  covered: ReadonlySet<string>,
): ReadonlyMap<string, AnySpec> {
  return new Map([...settablePlaces(method)].filter(([place]) => !covered.has(place)));
}

/** `localizations.de.title` is found by `localizations.*.title`. */
function specAt(places: ReadonlyMap<string, AnySpec>, place: string): AnySpec | undefined {
  const exact = places.get(place);
  if (exact !== undefined) return place.includes("*") ? undefined : exact;
  const [first = "", language = "", ...rest] = place.split(".");
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,2}$/iu.test(language)) return undefined;
  return places.get([first, "*", ...rest].join("."));
}

function readOne(place: string, spec: AnySpec, text: string): unknown {
  if (spec.enum !== undefined && !spec.enum.includes(text)) {
    throwUnreadable(place, spec.enum.join(", "), text);
  }
  switch (spec.type) {
    case "integer":
      return readNumber(place, spec, text);
    case "boolean":
      return text === "true" || text === "false"
        ? text === "true"
        : throwUnreadable(place, "true, false", text);
    case "datetime":
      return Number.isNaN(Date.parse(text))
        ? throwUnreadable(place, "2026-01-31T12:00:00Z", text)
        : new Date(text).toISOString();
    case "object":
    case "resourceId":
      return readJson(place, text);
    default:
      return text;
  }
}

function readNumber(place: string, { min, max }: AnySpec, text: string): number {
  // YouTube accepts a page size of 0, but an empty list helps nobody.
  const least = place === "maxResults" ? 1 : min;
  const value = Number(text);
  const isIn = value >= (least ?? value) && value <= (max ?? value);
  if (/^-?\d{1,15}$/u.test(text) && isIn) return value;
  const bounds = [least, max].filter((bound) => bound !== undefined).join(" – ");
  return throwUnreadable(place, bounds === "" ? "1, 2, 3 …" : bounds, text);
}

function readJson(place: string, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The failure below says what is expected.
  }
  return throwUnreadable(place, "{ … } (JSON)", text);
}

function throwUnreadable(name: string, wanted: string, text: string): never {
  throw new InputError(`extra ${name} can't be read`, {
    code: "extra_unreadable",
    facts: { name, wanted, given: typedText(text) },
  });
}

/** Refuses parameters about pages where there are no pages. @throws InputError `extra_no_effect` */
export function refusePaging({ query }: Extra, where: "file" | "ids"): void {
  const name = ["maxResults", "pageToken"].find((one) => one in query);
  if (name === undefined) return;
  throw new InputError(`extra ${name} has no effect on ${where}`, {
    code: "extra_no_effect",
    facts: { name, where },
  });
}

/** @throws InputError `extra_unreadable` for more than a page shows */
export function requirePageSize({ query }: Extra, most: number): void {
  if (Number(query.maxResults ?? 0) > most) {
    throwUnreadable("maxResults", `1 – ${most}`, `${query.maxResults}`);
  }
}

type Tree = Readonly<Record<string, unknown>>;

function put(tree: Tree, [first = "", ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [first]: value };
  const below = tree[first];
  return { ...tree, [first]: put(isTree(below) ? below : {}, rest, value) };
}

function merged(into: unknown, from: unknown): unknown {
  if (!isTree(into) || !isTree(from)) return from;
  const names = [...new Set([...Object.keys(into), ...Object.keys(from)])];
  return Object.fromEntries(
    names.map((name) => [name, name in from ? merged(into[name], from[name]) : into[name]]),
  );
}

function isTree(value: unknown): value is Tree {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
