import { InputError } from "../../errors.ts";
import { stored } from "../check/body.ts";
import { invalid, shown } from "../check/fault.ts";
import { allowedFor } from "../check/field.ts";
import { methods } from "../methods/index.ts";
import type { MethodSpec } from "../methods/spec.ts";
import type { Page } from "../resources/index.ts";
import type { Given } from "../split.ts";
import type { CallOptions, Method, Params, Result, VideoClient } from "../types.ts";
import { type Fields, isFields, merge, settle } from "./merge.ts";
import { afterPart, refusal } from "./refusal.ts";

/** An update that replaces whatever its parts leave out. */
export type UpdateMethod = {
  [M in Method]: (typeof methods)[M] extends { readonly reads: string } ? M : never;
}[Method];

type Changing<T> = T extends string | number | boolean | Date | readonly unknown[]
  ? T
  : { readonly [Name in keyof T]?: Changing<T[Name]> | null | undefined };

/** A resource around its update, in the parts that were written. */
export interface Updated<M extends UpdateMethod> {
  readonly before: Result<M>;
  readonly after: Result<M>;
}

/** What is to change, by the fields of the row: `undefined` keeps, `null` clears, a list replaces the whole list. */
export type Change<M extends UpdateMethod> = { readonly id: string } & Changing<
  Omit<NonNullable<Params<M>["body"]>, "id">
>;

/** The service takes one part at a time here (facts, section 9). */
const onePartPerCall: ReadonlySet<string> = new Set(["channels.update"]);

/** What a body holds beside its parts. */
const besides: ReadonlySet<string> = new Set(["id", "kind", "etag"]);

/**
 * Changes some fields and keeps all others, those that nobody here knows of included: reads the parts that the change
 * touches, merges, and writes exactly these. Costs the read and a write; channels take one write for each part. Answers
 * what was read too, so that nobody has to ask again what it was before.
 * A time to publish is dropped once the video is not private, and a channel keeps its title.
 * @throws InputError `nothing_to_change`, `invalid_parameter` for a part that this method does not write; `video_not_found` and its like, before anything is written; what `call` throws,
 * with the outcome `part` when an earlier part is written already.
 */
export async function updateResource<M extends UpdateMethod>(
  client: VideoClient,
  method: M,
  change: Change<M>,
  options: CallOptions = {},
): Promise<Updated<M>> {
  const row: MethodSpec = methods[method];
  const parts = partsOf(method, row, change);
  const current = await read(client, row, { parts, id: change.id }, options);
  if (current === undefined) throw notFound(method, row);
  const after = await replaceParts(client, method, { current, change, parts }, options);
  return { before: current as Result<M>, after }; // its list names the same resource
}

interface Replacing {
  /** As it was read just before, with the parts that are to be written. */
  readonly current: Fields;
  readonly change: Fields;
  readonly parts: readonly string[];
}

/** The writing half, for whoever has read already. */
export async function replaceParts<M extends UpdateMethod>(
  client: VideoClient,
  method: M,
  { current, change, parts }: Replacing,
  options: CallOptions,
): Promise<Result<M>> {
  const merged = settle(method, {
    current,
    change,
    merged: merge(pick(current, parts), pick(change, parts)),
  });
  const rounds = onePartPerCall.has(method) ? parts.map((part) => [part]) : [parts];
  const written: string[] = [];
  let result: unknown = {};
  for (const round of rounds) {
    const body = { id: current.id, ...pick(merged, round) };
    try {
      const given = { part: round, body, [stored]: current };
      const answer = await loose(client)(method, given, options);
      result = { ...(result as object), ...(answer as object) }; // each answers the resource with its part
    } catch (error) {
      if (written.length === 0) throw error;
      throw afterPart(error, { written: written.join(", ") });
    }
    written.push(...round);
  }
  return result as Result<M>; // the method's own answer, or several of them in one
}

/** The parts that the change touches, and those without which the service takes no update. */
function partsOf(method: string, { body, query }: MethodSpec, change: Fields): readonly string[] {
  const touched = Object.keys(change).filter(
    (name) => !besides.has(name) && change[name] !== undefined,
  );
  if (touched.length === 0) {
    throw new InputError(`${method}: the change is empty`, {
      code: "nothing_to_change",
      facts: { method },
    });
  }
  const known = query.part?.enum ?? [];
  const strange = touched.find((part) => !known.includes(part));
  if (strange !== undefined && query.part !== undefined) {
    throw invalid(method, { parameter: "part", ...allowedFor(query.part), was: shown(strange) });
  }
  const due = Object.entries(body?.fields ?? {}).flatMap(([place, { required }]) => {
    const [part = ""] = place.split(".");
    return required === true && known.includes(part) && !besides.has(part) ? [part] : [];
  });
  return [...new Set([...touched, ...due])];
}

async function read(
  client: VideoClient,
  row: MethodSpec,
  { parts, id }: { readonly parts: readonly string[]; readonly id: string },
  options: CallOptions,
): Promise<Fields | undefined> {
  const page = await loose(client)(row.reads ?? "", { part: [...parts, "id"], id: [id] }, options);
  const { items } = page as Page<Fields>; // `reads` names a list
  return items.find((item) => item.id === id);
}

function notFound(method: string, { body }: MethodSpec) {
  const name = body?.resource ?? "";
  const reason = `${name.charAt(0).toLowerCase()}${name.slice(1)}NotFound`;
  return refusal("what is to be changed is not listed", { reason, status: 404, method });
}

/** A cleared part is written empty. */
function pick(from: unknown, names: readonly string[]): Fields {
  const source = isFields(from) ? from : {};
  return Object.fromEntries(
    names.flatMap((name) => (name in source ? [[name, source[name]]] : [])),
  );
}

type Loose = (method: string, params: Given, options: CallOptions) => Promise<unknown>;

/** The row is chosen at run time here, so its types can't be followed; the client checks what they would have said. */
function loose(client: VideoClient): Loose {
  return client.call.bind(client) as Loose;
}
