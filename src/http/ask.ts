import type { NetworkError } from "../errors.ts";
import { addressOf } from "./address.ts";
import { networkError } from "./failure.ts";
import { type RequestServices, tryOnce } from "./request.ts";
import { policies, retryWait } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type AttemptError, type OpenAnswer, sendOpen } from "./send.ts";

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

/**
 * Asks for a file as often as a read may be asked for, and resolves with the headers of the last answer.
 * @throws AttemptError, or the signal's reason
 */
export async function ask(
  services: RequestServices,
  question: Question,
  asked: Asked,
): Promise<OpenAnswer> {
  const { agent, now, random, sleep } = services;
  const { deadlineMs, silenceMs } = policies.read;
  const { url, headers, signal } = question;
  const prepared = { address: addressOf(url.href), headers, silenceMs, signal };
  const endAt = now() + deadlineMs;
  for (;;) {
    signal?.throwIfAborted();
    const { answer, error, miss } = await tryOnce(async () =>
      sendOpen(await agent(), { ...prepared, timeoutMs: endAt - now() }),
    );
    if (answer || error.left) asked.sent += 1;
    if (miss === undefined) return answer;
    asked.misses += 1;
    const wanted = answer && retryAfterMs(answer.headers["retry-after"], now());
    const wait = retryWait("read", { miss, tries: asked.misses, retryAfterMs: wanted }, random);
    // A wait that would outlive the deadline is not begun.
    if (wait === undefined || now() + wait >= endAt) {
      if (answer) return answer;
      throw error;
    }
    answer?.body.destroy();
    await sleep(wait, signal);
  }
}

/** Nothing was changed by reading. */
export function readFailure(
  error: Pick<AttemptError, "fault" | "left" | "cause">,
  { url }: Question,
  { sent }: Asked,
): NetworkError {
  return networkError(error, { method: "GET", url, outcome: "nothing", attempts: sent });
}
