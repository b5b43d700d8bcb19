import { BotError, LimitError, ServiceError } from "../../errors.ts";
import type { DecisionKind, QueueItem } from "../../store/index.ts";
import { type Moderated, methods, moderateComments, type VideoClient } from "../../video/index.ts";
import { within } from "../within.ts";
import type { Waiting } from "./lines.ts";
import { type Outcome, outcomeOf, type Unclear } from "./outcome.ts";
import type { DecideParts, LineAt } from "./parts.ts";
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
  { clock, pace, video }: DecideParts,
  { guildId, source }: LineAt,
  signal: AbortSignal,
): Promise<VideoClient> {
  return within(clock, { ms: askMs, signal }, async () => {
    const client = await video(guildId, source);
    const leave = await pace?.mayFlush(guildId, source, cost);
    if (leave?.isGiven === false) throw notNow(leave.at);
    return client;
  });
}

/** What a look at one waiting decision makes of it. */
type Claimed =
  | { readonly state: "mine" | "doubtful"; readonly item: QueueItem }
  /** Somebody took it back and decided again meanwhile. */
  | { readonly state: "another"; readonly waiting: Waiting }
  | { readonly state: "over" };

/** From here on it can't be taken back. @throws ServiceError `store_unavailable`. */
export async function claimForSending(
  { items, clock, counts }: DecideParts,
  { guildId, source }: LineAt,
  { ref, kind }: Waiting,
): Promise<Claimed> {
  let isMine = false;
  const counted = ({ comment, decisions: stored }: QueueItem) => {
    return { guildId, commentId: comment.id, stored };
  };
  // No card shows it: each would be drawn anew for a second.
  const item = await items.note(guildId, ref, (stored) => {
    const { status, decision } = stored;
    const isDue = decision !== undefined && decision.dueAt <= clock.now();
    isMine = status === "pending" && decision?.kind === kind && isDue && isOf(stored, source);
    if (!isMine) return stored;
    return { ...stored, status: "sending", decisions: counts.next(counted(stored)) };
  });
  if (item === undefined || !isOf(item, source)) return { state: "over" };
  if (isMine) {
    if (item.decisions !== undefined) counts.note(counted(item), item.decisions);
    return { state: "mine", item };
  }
  // Only who holds the lease sends, so its sender is gone, or has lost the store's answer to this very step.
  if (item.status === "sending") return { state: "doubtful", item };
  const { decision } = item;
  if (item.status !== "pending" || decision === undefined) return { state: "over" };
  return { state: "another", waiting: { ref, kind: decision.kind, dueAt: decision.dueAt } };
}

/** Another channel's comments are another line's. */
function isOf({ source }: QueueItem, of: string): boolean {
  return (source ?? of) === of;
}

/** One call for all of them, or several where it fails for some. Never throws. */
export async function send(
  { clock, log }: Pick<DecideParts, "clock" | "log">,
  {
    client,
    kind,
    sent,
  }: {
    readonly client: VideoClient;
    readonly kind: DecisionKind;
    readonly sent: readonly QueueItem[];
  },
  signal: AbortSignal,
): Promise<readonly (readonly [QueueItem, Outcome | Unclear])[]> {
  const ids = sent.map(({ comment }) => comment.id);
  try {
    const told = await within(clock, { ms: callMs, signal }, (both) =>
      moderateComments(client, { ids, ...statusOf[kind] }, { signal: both }),
    );
    const byId = new Map(told.map((one): [string, Moderated] => [one.id, one]));
    return sent.map((item) => {
      const moderated = byId.get(item.comment.id);
      return [item, moderated === undefined ? lost(signal) : outcomeOf(kind, moderated)];
    });
  } catch (error) {
    if (!(error instanceof BotError)) log.error("decisions were not sent", { error });
    const outcome = error instanceof BotError ? afterThrow(error) : lost(signal);
    return sent.map((item) => [item, outcome]);
  }
}

/** Refused by our own check, nothing has left; or ended by a deadline, and some of it may have. */
function afterThrow(error: BotError): Outcome | Unclear {
  return error.outcome === "nothing" ? { state: "back", error } : { state: "unclear", error };
}

function lost({ reason }: AbortSignal): Unclear {
  return { state: "unclear", error: reason instanceof BotError ? reason : failed(reason) };
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
