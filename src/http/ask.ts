import type { Agent } from "undici";
import { addressOf } from "./address.ts";
import type { RequestServices } from "./request.ts";
import { type Miss, policies, retryWait } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";
import { AttemptError } from "./send.ts";
import { type OpenAnswer, sendOpen } from "./send-open.ts";

export interface Question {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** How a file has been asked for so far. */
export interface Asked {
  /** Tries in a row that brought nothing to speak of. */
  misses: number;
  /** Requests that left. */
  sent: number;
}

type Try =
  | { readonly answer: OpenAnswer; readonly error?: never; readonly miss: Miss | undefined }
  | { readonly answer?: never; readonly error: AttemptError; readonly miss: Miss };

/**
 * Asks for a file as often as a read may be asked for, and resolves with the headers of the last answer.
 * @throws AttemptError, or the signal's reason
 */
export async function ask(
  services: RequestServices,
  question: Question,
  asked: Asked,
): Promise<OpenAnswer> {
  const { now } = services;
  const endAt = now() + policies.read.deadlineMs;
  for (;;) {
    question.signal?.throwIfAborted();
    const last = await tryOnce(await services.agent(), question, endAt - now());
    if (last.answer || last.error.left) asked.sent += 1;
    if (last.miss === undefined) return last.answer;
    asked.misses += 1;
    const wait = waitAfterMiss(services, last, asked);
    // A wait that would outlive the deadline is not begun.
    if (wait === undefined || now() + wait >= endAt) return finish(last);
    last.answer?.body.destroy();
    await services.sleep(wait, question.signal);
  }
}

async function tryOnce(agent: Agent, question: Question, timeoutMs: number): Promise<Try> {
  const { url, headers, signal } = question;
  const { silenceMs } = policies.read;
  const address = addressOf(url.href);
  try {
    const answer = await sendOpen(agent, { address, headers, timeoutMs, silenceMs, signal });
    return { answer, miss: missOf(answer) };
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (error.fault === "aborted" || error.fault === "malformed") throw error.cause;
    return { error, miss: error.left ? "cut" : "unsent" };
  }
}

function missOf({ status }: OpenAnswer): Miss | undefined {
  if (status >= 500) return "failed";
  return status === 429 ? "throttled" : undefined;
}

function waitAfterMiss(
  { random, now }: RequestServices,
  { answer, miss = "cut" }: Try,
  { misses }: Asked,
): number | undefined {
  const wanted = answer && retryAfterMs(answer.headers["retry-after"], now());
  return retryWait("read", { miss, tries: misses, retryAfterMs: wanted }, random);
}

function finish({ answer, error }: Try): OpenAnswer {
  if (answer) return answer;
  throw error;
}
