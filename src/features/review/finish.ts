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
import type { CountedKind, DecisionDelay, DecisionKind } from "../../moderation/index.ts";
import { describeDelay } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { describeStoredFailure, toActor, undoneNotice, waitUntilSent } from "../watches/index.ts";
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
  rank: "moderator",
  run: async (ctx, { dueAt, count: all, kind = "mixed" }) => {
    const batch = { userId: ctx.userId, dueAt };
    const count = await ctx.moderation.queue.undoBatch(batch, toActor(ctx));
    return undoneNotice(ctx.words, { count, sent: { kind, count: all - count } });
  },
});

type KindCounts = ReadonlyMap<CountedKind, number>;

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
  const summary = { state, counts, total };
  if (total === 0) return summaryNotice(ctx, { ...summary, buttons: compact([review]) });
  const [only] = counts.size === 1 ? counts.keys() : [];
  const kind = only === "keep" ? "approve" : only;
  const undoable = compact<Button>([
    {
      label: words.say("watch.button.undo"),
      style: "primary",
      press: undo.press({ dueAt, count: total, ...(kind && { kind }) }),
    },
    review,
  ]);
  const kept = (delay: DecisionDelay) => {
    const { text, ...notice } = summaryNotice(ctx, { ...summary, buttons: undoable });
    const lines = [describeDelay(delay, total, words), words.say("watch.delay.undo")];
    const title = words.say("review.kept");
    return { ...notice, title, tone: "warning", text: join([text, ...lines]) } as const;
  };
  ctx.afterwards(async (signal) => {
    const unsent = await waitUntilSent(ctx, signal, {
      read: () => moderation.queue.unsent(dueAt),
      isOver: ({ count, delay }) => count === 0 || delay !== undefined,
    });
    if (unsent?.delay !== undefined) return kept(unsent.delay);
    if (unsent === undefined) return undefined;
    const failed = await readFailed(ctx, state);
    return summaryNotice(ctx, { ...summary, failed, buttons: compact([review]) });
  });
  const { delay } = await moderation.queue.unsent(dueAt);
  if (delay !== undefined) return kept(delay);
  const done = summaryNotice(ctx, { ...summary, buttons: undoable });
  const at = time(new Date(dueAt));
  return {
    ...done,
    tone: "warning",
    text: join([done.text, words.md("watch.digest.undo_hint", { at })]),
  };
}

const kindsInOrder = ["approve", "keep", "reject", "ban"] as const;

interface ReviewSummary {
  readonly state: ReviewState;
  readonly counts: KindCounts;
  readonly total: number;
  readonly failed?: FailedDecisions | undefined;
  readonly buttons: readonly Button[];
}

function summaryNotice(
  { words, now }: Ctx,
  { state, counts, total, failed, buttons }: ReviewSummary,
): Notice {
  const { made, taken, skipped, handled = 0, dueAt } = state;
  // Comments that are missing from the batch were sent if it is due, and were undone by somebody if it is not.
  const isOver = dueAt <= now();
  const earlier = state.earlier + (isOver ? made - total : 0);
  const kinds = kindsInOrder.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [words.say("review.decided", { kind, count })] : [];
  });
  if (handled > 0) kinds.push(words.say("review.decided", { kind: "handled", count: handled }));
  const line = (key: "earlier_sent" | "undone" | "taken" | "skipped", count: number) =>
    count > 0 && words.say(`review.${key}`, { count });
  return notice({
    tone: failed ? "warning" : "good",
    title: words.say(total + earlier + handled === 0 ? "review.nothing" : "review.finished"),
    text: join([
      kinds.length > 0 && kinds.join(" · "),
      line("earlier_sent", earlier),
      line("undone", isOver ? 0 : made - total),
      line("taken", taken),
      line("skipped", skipped),
      failed && words.say("review.failed", { ...failed }),
    ]),
    buttons,
    isPrivate: true,
  });
}

interface FailedDecisions {
  readonly count: number;
  readonly why: string;
}

const maxFailed = 1_000;

/** Decisions of this review that YouTube did not take: their comments wait again. */
async function readFailed(
  { moderation, words, userId }: Ctx,
  { dueAt }: ReviewState,
): Promise<FailedDecisions | undefined> {
  const failed = { actorId: userId, acts: ["failed"], since: dueAt - reviewMs } as const;
  const { entries } = await moderation.audit.page(failed, { limit: maxFailed });
  if (entries.length === 0) return undefined;
  const whys = new Set(entries.map(({ answer }) => describeStoredFailure(answer, words)));
  return { count: entries.length, why: words.list([...whys]) };
}

export const finishActions: readonly FeatureAction<never>[] = [undo];
