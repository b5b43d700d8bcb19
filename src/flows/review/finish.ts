import { setTimeout as delay } from "node:timers/promises";
import {
  type Button,
  compact,
  join,
  type Notice,
  notice,
  type Press,
  type Reply,
  time,
} from "../../discord/index.ts";
import type { DecisionKind } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FlowAction } from "../declarations/index.ts";
import { actorOf, undoneNotice } from "../watches/index.ts";
import { type ReviewState, reviewMs } from "./state.ts";

interface UndoState {
  readonly dueAt: number;
  readonly count: number;
  /** What was decided about all of them; absent where that differs. */
  readonly kind?: DecisionKind;
}

/** A batch belongs to whoever decided, and only that person sees this button. */
const undo = action<UndoState>({
  name: "review.undo",
  by: "requester",
  rank: "moderator",
  answer: "update",
  run: async (ctx, { dueAt, count: all, kind = "mixed" }) => {
    const batch = { userId: ctx.userId, dueAt };
    const count = await ctx.moderation.queue.undoBatch(batch, actorOf(ctx));
    return undoneNotice(ctx.words, { count, sent: { kind, count: all - count } });
  },
});

type KindCounts = ReadonlyMap<DecisionKind, number>;

/**
 * Sends what was decided, and says what that was; `rest` goes on with what still waits. Once it was sent, the message says
 * what came of it.
 */
export async function finishReview(
  ctx: Ctx,
  state: ReviewState,
  rest: Press | undefined,
): Promise<Reply> {
  const { words, userId, moderation } = ctx;
  const { dueAt, counts } = await moderation.queue.hasten({ userId, dueAt: state.dueAt });
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const review = rest && { label: words.say("review.again"), press: rest };
  const done = summaryNotice(ctx, { state, counts, total, buttons: compact([review]) });
  if (total === 0) return done;
  ctx.afterwards(async (signal) => {
    if (!(await isSent(ctx, dueAt, signal))) return undefined;
    const failed = await countFailed(ctx, state);
    return summaryNotice(ctx, { state, counts, total, failed, buttons: compact([review]) });
  });
  const [kind] = counts.size === 1 ? counts.keys() : [];
  const at = time(new Date(dueAt));
  return {
    ...done,
    tone: "warning",
    text: join([done.text, words.md("watch.digest.undo_hint", { at })]),
    buttons: compact<Button>([
      {
        label: words.say("watch.button.undo"),
        style: "primary",
        press: undo.press({ dueAt, count: total, ...(kind && { kind }) }),
      },
      review,
    ]),
  };
}

const kindsInOrder = ["approve", "reject", "ban"] as const;

interface ReviewSummary {
  readonly state: ReviewState;
  readonly counts: KindCounts;
  readonly total: number;
  readonly failed?: number;
  readonly buttons: readonly Button[];
}

function summaryNotice(
  { words }: Ctx,
  { state, counts, total, failed = 0, buttons }: ReviewSummary,
): Notice {
  const { made, earlier, taken, skipped } = state;
  const kinds = kindsInOrder.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [words.say("review.decided", { kind, count })] : [];
  });
  const line = (key: "earlier_sent" | "undone" | "taken" | "skipped" | "failed", count: number) =>
    count > 0 && words.say(`review.${key}`, { count });
  return notice({
    tone: failed > 0 ? "warning" : "good",
    title: words.say(total + earlier === 0 ? "review.nothing" : "review.finished"),
    text: join([
      kinds.length > 0 && kinds.join(" · "),
      line("earlier_sent", earlier),
      line("undone", made - total),
      line("taken", taken),
      line("skipped", skipped),
      line("failed", failed),
    ]),
    buttons,
    isPrivate: true,
  });
}

const pollMs = 1_000;
const maxWaitMs = 120_000;

/** Waits for the end of sending; false where that takes too long. */
async function isSent(
  { moderation, now }: Ctx,
  dueAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (const end = now() + maxWaitMs; now() < end; ) {
    await delay(pollMs, undefined, { signal });
    if ((await moderation.queue.countUnsent(dueAt)) === 0) return true;
  }
  return false;
}

/** Decisions of this review that YouTube did not take: their comments wait again. */
async function countFailed({ moderation, userId }: Ctx, { dueAt }: ReviewState): Promise<number> {
  const failed = { actorId: userId, acts: ["failed"], since: dueAt - reviewMs } as const;
  return (await moderation.audit.count(failed, 1_000)).count;
}

export const finishActions: readonly FlowAction<never>[] = [undo];
