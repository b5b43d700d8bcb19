import { DiscordAPIError, REST, RESTJSONErrorCodes, type RESTOptions, Routes } from "discord.js";
import { acknowledgeMs } from "../draw/limits.ts";

/** The first answer to an interaction, as the callback route takes it. */
export interface FirstAnswer {
  readonly type: number;
  readonly data?: object;
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
}

/** `accepted`: Discord has it. `expired`: the interaction is void, nothing may be done for it. */
export type Acknowledged = "accepted" | "expired";

export interface AcknowledgeTools {
  /** Of `createCallbackRest`. */
  readonly rest: REST;
  readonly random: () => number;
  readonly now: () => number;
}

/** discord.js would resend at once, and without end on a 429 that names no time; here every answer comes back. */
export function createCallbackRest(options: Partial<RESTOptions>): REST {
  return new REST({ ...options, retries: 0, rejectOnRateLimit: () => true });
}

const { InteractionHasAlreadyBeenAcknowledged, UnknownInteraction } = RESTJSONErrorCodes;
const shortestWaitMs = 20;
const longestWaitMs = 250;
const longestTryMs = 900;

/**
 * Sends the first answer, again after every failure that may pass, with 20 to 250 ms of jitter, until 2.3 s after the
 * interaction arrived (reliability 1). 40060 means an earlier try had got through; 10062 that it is too late.
 */
export async function acknowledge(
  interaction: Interaction,
  answer: FirstAnswer,
  arrivedAt: number,
  tools: AcknowledgeTools,
): Promise<Acknowledged> {
  const until = arrivedAt + acknowledgeMs;
  for (;;) {
    const outcome = await tryOnce(interaction, answer, until - tools.now(), tools.rest);
    if (outcome !== "again") return outcome;
    const wait = shortestWaitMs + tools.random() * (longestWaitMs - shortestWaitMs);
    if (tools.now() + wait >= until) return "expired";
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function tryOnce(
  interaction: Interaction,
  answer: FirstAnswer,
  leftMs: number,
  rest: REST,
): Promise<Acknowledged | "again"> {
  // A timer that is cleared: `AbortSignal.timeout` would go off for every answer that came long ago.
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), Math.max(1, Math.min(leftMs, longestTryMs)));
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

function judge(error: unknown): Acknowledged | "again" {
  if (!(error instanceof DiscordAPIError)) return "again";
  if (error.code === InteractionHasAlreadyBeenAcknowledged) return "accepted";
  if (error.code === UnknownInteraction) return "expired";
  throw error;
}
