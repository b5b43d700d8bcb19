import { BotError, LimitError, NetworkError } from "../errors.ts";
import { type Http, type HttpRequest, type HttpResponse, retryAfterMs } from "../http/index.ts";
import type { KeyAllowance } from "./allowance.ts";
import { rateLimitOf } from "./answers.ts";
import { backgroundFailureOf, resultLost, waitAfterThrottle } from "./failure.ts";
import type { PacerTurn } from "./pace/pacer.ts";
import type { RemoveOptions } from "./types.ts";

interface PaidCallDeps {
  readonly http: Http;
  readonly now: () => number;
  readonly allowance: KeyAllowance;
  readonly apiKey: string;
  /** Reads the account, which updates the balance. */
  readonly ask: () => Promise<unknown>;
}

interface PaidCall extends Pick<RemoveOptions, "signal" | "onQueued" | "onSend"> {
  readonly request: Pick<HttpRequest, "url" | "headers" | "body">;
  /** Called after an attempt that was refused, failed with an answer, or reached nobody. */
  readonly onUncharged: () => void;
  readonly megapixels: number | undefined;
  /** Most credits that it takes. */
  readonly price: number;
  readonly tenant: string | undefined;
  readonly person: string | undefined;
}

/** After this long we give up, because Discord accepts no answer after 15 minutes. */
const deadlineMs = 14 * 60_000;
/** The last part of that time is kept for the call itself. */
const callMs = 60_000;
/** The largest result is a WebP of 50 megapixels; as JSON it takes a third more. */
const maxAnswerBytes = 96 * 1024 * 1024;

/** What the attempts so far have led to. */
interface PaidProgress {
  readonly endAt: number;
  /** Attempts that count against the limit of the retry class. */
  misses: number;
  /** Of the last attempt; thrown when there is no time for another. */
  failure: BotError | undefined;
}

/**
 * Sends one cut-out; each attempt waits for its turn. A 429 holds all calls of the key and is waited out; a 5xx backs off
 * with jitter; after a cut connection it is never sent again. Resolves with a success.
 * @throws what the client's `removeBackground` throws.
 */
export async function sendPaid(services: PaidCallDeps, call: PaidCall): Promise<HttpResponse> {
  const { now, allowance, apiKey } = services;
  const progress: PaidProgress = { endAt: now() + deadlineMs, misses: 0, failure: undefined };
  // Without credits there is no point in waiting for a turn.
  await requireCredits(services, call);
  for (;;) {
    const turn = await turnOf(services, call, progress);
    const response = await attempt(services, call, { turn, progress });
    if (response?.status === 200) return response;
    call.onUncharged();
    if (response?.status === 402) allowance.balance.exhaust();
    if (response !== undefined) {
      progress.failure = backgroundFailureOf("removebg", response, { now: now(), apiKey });
    }
    if (!(await mayRepeat(services, call, { response, progress }))) throw progress.failure;
  }
}

async function turnOf(
  services: PaidCallDeps,
  call: PaidCall,
  progress: PaidProgress,
): Promise<PacerTurn> {
  const turn = await admit(services, call, progress);
  try {
    // Another call may have used up the credits meanwhile.
    await requireCredits(services, call);
    await call.onSend?.();
    return turn;
  } catch (error) {
    turn.cancel();
    throw error;
  }
}

async function admit(
  { allowance }: PaidCallDeps,
  { megapixels, tenant, person, signal, onQueued }: PaidCall,
  { endAt, failure }: PaidProgress,
): Promise<PacerTurn> {
  const paceRequest = { megapixels, tenant, person, signal, onQueued, deadlineAt: endAt - callMs };
  try {
    return await allowance.pacer.admit({ ...paceRequest, isRepeat: failure !== undefined });
  } catch (error) {
    // Why it has to be sent again is more helpful than that there is no time left.
    throw error instanceof LimitError && failure !== undefined ? failure : error;
  }
}

function requireCredits({ allowance, ask }: PaidCallDeps, { price, signal }: PaidCall) {
  return allowance.balance.require(price, ask, signal);
}

/** Resolves with undefined when no byte of the request was sent. @throws NetworkError `result_lost`; the signal's reason. */
async function attempt(
  { http, now, allowance }: PaidCallDeps,
  { request, signal, onUncharged }: PaidCall,
  { turn, progress }: { readonly turn: PacerTurn; readonly progress: PaidProgress },
): Promise<HttpResponse | undefined> {
  try {
    const response = await http.request({
      ...request,
      method: "POST",
      retry: "paid",
      // Repeated by `sendPaid` alone, so that others have their turn between two attempts.
      tries: 1,
      missOf: () => undefined,
      maxBytes: maxAnswerBytes,
      deadlineMs: progress.endAt - now(),
      signal,
    });
    const rate = rateLimitOf(response.headers);
    if (rate) void allowance.pacer.correct(rate);
    allowance.rateLimits.learn(rate);
    return response;
  } catch (error) {
    if (!(error instanceof NetworkError)) {
      // The work was lost before it was sent, or the store did not say whose it is.
      if (error instanceof BotError && error.facts.attempts === 0) {
        turn.cancel();
        onUncharged();
      }
      throw error;
    }
    if (error.outcome === "unknown") throw resultLost(error);
    turn.cancel();
    // An earlier attempt may have been charged although its answer was lost.
    progress.failure = progress.failure?.outcome === "unknown" ? resultLost(error) : error;
    return undefined;
  } finally {
    turn.end();
  }
}

/** Waits before the next attempt. After a 429 the held queue of the key makes it wait, so nothing waits here. */
async function mayRepeat(
  { http, now, allowance }: PaidCallDeps,
  { signal }: PaidCall,
  {
    response,
    progress,
  }: { readonly response: HttpResponse | undefined; readonly progress: PaidProgress },
): Promise<boolean> {
  const { status, headers = {} } = response ?? {};
  const withinMs = progress.endAt - callMs - now();
  if (status === 429) {
    const waitMs = waitAfterThrottle(headers["retry-after"], now());
    await allowance.pacer.hold(now() + waitMs);
    return waitMs <= withinMs;
  }
  if (status !== undefined && status < 500) return false;
  progress.misses += 1;
  const askedMs = retryAfterMs(headers["retry-after"], now());
  return http.backOff("paid", progress.misses, { retryAfterMs: askedMs, withinMs, signal });
}
