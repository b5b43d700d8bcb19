import { isDeepStrictEqual } from "node:util";
import { InputError } from "../../errors.ts";
import { checkChange, storedResource } from "../check/check-body.ts";
import { checkPlanFor } from "../check/check-plan.ts";
import { describeValue, invalidParameterError } from "../check/parameter-errors.ts";
import { isTime, requirementFor, valueAtPath } from "../check/values.ts";
import { methods } from "../methods/index.ts";
import type { CallParams, MethodSpec } from "../methods/spec.ts";
import type { ResourcePage } from "../resources/index.ts";
import type {
  Method,
  MethodParams,
  MethodResult,
  VideoCallOptions,
  VideoClient,
} from "../types.ts";
import { foreseenError, withFacts } from "./rule-errors.ts";

/** An update that clears the fields that are left out of its parts. */
type UpdateMethod = {
  [M in Method]: (typeof methods)[M] extends { readonly reads: string } ? M : never;
}[Method];

type FieldChange<T> = T extends string | number | boolean | Date | readonly unknown[]
  ? T
  : { readonly [Name in keyof T]?: FieldChange<T[Name]> | null | undefined };

/** A resource before and after its update, in the parts that were written. */
interface UpdatedResource<M extends UpdateMethod> {
  readonly before: MethodResult<M>;
  readonly after: MethodResult<M>;
}

/** The change, by the fields of the method: `undefined` keeps, `null` clears, a list replaces the whole list. */
export type ResourceChange<M extends UpdateMethod> = { readonly id: string } & FieldChange<
  Omit<NonNullable<MethodParams<M>["body"]>, "id">
>;

/** YouTube takes one part at a time here: https://developers.google.com/youtube/v3/docs/channels/update */
const onePartPerCall: ReadonlySet<string> = new Set(["channels.update"]);

/** Fields of a body that are not parts. */
const nonParts: ReadonlySet<string> = new Set(["id", "kind", "etag"]);

/**
 * Changes some fields and keeps all others, even those that this table does not know: reads the parts that the change
 * touches, merges, and writes exactly these parts. Costs the read and a write; channels take one write for each part.
 * Returns what was read too, so that callers know the values before the change. A change to what is there already is not
 * sent; then both are the same object.
 * A publishing time is dropped when the video is not private, and a channel keeps its title.
 * @throws InputError `nothing_to_change`, `invalid_parameter` for a part that this method does not write, `video_not_found`
 * and the like, all of them before anything is written; what `call` throws, with the outcome `part` when an earlier part is
 * already written.
 */
export async function updateResource<M extends UpdateMethod>(
  client: VideoClient,
  method: M,
  change: ResourceChange<M>,
  options: VideoCallOptions = {},
): Promise<UpdatedResource<M>> {
  const methodSpec: MethodSpec = methods[method];
  const parts = touchedParts(method, methodSpec, change);
  requireGoodChange(method, change);
  const current = await read(client, methodSpec, { parts, id: change.id }, options);
  if (current === undefined) throw notFound(method, methodSpec, change.id);
  const after = await replaceParts(client, method, { current, change, parts }, options);
  return { before: current as MethodResult<M>, after }; // its list names the same resource
}

/** Refuses values that YouTube would refuse, for callers that read something before `updateResource`. @throws as it does */
export function requireGoodChange(method: UpdateMethod, change: JsonFields): void {
  const { body } = checkPlanFor(methods[method]);
  if (body !== undefined) checkChange(method, body, change);
}

interface PartsUpdate {
  /** The resource as it was just read, with the parts that will be written. */
  readonly current: JsonFields;
  readonly change: JsonFields;
  readonly parts: readonly string[];
}

/** The write of `updateResource`, for callers that have already read the resource. */
export async function replaceParts<M extends UpdateMethod>(
  client: VideoClient,
  method: M,
  { current, change, parts }: PartsUpdate,
  options: VideoCallOptions,
): Promise<MethodResult<M>> {
  const wanted = merge(pick(current, parts), pick(change, parts)) as JsonFields; // both are objects
  const correct = method === "channels.update" ? keepTitle : dropPublishAt;
  const merged = correct({ method, current, change, merged: wanted });
  // YouTube may have stored that already. The same time has several forms.
  const changed = parts.filter(
    (part) => !isDeepStrictEqual(comparable(current[part]), comparable(wanted[part])),
  );
  if (changed.length === 0) return current as MethodResult<M>; // its list names the same resource
  const calls = onePartPerCall.has(method) ? changed.map((part) => [part]) : [parts];
  const written: string[] = [];
  let result: unknown = {};
  for (const callParts of calls) {
    const body = { id: current.id, ...pick(merged, callParts) };
    try {
      const params = { part: callParts, body, [storedResource]: current };
      const answer = await untypedCall(client)(method, params, options);
      result = { ...(result as object), ...(answer as object) }; // each returns the resource with its part
    } catch (error) {
      if (written.length === 0) throw error;
      throw withFacts(error, { written: written.join(", ") }, "part");
    }
    written.push(...callParts);
  }
  return result as MethodResult<M>; // the method's own answer, or several of them in one
}

