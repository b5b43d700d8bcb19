import { BotError, NetworkError, ServiceError } from "../errors.ts";
import type { Http } from "../http/index.ts";
import { valueAtPath } from "./check/values.ts";
import type { CallToSign } from "./credentials.ts";
import type { CallParams, LookupSpec } from "./methods/spec.ts";
import type { ResourcePage } from "./resources/index.ts";

/** For two tries and the lookup after each. */
const deadlineMs = 60_000;
/** A lookup gets at least this long, even when the first try has used up the time. */
const minLookupMs = 10_000;
/** A new thing appears in lists only a moment later. */
const settleMs = 1_000;

interface Creation extends CallToSign {
  /** Sends it once. @throws only the signal's reason */
  readonly send: (deadlineMs: number) => Promise<CreateAttempt>;
  /** Calls the list method of the lookup. */
  readonly list: (method: string, params: CallParams, deadlineMs: number) => Promise<ListedPage>;
}

export type CreateAttempt =
  | { readonly isDone: true; readonly answer: unknown }
  | { readonly isDone: false; readonly error: unknown; readonly retryAfterMs: number | undefined };

interface CreateServices {
  readonly http: Pick<Http, "backOff">;
  readonly now: () => number;
}

/**
 * Creates one thing, once. When the answer is lost, looks for the thing: if it is found, it is the answer; if it is absent,
 * the request is sent a second and last time. @throws BotError with outcome `unknown` when the lookup decides nothing.
 */
export async function createOnce(services: CreateServices, creation: Creation): Promise<unknown> {
  const { now } = services;
  const startedAt = now();
  const endAt = startedAt + deadlineMs;
  const first = await creation.send(deadlineMs);
  if (first.isDone) return first.answer;
  const lost = first.error;
  if (!isLost(lost)) throw lost;
  const giveUp = throwUndecided(creation, lost);
  const look = ({ retryAfterMs = 0 }: { readonly retryAfterMs?: number | undefined }) =>
    lookAfter(services, creation, { startedAt, endAt, waitMs: Math.max(settleMs, retryAfterMs) });

  const found = await look(first).catch(giveUp);
  if (found.is === "there") return found.resource;
  if (found.is === "unsure" || now() >= endAt) return giveUp(lost);
  const second = await creation.send(endAt - now());
  if (second.isDone) return second.answer;
  // Whatever the answer to the second try was, the result of the first may be listed by now.
  const late = await look(second).catch(giveUp);
  return late.is === "there" ? late.resource : giveUp(second.error);
}

/** Whether it may have been created although no answer says so. */
function isLost(error: unknown): error is NetworkError | ServiceError {
  const isKind = error instanceof NetworkError || error instanceof ServiceError;
  return isKind && error.outcome === "unknown";
}

async function lookAfter(
  { http, now }: CreateServices,
  { methodSpec, params, signal, list }: Creation,
  { startedAt, endAt, waitMs }: Record<"startedAt" | "endAt" | "waitMs", number>,
): Promise<LookupResult> {
  const { lookup } = methodSpec;
  if (lookup === undefined) return { is: "unsure" };
  const leftMs = () => Math.max(endAt - now(), minLookupMs);
  const wait = { retryAfterMs: waitMs, withinMs: leftMs(), signal };
  if (!(await http.backOff(methodSpec.retry, 1, wait))) return { is: "unsure" };
  return lookFor({
    lookup,
    sent: params.body,
    // A content owner's list shows what was created for the same owner.
    onBehalf: Object.fromEntries(
      Object.entries(params).filter(([name]) => name.startsWith("onBehalfOf")),
    ),
    startedAt,
    list: (listParams) => list(lookup.method, listParams, leftMs()),
  });
}

