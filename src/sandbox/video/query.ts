import type { MethodSpec, ParamSpec } from "../../video/index.ts";
import { ApiRefusal, badParameter } from "./refusal.ts";

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
  /** What a list is chosen and ordered by, as one text: the same on each of its pages. */
  readonly chosenBy: string;
}

/** Parameters about how a list is shown, not about what is in it. */
const ofPages = new Set(["part", "maxResults", "pageToken", "hl"]);

export function readQuery(methodSpec: MethodSpec, search: URLSearchParams): ApiQuery {
  const known = methodSpec.query;
  const values = new Map<string, readonly string[]>();
  for (const name of new Set(search.keys())) {
    const spec = known[name];
    if (spec === undefined && !common.has(name)) throw unexpected(name);
    if (spec === undefined) continue;
    const texts = readValues(spec, search.getAll(name));
    for (const value of texts) checkValue({ name, spec, value, methodSpec });
    if (texts.length > (spec.maxItems ?? Number.POSITIVE_INFINITY)) {
      throw badParameter(name, `Too many values: at most ${spec.maxItems}.`, ownReasons[name]);
    }
    if (texts.length > 0) values.set(name, texts);
  }
  checkRequired(known, values);
  checkFilters(methodSpec, values);
  checkTogether(methodSpec, values);

  const text = (name: string): string | undefined => {
    const fallback = known[name]?.default;
    return values.get(name)?.[0] ?? (fallback === undefined ? undefined : String(fallback));
  };
  return {
    has: (name) => values.has(name),
    text,
    list: (name) => values.get(name) ?? [],
    integer: (name) => {
      const value = text(name);
      const { max = Number.POSITIVE_INFINITY } = known[name] ?? {};
      return value === undefined ? undefined : Math.min(Number(value), max);
    },
    flag: (name) => text(name) === "true",
    time: (name) => {
      const value = values.get(name)?.[0];
      return value === undefined ? undefined : Date.parse(value);
    },
    chosenBy: JSON.stringify([...values].filter(([name]) => !ofPages.has(name)).sort()),
  };
}

function readValues(spec: ParamSpec, texts: readonly string[]): readonly string[] {
  if (spec.repeated !== true) return texts.slice(-1).filter((value) => value !== "");
  const all = texts.flatMap((value) => value.split(",")).map((value) => value.trim());
  return [...new Set(all.filter((value) => value !== ""))];
}

interface ParamCheck {
  readonly name: string;
  readonly spec: ParamSpec;
  readonly value: string;
  readonly methodSpec: MethodSpec;
}

function checkValue({ name, spec, value, methodSpec }: ParamCheck): void {
  if (spec.enum !== undefined && !spec.enum.includes(value)) {
    if (name === "part") throw unknownPart(value);
    throw badParameter(name, `Invalid value '${value}'.`, ownReasons[name]);
  }
  if (!shapes[spec.type](value)) throw badParameter(name, `Invalid value '${value}'.`);
  if (spec.type !== "integer") return;
  // Search clips a page size that is too large; the others refuse it.
  const max = methodSpec.bucket === "searches" ? Number.POSITIVE_INFINITY : (spec.max ?? Infinity);
  const min = spec.min ?? Number.NEGATIVE_INFINITY;
  if (Number(value) >= min && Number(value) <= max) return;
  throw badParameter(
    name,
    `Invalid value '${value}'. Values must be within the range: [${spec.min}, ${spec.max}]`,
  );
}

const shapes = {
  string: () => true,
  integer: (value) => /^-?\d{1,9}$/.test(value),
  boolean: (value) => value === "true" || value === "false",
  datetime: (value) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
} as const satisfies Record<ParamSpec["type"], (value: string) => boolean>;

function checkRequired(
  known: MethodSpec["query"],
  values: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [name, spec] of Object.entries(known)) {
    if (spec.required !== true || values.has(name)) continue;
    throw badParameter(name, `Required parameter: ${name}`, "missingRequiredParameter");
  }
}

function checkFilters(
  methodSpec: MethodSpec,
  values: ReadonlyMap<string, readonly string[]>,
): void {
  const { exactlyOne = [], atMostOne = [] } = methodSpec.filters ?? {};
  const isSet = (name: string): boolean => values.has(name) && values.get(name)?.[0] !== "false";
  for (const names of [exactlyOne, atMostOne]) {
    const texts = names.filter(isSet);
    if (texts.length < 2) continue;
    // channels.list has its own word for it.
    throw incompatible(texts, methodSpec.path === "/channels" ? "invalidCriteria" : undefined);
  }
  if (exactlyOne.length === 0 || exactlyOne.some(isSet)) return;
  const message = `No filter selected. Expected one of: ${exactlyOne.join(", ")}`;
  const reason = "missingRequiredParameter";
  const place = { location: "parameters.", locationType: "other" } as const;
  throw new ApiRefusal(400, { reason, message, domain: "youtube.parameter", place });
}

/** Documented as refused beside ids; but public clients send it with ids of videos, and get all of them. */
const passedOver: ReadonlySet<string> = new Set(["maxResults"]);

/** Refuses what can't be given with one another. */
function checkTogether(
  { path, query: known }: MethodSpec,
  values: ReadonlyMap<string, readonly string[]>,
): void {
  for (const name of values.keys()) {
    if (path === "/videos" && passedOver.has(name)) continue;
    const clash = known[name]?.notWith?.find((other) => values.has(other));
    if (clash !== undefined) throw incompatible([clash, name]);
  }
}

function incompatible(
  names: readonly string[],
  reason: string = "incompatibleParameters",
): ApiRefusal {
  const message = `Incompatible parameters specified in the request: ${names.join(", ")}`;
  const place = { location: "parameters.", locationType: "other" } as const;
  return new ApiRefusal(400, { reason, message, domain: "youtube.parameter", place });
}

function unexpected(name: string): ApiRefusal {
  return badParameter(name, `Unexpected parameter: ${name}`, "unexpectedParameter");
}

function unknownPart(part: string): ApiRefusal {
  return new ApiRefusal(400, {
    reason: "unknownPart",
    message: `'${part}'`,
    domain: "youtube.part",
    place: { location: "part", locationType: "parameter" },
  });
}
