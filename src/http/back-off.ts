import type { RequestServices } from "./request.ts";
import { policies, type RetryPolicy, waitAfter } from "./retry.ts";
import type { Http } from "./types.ts";

/** The waits of callers that repeat by themselves, because only they know what must happen in between. */
export function createBackOff({
  random,
  sleep,
}: Pick<RequestServices, "random" | "sleep">): Http["backOff"] {
  return async (retry, misses, { retryAfterMs, withinMs, signal } = {}) => {
    signal?.throwIfAborted();
    const { tries, deadlineMs }: RetryPolicy = policies[retry];
    if (misses >= tries) return false;
    const wait = waitAfter(retry, { miss: "failed", tries: misses, retryAfterMs }, random);
    if (wait >= (withinMs ?? deadlineMs)) return false;
    await sleep(wait, signal);
    return true;
  };
}