/** Throws the first failure, whatever came after it, with outcome `unknown`. */
function throwUndecided(
  { method, methodSpec, signal }: Creation,
  lost: NetworkError | ServiceError,
) {
  return (cause: unknown): never => {
    if (signal?.aborted) throw signal.reason;
    const Kind = lost instanceof NetworkError ? NetworkError : ServiceError;
    throw new Kind(`${lost.message}; nobody knows whether it was done`, {
      code: lost.code,
      outcome: "unknown",
      facts: {
        ...lost.facts,
        method,
        isUndecided: true,
        ...(methodSpec.lookup && { lookAt: methodSpec.lookup.method }),
      },
      cause: cause instanceof BotError && cause !== lost ? cause : lost.cause,
    });
  };
}

/**
 * YouTube truncates times to whole seconds, and synchronised clocks differ a little. With more tolerance, an equal
 * thing that was created shortly before would be taken for the lost one.
 */
const skewMs = 5_000;
/** How far YouTube's clock may be behind ours; a larger difference is not believed. */
const maxBehindMs = 10 * 60_000;
/** A list with more pages than this counts as not searched. */
const maxLookupPages = 10;

interface LookupCall {
  readonly lookup: LookupSpec;
  /** The body that was sent. */
  readonly sent: unknown;
  /** Parameters of the call that say for which content owner it acts. */
  readonly onBehalf: CallParams;
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly list: (params: CallParams) => Promise<ListedPage>;
}

export interface ListedPage {
  readonly page: ResourcePage<unknown>;
  /** How far YouTube's clock is behind ours, in milliseconds; negative when it is ahead, NaN when unknown. */
  readonly behindMs: number;
}

/** The result of a lookup; `unsure` when the list was too long to see all of it. */
type LookupResult =
  | { readonly is: "there"; readonly resource: unknown }
  | { readonly is: "absent" | "unsure" };

async function lookFor({
  lookup,
  sent,
  onBehalf,
  startedAt,
  list,
}: LookupCall): Promise<LookupResult> {
  const seen = new Set<string>();
  let params: CallParams = { ...onBehalf, ...lookupParams(lookup, sent) };
  for (let pages = 1; pages <= maxLookupPages; pages++) {
    const { page, behindMs } = await list(params);
    const { items, nextPageToken } = page;
    const since = startedAt - skewMs - (behindMs > 0 && behindMs < maxBehindMs ? behindMs : 0);
    const resource = items.find((item) => isTheSame(lookup, { item, sent, since }));
    if (resource !== undefined) return { is: "there", resource };
    const isPast = lookup.params.order === "time" && madeAt(lookup, items.at(-1)) < since;
    if (!nextPageToken || seen.has(nextPageToken) || isPast) return { is: "absent" };
    seen.add(nextPageToken);
    params = { ...params, pageToken: nextPageToken };
  }
  return { is: "unsure" };
}

function lookupParams({ params, from = {} }: LookupSpec, sent: unknown): CallParams {
  const copied = Object.entries(from)
    .map(([name, place]) => [name, valueAtPath(sent, place)] as const)
    .filter(([, value]) => value !== undefined);
  return { ...params, ...Object.fromEntries(copied) };
}

function isTheSame(
  lookup: LookupSpec,
  { item, sent, since }: { item: unknown; sent: unknown; since: number },
): boolean {
  // Without a time it can't be distinguished from what was there before.
  if (lookup.madeAt !== undefined && !(madeAt(lookup, item) >= since)) return false;
  return lookup.same.every((place) => isEqual(valueAtPath(sent, place), valueAtPath(item, place)));
}

/** Milliseconds since the epoch, or NaN when unknown. */
function madeAt({ madeAt: place }: LookupSpec, item: unknown): number {
  return place === undefined ? Number.NaN : Date.parse(String(valueAtPath(item, place)));
}

/** Whether all that was sent is listed. Other fields may have any value: YouTube adds fields, and trims texts. */
function isEqual(sent: unknown, listed: unknown): boolean {
  if (sent === undefined) return true;
  if (typeof sent === "string" && typeof listed === "string")
    return normalizeText(sent) === normalizeText(listed);
  if (typeof sent !== "object" || sent === null) return sent === listed;
  return Object.entries(sent).every(([name, value]) => isEqual(value, valueAtPath(listed, [name])));
}

function normalizeText(text: string): string {
  return text.normalize().replace(/\s+/g, " ").trim();
}