/** The parts that the change touches, and those that YouTube requires in every update. */
function touchedParts(
  method: string,
  { body, query }: MethodSpec,
  change: JsonFields,
): readonly string[] {
  const touched = Object.keys(change).filter(
    (name) => !nonParts.has(name) && change[name] !== undefined,
  );
  if (touched.length === 0) {
    throw new InputError(`${method}: the change is empty`, {
      code: "nothing_to_change",
      facts: { method },
    });
  }
  const known = query.part?.enum ?? [];
  const unknownPart = touched.find((part) => !known.includes(part));
  if (unknownPart !== undefined && query.part !== undefined) {
    throw invalidParameterError(method, {
      parameter: "part",
      ...requirementFor(query.part),
      was: describeValue(unknownPart),
    });
  }
  const requiredParts = Object.entries(body?.fields ?? {}).flatMap(([place, { required }]) => {
    const [part = ""] = place.split(".");
    return required === true && known.includes(part) && !nonParts.has(part) ? [part] : [];
  });
  return [...new Set([...touched, ...requiredParts])];
}

async function read(
  client: VideoClient,
  methodSpec: MethodSpec,
  { parts, id }: { readonly parts: readonly string[]; readonly id: string },
  options: VideoCallOptions,
): Promise<JsonFields | undefined> {
  const page = await untypedCall(client)(
    methodSpec.reads ?? "",
    { part: [...parts, "id"], id: [id] },
    options,
  );
  const { items } = page as ResourcePage<JsonFields>; // `reads` names a list
  return items.find((item) => item.id === id);
}

function notFound(method: string, { body }: MethodSpec, id: string) {
  const name = body?.resource ?? "";
  const reason = `${name.charAt(0).toLowerCase()}${name.slice(1)}NotFound`;
  const facts = { isNamed: true, given: id };
  const why = "what is to be changed is not listed";
  return foreseenError(why, { reason, status: 404, method, facts });
}

/** Picks the named parts; a part that was cleared is written empty. */
function pick(from: unknown, names: readonly string[]): JsonFields {
  const source = isFields(from) ? from : {};
  return Object.fromEntries(
    names.flatMap((name) => (name in source ? [[name, source[name]]] : [])),
  );
}

type UntypedCall = (
  method: string,
  params: CallParams,
  options: VideoCallOptions,
) => Promise<unknown>;

/** The method is only known at run time here, so its types can't be used; the client checks the parameters instead. */
function untypedCall(client: VideoClient): UntypedCall {
  return client.call.bind(client) as UntypedCall;
}

type JsonFields = Readonly<Record<string, unknown>>;

/**
 * The stored value with a change applied. Objects are merged field by field, lists are replaced whole; `undefined` keeps
 * the stored value and `null` clears it.
 */
function merge(current: unknown, change: unknown): unknown {
  if (change === undefined) return current;
  if (!isFields(change)) return change;
  const merged = new Map(Object.entries(isFields(current) ? current : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** A JSON object: neither a list nor a time. */
function isFields(value: unknown): value is JsonFields {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function comparable(value: unknown): unknown {
  if (isTime(value)) return Date.parse(value instanceof Date ? value.toISOString() : `${value}`);
  if (Array.isArray(value)) return value.map(comparable);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, comparable(field)] as const),
  );
}

interface MergedResource extends Omit<PartsUpdate, "parts"> {
  readonly method: string;
  readonly merged: JsonFields;
}

/**
 * A publishing time counts only while a video is private, before and after the change. One left over from earlier would
 * publish a video that is now being made private.
 */
function dropPublishAt({ current, change, merged }: MergedResource): JsonFields {
  const { status } = merged;
  if (!isFields(status) || status.publishAt === undefined) return merged;
  const isAsked = (valueAtPath(change, "status.publishAt") ?? undefined) !== undefined;
  const isKept =
    status.privacyStatus === "private" &&
    valueAtPath(current, "status.privacyStatus") === "private";
  if (isAsked || isKept) return merged;
  const { publishAt: _, ...rest } = status;
  return { ...merged, status: rest };
}

/** YouTube refuses another title: docs/services/youtube.md#channels */
function keepTitle({ method, current, change, merged }: MergedResource): JsonFields {
  const settings = merged.brandingSettings;
  if (!isFields(settings)) return merged;
  const title = valueAtPath(current, "brandingSettings.channel.title");
  const wanted = valueAtPath(change, "brandingSettings.channel.title") ?? title;
  if (wanted !== title) {
    const reason = "channelTitleUpdateForbidden";
    throw foreseenError("the title would change", { reason, status: 400, method });
  }
  if (title === undefined) return merged;
  const channel = { ...(isFields(settings.channel) ? settings.channel : {}), title };
  return { ...merged, brandingSettings: { ...settings, channel } };
}
