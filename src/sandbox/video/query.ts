import type { MethodSpec, ParamSpec } from "../../video/index.ts";
import { ApiError, badParameter } from "./api-error.ts";

/** Parameters that every method takes: docs/services/youtube.md#addresses */
const common = new Set([
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "upload_protocol",
  "uploadType",
  "$.xgafv",
]);

/** Reasons that `members.list` and `videos.rate` have for one parameter alone. */
const ownReasons: Readonly<Record<string, string>> = {
  mode: "invalidMode",
  rating: "invalidRating",
  filterByMemberChannelId: "invalidFilterByMemberChannelId",
};

/**
 * The query of a request, checked against the method's spec. Every reader gives undefined, or nothing, for an absent
 * one.
 */
export interface ApiQuery {
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  integer(name: string): number | undefined;
  flag(name: string): boolean;
  /** Milliseconds since 1970. */
  time(name: string): number | undefined;
  /** Which list is meant and how it is ordered, as one text: the same on each of its pages. */
  readonly chosenBy: string;
}

/** Parameters about how a list is shown, not about what is in it. */
const ofPages = new Set(["part", "maxResults", "pageToken", "hl", "textFormat"]);

type ParamValues = ReadonlyMap<string, readonly string[]>;

export function readQuery(methodSpec: MethodSpec, search: URLSearchParams): ApiQuery {
  const known = methodSpec.query;
  const values = new Map<string, readonly string[]>();
  for (const name of new Set(search.keys())) {
    const spec = known[name];
    if (spec !== undefined) {
      const all = search.getAll(name);
      const listed = all.flatMap((value) => value.split(",")).map((value) => value.trim());
      const given = spec.repeated ? [...new Set(listed)] : all.slice(-1);
      const texts = given.filter((value) => value !== "");
      for (const value of texts) checkValue({ name, spec, value, methodSpec });
      if (texts.length > (spec.maxItems ?? Infinity)) {
        throw badParameter(name, `Too many values: at most ${spec.maxItems}.`, ownReasons[name]);
      }
      if (texts.length > 0) values.set(name, texts);
    } else if (!common.has(name)) {
      throw badParameter(name, `Unexpected parameter: ${name}`, "unexpectedParameter");
    }
  }
  for (const [name, spec] of Object.entries(known)) {
    if (spec.required !== true || values.has(name)) continue;
    throw badParameter(name, `Required parameter: ${name}`, "missingRequiredParameter");
  }
  checkFilters(methodSpec, values);

  const query: ApiQuery = {
    has: (name) => values.has(name),
    text: (name) => (values.get(name)?.[0] ?? known[name]?.default)?.toString(),
    list: (name) => values.get(name) ?? [],
    integer: (name) => {
      const value = query.text(name);
      return value === undefined
        ? undefined
        : Math.min(Number(value), known[name]?.max ?? Infinity);
    },
    flag: (name) => query.text(name) === "true",
    time: (name) => (values.has(name) ? Date.parse(String(values.get(name)?.[0])) : undefined),
    chosenBy: JSON.stringify([
      methodSpec.path,
      ...[...values].filter(([name]) => !ofPages.has(name)).sort(),
    ]),
  };
  return query;
}

interface ParamCheck {
  readonly name: string;
  readonly spec: ParamSpec;
  readonly value: string;
  readonly methodSpec: MethodSpec;
}

function checkValue({ name, spec, value, methodSpec }: ParamCheck): void {
  if (spec.enum !== undefined && !spec.enum.includes(value)) {
    if (name !== "part") throw badParameter(name, `Invalid value '${value}'.`, ownReasons[name]);
    const domain = "youtube.part";
    const place = { parameter: "part" };
    throw new ApiError(400, { reason: "unknownPart", message: `'${value}'`, domain, place });
  }
  if (!hasType(value, spec.type)) throw badParameter(name, `Invalid value '${value}'.`);
  if (spec.type !== "integer") return;
  // Search clips a page size that is too large; the others refuse it.
  const max = methodSpec.bucket === "searches" ? Infinity : (spec.max ?? Infinity);
  if (Number(value) >= (spec.min ?? -Infinity) && Number(value) <= max) return;
  const range = `Values must be within the range: [${spec.min}, ${spec.max}]`;
  throw badParameter(name, `Invalid value '${value}'. ${range}`);
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function hasType(value: string, type: ParamSpec["type"]): boolean {
  switch (type) {
    case "string":
      return true;
    case "integer":
      return /^-?\d{1,9}$/.test(value);
    case "boolean":
      return value === "true" || value === "false";
    case "datetime":
      return timestamp.test(value) && !Number.isNaN(Date.parse(value));
  }
}

/** Refuses filters that can't be given with one another, and a list without the filter that it needs. */
function checkFilters(methodSpec: MethodSpec, values: ParamValues): void {
  const { path, query: known } = methodSpec;
  const { exactlyOne = [], atMostOne = [] } = methodSpec.filters ?? {};
  const set = new Set([...values.keys()].filter((name) => values.get(name)?.[0] !== "false"));
  for (const names of [exactlyOne, atMostOne]) {
    const clashing = names.filter((name) => set.has(name));
    if (clashing.length < 2) continue;
    // channels.list has a reason of its own for it.
    throw incompatible(clashing, path === "/channels" ? "invalidCriteria" : undefined);
  }
  if (exactlyOne.length > 0 && !exactlyOne.some((name) => set.has(name))) {
    const message = `No filter selected. Expected one of: ${exactlyOne.join(", ")}`;
    throw badParameters("missingRequiredParameter", message);
  }
  for (const name of values.keys()) {
    // Documented as refused beside ids; but public clients send it with ids of videos, and get all of them.
    if (path === "/videos" && name === "maxResults") continue;
    const clash = known[name]?.notWith?.find((other) => values.has(other));
    if (clash !== undefined) throw incompatible([clash, name]);
  }
}

function incompatible(names: readonly string[], reason = "incompatibleParameters"): ApiError {
  const message = `Incompatible parameters specified in the request: ${names.join(", ")}`;
  return badParameters(reason, message);
}

/** A 400 about several parameters. */
function badParameters(reason: string, message: string): ApiError {
  const place = { other: "parameters." };
  return new ApiError(400, { reason, message, domain: "youtube.parameter", place });
}
