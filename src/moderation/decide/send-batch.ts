import { createQuotaExceededError } from "../../budget/index.ts";
import { withTimeout } from "../../clock.ts";
import { BotError, LimitError, ServiceError } from "../../errors.ts";
import {
  type CommentResult,
  methods,
  moderateComments,
  type VideoClient,
} from "../../video/index.ts";
import type { QuotaShortage } from "../pace/create-pace.ts";
import type { DecisionFailure, DecisionKind, HeldComment } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { toDecisionFailure } from "./delay.ts";
import type { LinkedChannelRef } from "./send-queue.ts";

/** Longest time for sending one batch, including the search for ids that YouTube refuses. */
export const batchTimeoutMs = 60_000;
/** Longest time for reading the link and the units left. */
const clientTimeoutMs = 30_000;

export const decisionCost = methods["comments.setModerationStatus"].cost;

const statuses = {
  approve: { status: "published" },
  hold: { status: "heldForReview" },
  reject: { status: "rejected" },
  ban: { status: "rejected", banAuthor: true },
} as const satisfies Record<DecisionKind, object>;

/**
 * The outcome of one decision. `back`: it failed, and people have to decide again. `gone`: the comment can't be read any more.
 * `elsewhere`: it was decided on YouTube, and that is final.
 */
export type DecisionOutcome =
  | { readonly state: "done" }
  | { readonly state: "back" | "gone" | "elsewhere"; readonly failure: DecisionFailure };

/**
 * `unclear`: it may or may not have been carried out; the comment has to be read again to find out. `delayed`: it was not
 * carried out, and is sent again if the cause may pass by itself.
 */
export type SendOutcome =
  | DecisionOutcome
  | { readonly state: "unclear"; readonly failure: DecisionFailure }
  | { readonly state: "delayed"; readonly cause: BotError };

/** A comment whose decision was sent, and the outcome. */
export type SentDecision = readonly [HeldComment, SendOutcome];

function outcomeFor(kind: DecisionKind, moderated: CommentResult): SendOutcome {
  if (moderated.state === "done") return { state: "done" };
  const { state, error } = moderated;
  const failure = toDecisionFailure(error);
  if (state === "unknown") return { state: "unclear", failure };
  if (state === "untried") return { state: "delayed", cause: error };
  if (failure.code !== "comment_not_found") return { state: "back", failure };
  // A rejected comment can't be found again, so a first try may have worked and only its answer was lost.
  return kind === "reject" ? { state: "done" } : { state: "gone", failure };
}

/** The linked channel's client, if the units allow a call. @throws BotError for what keeps all decisions from being sent. */
export async function clientFor(
  { clock, pace, video }: ModerationRoom,
  { guildId, source }: LinkedChannelRef,
  signal: AbortSignal,
): Promise<VideoClient> {
  return withTimeout(
    async () => {
      const client = await video(guildId, source);
      const shortage = await pace.takeUnits(guildId, source, decisionCost);
      if (shortage !== undefined) throw shortageError(shortage);
      return client;
    },
    { timeoutMs: clientTimeoutMs, clock, signal },
  );
}

interface DecisionCall {
  readonly client: VideoClient;
  readonly kind: DecisionKind;
  readonly batch: readonly HeldComment[];
}

/** Sends one call for all decisions, or several if it fails for some. Never throws; `error` is the first error. */
export async function sendBatch(
  { clock, log }: ModerationRoom,
  { client, kind, batch }: DecisionCall,
  signal: AbortSignal,
): Promise<{ readonly sent: readonly SentDecision[]; readonly error?: BotError | undefined }> {
  const ids = batch.map(({ comment }) => comment.id);
  try {
    const answers = await withTimeout(
      (both) => moderateComments(client, { ids, ...statuses[kind] }, { signal: both }),
      { timeoutMs: batchTimeoutMs, clock, signal },
    );
    const byId = new Map(answers.map((one): [string, CommentResult] => [one.id, one]));
    const sent = batch.map((item): SentDecision => {
      const moderated = byId.get(item.comment.id);
      if (moderated !== undefined) return [item, outcomeFor(kind, moderated)];
      return [item, { state: "unclear", failure: toDecisionFailure(abortReason(signal)) }];
    });
    const [error] = answers.flatMap((one) => (one.state === "done" ? [] : [one.error]));
    return { sent, error };
  } catch (thrown) {
    if (!(thrown instanceof BotError)) log.error("decisions were not sent", { error: thrown });
    const error = thrown instanceof BotError ? thrown : abortReason(signal);
    // Our own check refused it, so nothing was sent; or it timed out, and some may have been sent.
    const outcome: SendOutcome =
      error.outcome === "nothing"
        ? { state: "delayed", cause: error }
        : { state: "unclear", failure: toDecisionFailure(error) };
    return { sent: batch.map((item) => [item, outcome]), error };
  }
}

function abortReason({ reason }: AbortSignal): BotError {
  return reason instanceof BotError ? reason : decisionFailedError(reason);
}

/** Wraps an unknown error, so that a card has a code to show. */
export function decisionFailedError(cause: unknown): ServiceError {
  return new ServiceError("a decision could not be carried out", {
    code: "decision_failed",
    outcome: "unknown",
    cause,
  });
}

/** @see Pace.findShortage */
export function shortageError({ at, isGone }: QuotaShortage): LimitError {
  const retryAt = new Date(at);
  if (isGone)
    return createQuotaExceededError("today's units are used up", { bucket: "units", retryAt });
  const message = "what is left of today's units belongs to other servers' queues";
  return new LimitError(message, { code: "units_shared", retryAt });
}
