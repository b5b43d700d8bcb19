import { withTimeout } from "../../clock.ts";
import { BotError, LimitError, ServiceError } from "../../errors.ts";
import { type Moderated, methods, moderateComments, type VideoClient } from "../../video/index.ts";
import type { DecisionFailure, DecisionKind, HeldComment } from "../records/index.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";
import type { Sent } from "./settle.ts";

/** Longest that one batch may be on its way, searches for bad ids included. */
export const callMs = 60_000;
/** How long the link and the standing of units may take to be read. */
const askMs = 30_000;

const cost = methods["comments.setModerationStatus"].cost;

const statusOf = {
  approve: { status: "published" },
  hold: { status: "heldForReview" },
  reject: { status: "rejected" },
  ban: { status: "rejected", banAuthor: true },
} as const satisfies Record<DecisionKind, object>;

/**
 * What came of sending one decision. `back`: people decide anew. `gone`: nobody can read the comment any more.
 * `elsewhere`: it was decided on the platform, for good.
 */
export type Outcome =
  | { readonly state: "done" }
  | { readonly state: "back" | "gone" | "elsewhere"; readonly failure: DecisionFailure };

/** `unclear`: it may have been carried out or not; how the comment stands has to tell. */
export type SentOutcome =
  | Outcome
  | { readonly state: "unclear"; readonly failure: DecisionFailure };

export function failureOf(error: BotError): DecisionFailure {
  const until = error instanceof LimitError ? error.retryAt?.getTime() : undefined;
  return { code: error.code, until };
}

function outcomeOf(kind: DecisionKind, moderated: Moderated): SentOutcome {
  if (moderated.state === "done") return { state: "done" };
  const { state, error } = moderated;
  const failure = failureOf(error);
  if (state === "unknown") return { state: "unclear", failure };
  if (state === "untried" || failure.code !== "comment_not_found")
    return { state: "back", failure };
  // A rejected comment is not found again, so the answer to the first of two tries may have been lost.
  return kind === "reject" ? { state: "done" } : { state: "gone", failure };
}

/** The linked channel's client, where the units allow a call. @throws BotError for what keeps all decisions from leaving. */
export async function clientFor(
  { clock, pace, video }: DecideDeps,
  { guildId, source }: LinkedChannelRef,
  signal: AbortSignal,
): Promise<VideoClient> {
  const ask = async () => {
    const client = await video(guildId, source);
    const leave = await pace.mayFlush(guildId, source, cost);
    if (!leave.isGiven) throw notNow(leave.at);
    return client;
  };
  return withTimeout(ask, { ms: askMs, clock, signal });
}

/** One call for all of them, or several where it fails for some. Never throws; `error`: the first that was met. */
export async function send(
  { clock, log }: Pick<DecideDeps, "clock" | "log">,
  {
    client,
    kind,
    batch,
  }: {
    readonly client: VideoClient;
    readonly kind: DecisionKind;
    readonly batch: readonly HeldComment[];
  },
  signal: AbortSignal,
): Promise<{ readonly sent: readonly Sent[]; readonly error?: BotError | undefined }> {
  const ids = batch.map(({ comment }) => comment.id);
  try {
    const answers = await withTimeout(
      (both) => moderateComments(client, { ids, ...statusOf[kind] }, { signal: both }),
      { ms: callMs, clock, signal },
    );
    const byId = new Map(answers.map((one): [string, Moderated] => [one.id, one]));
    const sent = batch.map((item): Sent => {
      const moderated = byId.get(item.comment.id);
      if (moderated !== undefined) return [item, outcomeOf(kind, moderated)];
      return [item, { state: "unclear", failure: failureOf(reasonOf(signal)) }];
    });
    const [error] = answers.flatMap((one) => (one.state === "done" ? [] : [one.error]));
    return { sent, error };
  } catch (thrown) {
    if (!(thrown instanceof BotError)) log.error("decisions were not sent", { error: thrown });
    const error = thrown instanceof BotError ? thrown : reasonOf(signal);
    // Refused by our own check, nothing has left; or ended by a deadline, and some of it may have.
    const state = error.outcome === "nothing" ? "back" : "unclear";
    return { sent: batch.map((item) => [item, { state, failure: failureOf(error) }]), error };
  }
}

function reasonOf({ reason }: AbortSignal): BotError {
  return reason instanceof BotError ? reason : failed(reason);
}

/** What is no error of ours, so that a card has a code to show. */
export function failed(cause: unknown): ServiceError {
  return new ServiceError("a decision could not be carried out", {
    code: "decision_failed",
    outcome: "unknown",
    cause,
  });
}

export function notNow(at: number): LimitError {
  return new LimitError("what is left of today's units belongs to other servers' queues", {
    code: "units_shared",
    retryAt: new Date(at),
  });
}
