import { BotError, LimitError, ServiceError } from "../../errors.ts";
import { type Moderated, methods, moderateComments, type VideoClient } from "../../video/index.ts";
import type { DecisionKind, HeldComment } from "../records/index.ts";
import { within } from "../within.ts";
import { failureOf, outcomeOf, type SentOutcome } from "./outcome.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";
import type { Sent } from "./settle.ts";
import { askMs, callMs } from "./times.ts";

const cost = methods["comments.setModerationStatus"].cost;

const statusOf = {
  approve: { status: "published" },
  hold: { status: "heldForReview" },
  reject: { status: "rejected" },
  ban: { status: "rejected", banAuthor: true },
} as const satisfies Record<DecisionKind, object>;

/** The linked channel's client, where the units allow a call. @throws BotError for what keeps all decisions from leaving. */
export async function clientFor(
  { clock, pace, video }: DecideDeps,
  { guildId, source }: LinkedChannelRef,
  signal: AbortSignal,
): Promise<VideoClient> {
  return within(clock, { ms: askMs, signal }, async () => {
    const client = await video(guildId, source);
    const leave = await pace?.mayFlush(guildId, source, cost);
    if (leave?.isGiven === false) throw notNow(leave.at);
    return client;
  });
}

export interface Delivery {
  readonly client: VideoClient;
  readonly kind: DecisionKind;
  readonly batch: readonly HeldComment[];
}

/** One call for all of them, or several where it fails for some. Never throws; `error`: the first that was met. */
export async function send(
  { clock, log }: Pick<DecideDeps, "clock" | "log">,
  { client, kind, batch }: Delivery,
  signal: AbortSignal,
): Promise<{ readonly sent: readonly Sent[]; readonly error?: BotError | undefined }> {
  const ids = batch.map(({ comment }) => comment.id);
  try {
    const answers = await within(clock, { ms: callMs, signal }, (both) =>
      moderateComments(client, { ids, ...statusOf[kind] }, { signal: both }),
    );
    const byId = new Map(answers.map((one): [string, Moderated] => [one.id, one]));
    const sent = batch.map((item): Sent => {
      const moderated = byId.get(item.comment.id);
      return [item, moderated === undefined ? lost(signal) : outcomeOf(kind, moderated)];
    });
    const [error] = answers.flatMap((one) => (one.state === "done" ? [] : [one.error]));
    return { sent, error };
  } catch (thrown) {
    if (!(thrown instanceof BotError)) log.error("decisions were not sent", { error: thrown });
    const error = thrown instanceof BotError ? thrown : reasonOf(signal);
    return { sent: batch.map((item) => [item, afterThrow(error)]), error };
  }
}

/** Refused by our own check, nothing has left; or ended by a deadline, and some of it may have. */
function afterThrow(error: BotError): SentOutcome {
  return { state: error.outcome === "nothing" ? "back" : "unclear", failure: failureOf(error) };
}

function lost(signal: AbortSignal): SentOutcome {
  return { state: "unclear", failure: failureOf(reasonOf(signal)) };
}

function reasonOf({ reason }: AbortSignal): BotError {
  return reason instanceof BotError ? reason : failed(reason);
}

/** What is no error of ours, so that a card has a code to show. */
export function failed(cause: unknown): ServiceError {
  return new ServiceError("a decision could not be carried out", {
    code: "decision_failed",
    hint: "The decision could not be carried out. Try again.",
    outcome: "unknown",
    cause,
  });
}

export function notNow(at: number): LimitError {
  return new LimitError("what is left of today's units belongs to other servers' queues", {
    code: "units_shared",
    hint: "This server has used its part of today's units, and the rest is kept for other servers' comments.",
    retryAt: new Date(at),
  });
}
