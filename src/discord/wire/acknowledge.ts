import { DiscordAPIError, REST, RESTJSONErrorCodes, type RESTOptions, Routes } from "discord.js";
import { acknowledgeMs } from "../draw/limits.ts";

/** The first answer to an interaction, as the callback route takes it. */
export interface FirstAnswer {
  readonly type: number;
  readonly data?: object;
}

interface InteractionToken {
  readonly id: string;
  readonly token: string;
}

/** `accepted`: Discord has it. `expired`: the interaction is void, and nothing may be done for it. */
export type AcknowledgeResult = "accepted" | "expired";

type TryResult = AcknowledgeResult | "again" | "acknowledged before";

interface AcknowledgeDeps {
  /** Made by `createCallbackRest`. */
  readonly rest: REST;
  readonly random: () => number;
  readonly now: () => number;
}

/** Without discord.js's own retries, which are immediate, and endless on a 429 that names no time: we see every answer. */
export function createCallbackRest(options: Partial<RESTOptions>): REST {
  return new REST({ ...options, retries: 0, rejectOnRateLimit: () => true });
}

const { InteractionHasAlreadyBeenAcknowledged, UnknownInteraction } = RESTJSONErrorCodes;
const shortestWaitMs = 20;
const longestWaitMs = 250;
const tryTimeoutMs = 900;
/** Discord may have accepted a try whose answer was lost. Then a person is waiting for a result. */
const triesAfterEnd = 3;

/**
 * Sends the first answer, again after every failure that may pass, with 20 to 250 ms of jitter, until 2.3 s after the
 * interaction arrived (reliability 1), then a few times more to learn whether one of them arrived. 40060 means that an earlier
 * try arrived, 10062 that it is too late. At the first try 40060 means that another process has answered: one that could not
 * claim the interaction in time has said so.
 */
export async function acknowledge(
  interaction: InteractionToken,
  answer: FirstAnswer,
  arrivedAt: number,
  tools: AcknowledgeDeps,
): Promise<AcknowledgeResult> {
  const until = arrivedAt + acknowledgeMs;
  let triesLeft = triesAfterEnd;
  for (let isFirst = true; ; isFirst = false) {
    const leftMs = until - tools.now();
    if (leftMs <= 0 && (isFirst || triesLeft-- === 0)) return "expired";
    const timeoutMs = leftMs > 0 ? Math.min(leftMs, tryTimeoutMs) : tryTimeoutMs;
    const outcome = await tryOnce(interaction, answer, timeoutMs, tools.rest);
    if (outcome === "acknowledged before") return isFirst ? "expired" : "accepted";
    if (outcome !== "again") return outcome;
    const wait = shortestWaitMs + tools.random() * (longestWaitMs - shortestWaitMs);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function tryOnce(
  interaction: InteractionToken,
  answer: FirstAnswer,
  timeoutMs: number,
  rest: REST,
): Promise<TryResult> {
  // A timer that is cleared: `AbortSignal.timeout` would still fire long after the answer has come.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    await rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
      body: answer,
      auth: false,
      signal: abort.signal,
    });
    return "accepted";
  } catch (error) {
    return judge(error);
  } finally {
    clearTimeout(timer);
  }
}

function judge(error: unknown): TryResult {
  if (!(error instanceof DiscordAPIError)) return "again";
  if (error.code === InteractionHasAlreadyBeenAcknowledged) return "acknowledged before";
  if (error.code === UnknownInteraction) return "expired";
  throw error;
}
