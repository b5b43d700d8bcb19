import { describe, expect, it } from "vitest";
import { type MethodSpec, methods, type ParamSpec } from "../../src/video/index.ts";
import documented from "./data/methods.json" with { type: "json" };
import { deliberate } from "./deliberate.ts";

/** What is documented about a method, gathered from its reference page and its machine-readable description. */
interface Documented {
  readonly verb: string;
  readonly path: string;
  readonly auth: string;
  readonly scopes: readonly string[];
  readonly cost: number;
  readonly quotaBucket?: string;
  readonly filters?: Partial<Readonly<Record<"exactlyOne" | "atMostOne", readonly string[]>>>;
  readonly parts?: readonly string[];
  readonly params: Readonly<Record<string, DocumentedParam>>;
  readonly requestBody?: string;
  readonly body?: {
    readonly required: readonly string[];
    readonly requiredIfPartSnippet?: readonly string[];
    readonly settable: readonly string[];
  };
  readonly response?: string;
  readonly responseMedia?: string;
  readonly upload?: { readonly maxBytes: number; readonly accept: readonly string[] };
}

interface DocumentedParam extends Omit<ParamSpec, "type" | "about"> {
  /** Like `integer(uint32)`. */
  readonly type: string;
  readonly commaList?: true;
}

const rows: Readonly<Record<string, MethodSpec>> = methods;
const facts = documented as Readonly<Record<string, Documented>>;

/** Values by place, so that two sets of them can be compared. */
type Flat = Readonly<Record<string, unknown>>;

function flattenRow(row: MethodSpec): Flat {
  const { body, media, result } = row;
  const fields = Object.entries(body?.fields ?? {});
  const up = media?.direction === "up" ? media : undefined;
  return {
    verb: row.verb,
    path: row.path,
    auth: row.auth,
    ...each("scopes", row.scopes),
    cost: row.cost,
    bucket: row.bucket,
    ...each("filters.exactlyOne", row.filters?.exactlyOne),
    ...each("filters.atMostOne", row.filters?.atMostOne),
    ...flattenParams(row.query),
    ...each("part.enum", row.query.part?.enum),
    "body.resource": body?.resource,
    ...each(
      "body.fields",
      fields.map(([place]) => place),
    ),
    ...each(
      "body.required",
      fields.flatMap(([at, one]) => (one.required === true ? at : [])),
    ),
    ...each(
      "body.withPart",
      fields.flatMap(([at, one]) => (one.required === "with-part" ? at : [])),
    ),
    result: result && (result.kind === "list" ? `${result.resource}ListResponse` : result.resource),
    "media.down": media?.direction === "down",
    "media.maxBytes": up?.maxBytes,
    ...each("media.accept", up?.accept),
  };
}

const buckets: Readonly<Record<string, string>> = { search: "searches", videoUploads: "uploads" };

function flattenFacts(fact: Documented): Flat {
  const { body, upload } = fact;
  const whenPart = body?.requiredIfPartSnippet ?? [];
  const fields = [...(body?.required ?? []), ...whenPart, ...(body?.settable ?? [])];
  return {
    verb: fact.verb,
    path: fact.path,
    auth: fact.auth,
    ...each("scopes", fact.scopes),
    cost: fact.cost,
    bucket: buckets[fact.quotaBucket ?? ""] ?? "units",
    ...each("filters.exactlyOne", fact.filters?.exactlyOne),
    ...each("filters.atMostOne", fact.filters?.atMostOne),
    ...flattenParams(fact.params),
    ...each("part.enum", fact.parts),
    "body.resource": fact.requestBody,
    ...each("body.fields", fields.map(placeOf)),
    ...each("body.required", body?.required.map(placeOf)),
    ...each("body.withPart", whenPart.map(placeOf)),
    result: fact.response,
    "media.down": fact.responseMedia !== undefined,
    "media.maxBytes": upload?.maxBytes,
    ...each("media.accept", upload?.accept),
  };
}

function flattenParams(params: Readonly<Record<string, ParamSpec | DocumentedParam>>): Flat {
  const flat: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const at = `query.${name}`;
    flat[at] = "present";
    flat[`${at}.type`] = param.type.includes("datetime")
      ? "datetime"
      : param.type.replace(/\(.*/, "");
    if (name !== "part") Object.assign(flat, each(`${at}.enum`, param.enum));
    for (const fact of ["required", "repeated", "default", "min", "max", "maxItems"] as const) {
      flat[`${at}.${fact}`] = param[fact];
    }
    flat[`${at}.deprecated`] = param.deprecated;
  }
  return flat;
}

/** Writes documented places such as `snippet.tags[]` and `localizations.(key).title` as the method table does. */
function placeOf(documentedPlace: string): string {
  return documentedPlace.replace("[]", "").replace("(key)", "*");
}

/** One entry for each value, so that a difference names the value. */
function each(place: string, values: readonly string[] = []): Flat {
  return Object.fromEntries(values.map((value) => [`${place} ${value}`, true]));
}

function differences(method: string): string[] {
  const [ours, theirs] = [rows[method], facts[method]];
  if (ours === undefined || theirs === undefined) return [`${method} is in one of them only`];
  const [row, fact] = [flattenRow(ours), flattenFacts(theirs)];
  const places = new Set([...Object.keys(row), ...Object.keys(fact)]);
  return [...places].flatMap((at) => (row[at] === fact[at] ? [] : `${method} ${at}`));
}

describe("the table", () => {
  it("has the 48 methods that are documented", () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(facts).sort());
    expect(Object.keys(rows)).toHaveLength(48);
  });

  it.each(Object.keys(facts))("%s is as documented, but for what is deliberate", (method) => {
    const expected = Object.keys(deliberate).filter((one) => one.startsWith(`${method} `));

    expect(differences(method).sort()).toEqual(expected.sort());
  });

  it("gives a reason for every deliberate difference", () => {
    for (const [difference, reason] of Object.entries(deliberate)) {
      expect(Object.keys(facts)).toContain(difference.split(" ")[0]);
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it.each([
    ["videos.insert", "snippet.title", { maxChars: 100, forbids: "<>" }],
    ["videos.insert", "snippet.description", { maxBytes: 5_000, forbids: "<>" }],
    ["videos.update", "snippet.title", { maxChars: 100, forbids: "<>" }],
    ["videos.update", "snippet.description", { maxBytes: 5_000, forbids: "<>" }],
    ["captions.insert", "snippet.name", { maxChars: 150 }],
    ["playlistItems.insert", "contentDetails.note", { maxChars: 280 }],
    ["playlistItems.update", "contentDetails.note", { maxChars: 280 }],
  ] as const)("%s holds %s to its documented limits", (method, place, limits) => {
    expect(rows[method]?.body?.fields[place]).toMatchObject(limits);
  });
});
