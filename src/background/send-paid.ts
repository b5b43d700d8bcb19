import { type BotError, LimitError, NetworkError } from "../errors.ts";
import {
  type HttpAnswer,
  type HttpRequest,
  type HttpResponse,
  retryAfterMs,
  throttleWaitMs,
} from "../http/index.ts";
import { LostError } from "../ownership.ts";
import type { KeyClient } from "./allowance.ts";
import { readRateLimit } from "./answers.ts";
import { readBackgroundFailure, sendTranslated } from "./failure.ts";
import type { PacerTurn } from "./pace/pacer.ts";
import type { RemoveOptions } from "./types.ts";

interface PaidCall extends Pick<RemoveOptions, "signal" | "onQueued" | "onSend"> {
  /** Reads the account, which updates the balance. */
  readonly ask: () => Promise<unknown>;
  readonly request: Pick<HttpRequest, "url" | "headers" | "body" | "reach">;
  /** Called after an attempt that was refused, failed with an answer, or reached nobody. */
  readonly onUncharged: () => void;
  readonly megapixels: number | undefined;
  /** Most credits that it takes. */
  readonly price: number;
}

/** After this long we give up, because Discord accepts no answer after 15 minutes. */
const deadlineMs = 14 * 60_000;
/** The last part of that time is kept for the call itself. */
const callMs = 60_000;
/** The largest result is a WebP of 50 megapixels; as JSON it takes a third more. */
const maxAnswerBytes = 96 * 1024 * 1024;

/**
 * Sends one cut-out. Each attempt waits for its turn, so that others have theirs between two attempts. A 429 holds all
 * calls of the key. Resolves with a success.
 * @throws what the client's `removeBackground` throws.
 */
export async function sendPaid(client: KeyClient, call: PaidCall): Promise<HttpResponse> {
  const { http, now, allowance, apiKey, tenant, person } = client;
  const { signal } = call;
  const { pacer, balance, rateLimits } = allowance;
  const endAt = now() + deadlineMs;
  let failure: BotError | undefined;
  const requireCredits = () => balance.require(call.price, call.ask, signal);

  async function takeTurn(): Promise<PacerTurn> {
    const { megapixels, onQueued, onSend } = call;
    const paced = { megapixels, tenant, person, signal, onQueued, deadlineAt: endAt - callMs };
    const isRepeat = failure !== undefined;
    const turn = await pacer.admit({ ...paced, isRepeat }).catch((error: unknown) => {
      // Why it has to be sent again is more helpful than that there is no time left.
      throw error instanceof LimitError && failure ? failure : error;
    });
    try {
      // Another call may have used up the credits meanwhile.
      await requireCredits();
      await onSend?.();
      return turn;
    } catch (error) {
      turn.cancel();
      throw error;
    }
  }

  async function attempt(send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const turn = await takeTurn();
    try {
      const answer = await send();
      const { status, headers } = answer;
      const rate = readRateLimit(headers);
      if (rate) void pacer.correct(rate);
      rateLimits.learn(rate);
      if (status === 200) return answer;
      call.onUncharged();
      failure = readBackgroundFailure("removebg", answer, { now: now(), apiKey });
      if (status === 402) balance.exhaust();
      if (status === 429) {
        await pacer.hold(now() + throttleWaitMs(retryAfterMs(headers["retry-after"], now())));
      }
      return answer;
    } catch (error) {
      const isUnsent = error instanceof NetworkError && error.outcome === "nothing";
      if (isUnsent || error instanceof LostError) {
        turn.cancel();
        call.onUncharged();
      }
      if (isUnsent) failure = error;
      throw error;
    } finally {
      turn.end();
    }
  }

  // Without credits there is no point in waiting for a turn.
  await requireCredits();
  return sendTranslated("removebg", { now, apiKey }, () =>
    http.request({
      ...call.request,
      method: "POST",
      retry: "paid",
      around: attempt,
      maxBytes: maxAnswerBytes,
      deadlineMs: endAt - now(),
      lastStartMs: endAt - callMs - now(),
      signal,
    }),
  );
}
