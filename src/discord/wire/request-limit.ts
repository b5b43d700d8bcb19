import { DefaultRestOptions } from "@discordjs/rest";
import type { RESTOptions } from "discord.js";
import type { Clock } from "../../clock.ts";
import { requireOwned } from "../../ownership.ts";

type MakeRequest = RESTOptions["makeRequest"];
type RequestAnswer = Awaited<ReturnType<MakeRequest>>;

interface RequestLimitDeps {
  /** How many requests a second this process may send now. */
  readonly perSecond: () => number;
  readonly clock: Clock;
  /** Sends one request; discord.js's own way when absent. */
  readonly request?: MakeRequest;
}

interface QueuedRequest {
  readonly start: () => void;
}

/** A little longer than the second that Discord counts, because requests take different times to get there. */
const windowMs = 1_050;

/**
 * Keeps all requests with the bot's token within Discord's limit for bots, whichever client sends them:
 * https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
 */
export function createRequestLimit(deps: RequestLimitDeps) {
  const { perSecond, clock, request = DefaultRestOptions.makeRequest } = deps;
  const urgent = new Set<QueuedRequest>();
  const others = new Set<QueuedRequest>();
  /** When the last requests were sent, the oldest first. */
  const sent: number[] = [];
  let isWaiting = false;

  function serve(): void {
    isWaiting = false;
    for (;;) {
      const [next] = urgent.size > 0 ? urgent : others;
      if (next === undefined) return;
      while (sent.length > 0 && (sent[0] ?? 0) <= clock.now() - windowMs) sent.shift();
      if (sent.length >= perSecond()) break;
      urgent.delete(next);
      others.delete(next);
      sent.push(clock.now());
      next.start();
    }
    const waitMs = Math.max(1, (sent[0] ?? 0) + windowMs - clock.now());
    isWaiting = true;
    clock.after(waitMs, serve);
  }

  function turn(queue: Set<QueuedRequest>, signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        queue.delete(waiting);
        reject(signal?.reason);
      };
      const waiting = {
        start: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      queue.add(waiting);
      if (!isWaiting) serve();
    });
  }

  return {
    /**
     * How a client sends its requests: each waits for its turn. Urgent ones go before all others. A write whose work this
     * process has lost meanwhile is not sent.
     */
    send: (isUrgent?: "urgent"): MakeRequest => {
      const queue = isUrgent === undefined ? others : urgent;
      return async (url, init) => {
        await turn(queue, init.signal as AbortSignal | null | undefined);
        if (init.method !== "GET") await requireOwned();
        return withWholeWait(await request(url, init));
      };
    },
  };
}

/** A header says that the wait is a second where the body says twenty minutes: discord/discord-api-docs#6109. */
async function withWholeWait(answer: RequestAnswer): Promise<RequestAnswer> {
  if (answer.status !== 429) return answer;
  const text = await answer.text();
  const headers = new Headers(answer.headers as Headers);
  const seconds = secondsIn(text);
  // One that names no time stays so: a wait of nothing would be repeated without end.
  if (seconds > Number(headers.get("retry-after") ?? 0)) headers.set("retry-after", `${seconds}`);
  return new Response(text, { status: 429, statusText: answer.statusText, headers });
}

function secondsIn(text: string): number {
  try {
    const { retry_after: seconds } = Object(JSON.parse(text)) as { readonly retry_after?: unknown };
    return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : 0;
  } catch {
    // Not from Discord, but from something in between.
    return 0;
  }
}
