import { type BotError, LimitError, NetworkError } from "../errors.ts";
import { type Http, type HttpRequest, type HttpResponse, retryAfterMs } from "../http/index.ts";
import type { Allowance } from "./allowance.ts";
import { failureOf, resultLost, waitAfterThrottle } from "./failure.ts";
import type { Turn } from "./pace/pacer.ts";
import { rateLimitOf } from "./removal.ts";
import type { RemoveOptions } from "./types.ts";

interface PaidServices {
  readonly http: Http;
  readonly now: () => number;
  readonly allowance: Allowance;
  /** Reads the account, which tells the balance. */
  readonly ask: () => Promise<unknown>;
}

interface PaidCall extends Pick<RemoveOptions, "signal" | "onQueued"> {
  readonly request: Pick<HttpRequest, "url" | "headers" | "body">;
  readonly megapixels: number | undefined;
  /** Credits it takes at most. */
  readonly price: number;
  readonly tenant: string | undefined;
  readonly person: string | undefined;
}

/** A picture that is not done by then is given up: Discord takes no answer after 15 minutes. */
const deadlineMs = 14 * 60_000;
/** What is left of that must do for the call itself. */
const callMs = 60_000;
/** The largest result is a WebP of 50 megapixels; as JSON it takes a third more. */
const maxAnswerBytes = 96 * 1024 * 1024;

/** How a call has come along so far. */
interface Progress {
  readonly endAt: number;
  /** Attempts that count against the limit of the retry class. */
  misses: number;
  /** Of the last attempt; what is told when there is no time for another. */
  failure: BotError | undefined;
}

/**
 * Sends one cut-out, each attempt in its turn. A 429 holds everybody and is waited out; a 5xx backs off with jitter; a
 * cut is never sent again. Resolves with a success.
 * @throws what the client's `removeBackground` throws of a call.
 */
export async function sendPaid(services: PaidServices, call: PaidCall): Promise<HttpResponse> {
  const { now, allowance } = services;
  const progress: Progress = { endAt: now() + deadlineMs, misses: 0, failure: undefined };
  // Known to be in vain, it need not wait for its turn.
  await requireCredits(services, call);
  for (;;) {
    const turn = await turnOf(services, call, progress);
    const response = await attempt(services, call, { turn, progress });
    if (response?.status === 200) return response;
    if (response?.status === 402) allowance.balance.exhaust();
    if (response !== undefined) progress.failure = failureOf("removebg", response, now());
    if (!(await mayRepeat(services, call, { response, progress }))) throw progress.failure;
  }
}

async function turnOf(services: PaidServices, call: PaidCall, progress: Progress): Promise<Turn> {
  const turn = await admit(services, call, progress);
  try {
    // Others may have met the end of the credits meanwhile.
    await requireCredits(services, call);
    return turn;
  } catch (error) {
    turn.cancel();
    throw error;
  }
}

async function admit(
  { allowance }: PaidServices,
  { megapixels, tenant, person, signal, onQueued }: PaidCall,
  { endAt, failure }: Progress,
): Promise<Turn> {
  const wish = { megapixels, tenant, person, signal, onQueued, deadlineAt: endAt - callMs };
  try {
    return await allowance.pacer.admit({ ...wish, again: failure !== undefined });
  } catch (error) {
    // Why it must be sent again says more than that there is no time for it.
    throw error instanceof LimitError && failure !== undefined ? failure : error;
  }
}

function requireCredits({ allowance, ask }: PaidServices, { price, signal }: PaidCall) {
  return allowance.balance.require(price, ask, signal);
}

/** Resolves with nothing when no byte of it left. @throws NetworkError `result_lost`; the signal's reason. */
async function attempt(
  { http, now, allowance }: PaidServices,
  { request, signal }: PaidCall,
  { turn, progress }: { readonly turn: Turn; readonly progress: Progress },
): Promise<HttpResponse | undefined> {
  try {
    const response = await http.request({
      ...request,
      method: "POST",
      retry: "paid",
      // Between two attempts others may have their turn.
      tries: 1,
      isThrottled: () => false,
      maxBytes: maxAnswerBytes,
      deadlineMs: progress.endAt - now(),
      signal,
    });
    const rate = rateLimitOf(response.headers);
    if (rate) allowance.pacer.correct(rate);
    allowance.rateLimits.learn(rate);
    return response;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    if (error.outcome === "unknown") throw resultLost(error);
    turn.cancel();
    // Of an earlier attempt it may not be known whether it was charged.
    progress.failure = progress.failure?.outcome === "unknown" ? resultLost(error) : error;
    return undefined;
  } finally {
    turn.end();
  }
}

/** Waits as the miss demands; a held key needs no wait of its own, its queue has it. */
async function mayRepeat(
  { http, now, allowance }: PaidServices,
  { signal }: PaidCall,
  {
    response,
    progress,
  }: { readonly response: HttpResponse | undefined; readonly progress: Progress },
): Promise<boolean> {
  const { status, headers = {} } = response ?? {};
  const withinMs = progress.endAt - callMs - now();
  if (status === 429) {
    const wait = waitAfterThrottle(headers["retry-after"], now());
    allowance.pacer.hold(now() + wait);
    return wait <= withinMs;
  }
  if (status !== undefined && status < 500) return false;
  progress.misses += 1;
  const wanted = retryAfterMs(headers["retry-after"], now());
  return http.backOff("paid", progress.misses, { retryAfterMs: wanted, withinMs, signal });
}
