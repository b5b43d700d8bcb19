import { BotError, NetworkError, ServiceError } from "../errors.ts";
import type { Http } from "../http/index.ts";
import type { Signing } from "./credentials.ts";
import { type Found, type Listed, lookFor } from "./lookup.ts";
import type { Given } from "./split.ts";

/** Two tries and the looks between them (reliability.md 2). */
const deadlineMs = 60_000;
/** A look is worth its while even when the first try has used the time up. */
const minLookMs = 10_000;
/** What was just written shows up in lists a moment later. */
const settleMs = 1_000;

interface Creation extends Signing {
  /** Sends it once. @throws the signal's reason alone */
  readonly send: (deadlineMs: number) => Promise<Sent>;
  /** Calls the list method of the row's lookup. */
  readonly list: (method: string, params: Given, deadlineMs: number) => Promise<Listed>;
}

export type Sent =
  | { readonly isDone: true; readonly answer: unknown }
  | { readonly isDone: false; readonly error: unknown; readonly retryAfterMs: number | undefined };

interface CreateServices {
  readonly http: Pick<Http, "backOff">;
  readonly now: () => number;
}

/**
 * Makes one thing, once. When the answer is lost it is looked for: found, it is the answer; absent, it is sent a second
 * and last time. @throws BotError with outcome `unknown` when that decides nothing.
 */
export async function create(services: CreateServices, creation: Creation): Promise<unknown> {
  const { now } = services;
  const startedAt = now();
  const endAt = startedAt + deadlineMs;
  const first = await creation.send(deadlineMs);
  if (first.isDone) return first.answer;
  const lost = first.error;
  if (!isLost(lost)) throw lost;
  const giveUp = undecided(creation, lost);
  const look = ({ retryAfterMs = 0 }: { readonly retryAfterMs?: number | undefined }) =>
    lookAfter(services, creation, { startedAt, endAt, waitMs: Math.max(settleMs, retryAfterMs) });

  const found = await look(first).catch(giveUp);
  if (found.is === "there") return found.resource;
  if (found.is === "unsure" || now() >= endAt) return giveUp(lost);
  const second = await creation.send(endAt - now());
  if (second.isDone) return second.answer;
  // Whatever the second try was told: the first may show up by now.
  const late = await look(second).catch(giveUp);
  return late.is === "there" ? late.resource : giveUp(second.error);
}

/** Whether it may have been made although no answer says so. */
function isLost(error: unknown): error is NetworkError | ServiceError {
  const isKind = error instanceof NetworkError || error instanceof ServiceError;
  return isKind && error.outcome === "unknown";
}

async function lookAfter(
  { http, now }: CreateServices,
  { row, params, signal, list }: Creation,
  { startedAt, endAt, waitMs }: Record<"startedAt" | "endAt" | "waitMs", number>,
): Promise<Found> {
  const { lookup } = row;
  if (lookup === undefined) return { is: "unsure" };
  const leftMs = () => Math.max(endAt - now(), minLookMs);
  const wait = { retryAfterMs: waitMs, withinMs: leftMs(), signal };
  if (!(await http.backOff(row.retry, 1, wait))) return { is: "unsure" };
  return lookFor({
    lookup,
    sent: params.body,
    onBehalf: onBehalfOf(params),
    startedAt,
    list: (given) => list(lookup.method, given, leftMs()),
  });
}

/** A partner's list shows what was made for the same owner. */
function onBehalfOf(params: Given): Given {
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => name.startsWith("onBehalfOf")),
  );
}

/** Throws the first failure, whatever came after it, as one that leaves everything open. */
function undecided({ method, row, signal }: Creation, lost: NetworkError | ServiceError) {
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
        ...(row.lookup && { lookAt: row.lookup.method }),
      },
      cause: cause instanceof BotError && cause !== lost ? cause : lost.cause,
    });
  };
}
