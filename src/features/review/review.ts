import {
  type Button,
  type Card,
  compact,
  join,
  md,
  notice,
  type Reply,
  type Text,
} from "../../discord/index.ts";
import {
  type AuthorComment,
  type AuthorHistory,
  type DecisionKind,
  type DecisionResult,
  type HeldComment,
  isKept,
  isWaiting,
  toItemRef,
  type Watch,
} from "../../moderation/index.ts";
import { presses } from "../cards/index.ts";
import { describeDelay, describeTooOften } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import {
  approvalLabel,
  authorCommentLines,
  cardPresses,
  caseFilePress,
  commentBeginning,
  commentLinkButton,
  commentStateLine,
  describeEarlierTries,
  drawOpenComment,
  findKeyOnlyWatch,
  isPressedTwice,
  noWatchNotice,
  quoteCommentText,
  studioButtons,
  toActor,
} from "../watches/index.ts";
import { finishReview } from "./finish.ts";
import { type ReviewState, renewBatch, reviewMs } from "./state.ts";

/** All watches when absent. */
interface ReviewScope {
  readonly watchId?: string;
}

/** Goes through the waiting comments, one at a time: those of all watches, or of one. */
export async function openReview(ctx: Ctx, { watchId }: ReviewScope = {}): Promise<Reply> {
  const watches = await ctx.moderation.watches.all();
  const first = watches.find(({ id }) => id === (watchId ?? id));
  if (first === undefined) return noWatchNotice(ctx);
  return showNext(ctx, {
    watchId: first.id,
    ...(watchId !== undefined && { isOnly: true }),
    dueAt: ctx.now() + reviewMs,
    made: 0,
    earlier: 0,
    skipped: 0,
    taken: 0,
  });
}

const requester = { by: "requester", rank: "moderator", answer: "update" } as const;

const open = actionFor(presses.comment.review, {
  rank: "moderator",
  run: openReview,
});

/** The same in place of the summary. */
const again = action<ReviewScope>({
  ...requester,
  name: "review.again",
  run: openReview,
});

/** A review at the comment that is shown. */
interface Shown {
  readonly state: ReviewState;
  readonly itemId: string;
}

type ReviewDecision = Exclude<DecisionKind, "hold">;

const decide = action<Shown & { readonly kind: ReviewDecision }>({
  ...requester,
  name: "review.decide",
  run: async (ctx, { state: before, itemId, kind }) => {
    const state = renewBatch(before, ctx.now());
    const ref = { watchId: state.watchId, itemId };
    const [first] = await ctx.moderation.queue.decide({
      items: [ref],
      kind,
      by: toActor(ctx),
      from: "review",
      dueAt: state.dueAt,
    });
    const isOfReview = first?.item?.decision?.dueAt === state.dueAt;
    const isTwice = isOfReview && first !== undefined && isPressedTwice(ctx, first, kind);
    const decided = isTwice ? { ...first, state: "pending" as const } : first;
    return showNext(ctx, afterDecision(state, decided), describeDecision(ctx, decided, kind));
  },
});

/** Notes that somebody has dealt with the comment on YouTube itself; nothing is sent. */
const handled = action<Shown>({
  ...requester,
  name: "review.handled",
  run: async (ctx, { state, itemId }) => {
    const ref = { watchId: state.watchId, itemId };
    const marked = await ctx.moderation.queue.handle(ref, toActor(ctx));
    const { item } = marked;
    if (marked.state !== "pending" || item === undefined) {
      return showNext(ctx, afterDecision(state, marked), describeDecision(ctx, marked, "reject"));
    }
    const text = commentBeginning(item.comment, ctx.words, 60);
    const note = md`-# ${ctx.words.say("review.noted", { kind: "handled", text })}`;
    const last = { ref, isHandled: true, ...(state.after && { after: state.after }) } as const;
    const after = { ...goPast(state, item), handled: (state.handled ?? 0) + 1, last };
    return showNext(ctx, after, note);
  },
});

function afterDecision(state: ReviewState, decided: DecisionResult | undefined): ReviewState {
  const { item, state: result, ref } = decided ?? {};
  if (result === "pending" && ref !== undefined) {
    const last = { ref, ...(state.after && { after: state.after }) };
    return { ...goPast(state, item), made: state.made + 1, last };
  }
  if (result === "unlinked") return { ...goPast(state, item), skipped: state.skipped + 1 };
  const isTaken = result === "taken" || result === "over";
  return isTaken ? { ...goPast(state, item), taken: state.taken + 1 } : goPast(state, item);
}

/** Goes on behind a comment; where it is gone, the search finds the next one by itself. */
function goPast(state: ReviewState, item: HeldComment | undefined): ReviewState {
  if (item === undefined) return state;
  return { ...state, after: { publishedAt: item.comment.publishedAt, id: item.id } };
}

function describeDecision(
  { words }: Ctx,
  decided: DecisionResult | undefined,
  wanted: ReviewDecision,
): Text | undefined {
  const { item, state, error } = decided ?? {};
  if (state === "unlinked") return md`-# ${words.say("watch.consent.title", { use: wanted })}`;
  if (error !== undefined) return describeTooOften([error], words)[0];
  if (item === undefined) return undefined;
  const text = commentBeginning(item.comment, words, 60);
  const kind = isKept(item) ? "keep" : (item.decision?.kind ?? "approve");
  if (state === "pending") {
    const noted = md`-# ${words.say("review.noted", { kind, text })}`;
    const delay = item.decision?.delay;
    return delay === undefined ? noted : md`${noted}\n-# ${describeDelay(delay, 1, words)}`;
  }
  const status = commentStateLine(item, words);
  return md`-# ${words.md("review.was_taken", { text, status })}`;
}

const skip = action<Shown>({
  ...requester,
  name: "review.skip",
  run: async (ctx, { state, itemId }) => {
    const item = await ctx.moderation.queue.item({ watchId: state.watchId, itemId });
    return showNext(ctx, { ...goPast(state, item), skipped: state.skipped + 1 });
  },
});

const more = action<Shown>({
  ...requester,
  name: "review.more",
  run: (ctx, { state }) => showNext(ctx, state, undefined, moreButtons),
});

const back = action<ReviewState>({
  ...requester,
  name: "review.back",
  run: (ctx, state) => showNext(ctx, state),
});

/** Undoes the last decision, and shows that comment again. */
const undoLast = action<ReviewState>({
  ...requester,
  name: "review.undo-last",
  run: async (ctx, { last, after: _, ...state }) => {
    if (last === undefined) return showNext(ctx, state);
    const undone = await ctx.moderation.queue.undo(last.ref, toActor(ctx));
    const isBack = undone.state === "open";
    const counts =
      last.isHandled === true
        ? { handled: Math.max(0, (state.handled ?? 0) - Number(isBack)) }
        : { made: state.made - Number(isBack) };
    const { watchId } = last.ref;
    const before = { ...state, watchId, ...counts };
    return showNext(ctx, { ...before, ...(last.after && { after: last.after }) });
  },
});

const finish = action<ReviewState>({
  ...requester,
  name: "review.finish",
  run: (ctx, state) => finishReview(ctx, state, again.press(reviewScope(state))),
});

function reviewScope({ watchId, isOnly }: ReviewState): ReviewScope {
  return isOnly ? { watchId } : {};
}

function isUndecided({ item }: AuthorComment): boolean {
  return item !== undefined && isWaiting(item);
}

/** How many other comments of the author are shown. */
const shownOthers = 3;

/** A comment, and its watch if nothing can be sent to YouTube from there. */
interface ReviewItem {
  readonly item: HeldComment;
  readonly unlinked: Watch | undefined;
}

type ReviewButtons = (ctx: Ctx, state: ReviewState, shown: ReviewItem) => readonly Button[];

/** Shows the next comment that waits, or the summary after the last one. */
async function showNext(
  ctx: Ctx,
  before: ReviewState,
  note?: Text,
  buttons: ReviewButtons = reviewButtons,
): Promise<Reply> {
  const { moderation } = ctx;
  const next = await findNext(ctx, before);
  if (next === undefined) {
    const { made, earlier, taken, skipped, handled = 0 } = before;
    const isEmpty = made + earlier + taken + skipped + handled === 0;
    if (isEmpty) return notice({ tone: "good", title: ctx.words.say("review.empty") });
    const rest = skipped > 0 ? again.press(reviewScope(before)) : undefined;
    return finishReview(ctx, before, rest);
  }
  const { state, item, left } = next;
  const [history, others, unlinked] = await Promise.all([
    moderation.queue.history(item),
    moderation.queue.othersOfAuthor(item),
    findKeyOnlyWatch(ctx, item.watchId),
  ]);
  const decided = state.made + state.earlier + (state.handled ?? 0);
  // What was decided says more than what waits.
  const latest = others.toSorted(
    (one, other) => Number(isUndecided(one)) - Number(isUndecided(other)),
  );
  const shown = { item, left, decided, history, others: latest.slice(0, shownOthers), note };
  return drawReview(ctx, { ...shown, buttons: buttons(ctx, state, { item, unlinked }) });
}

/** A comment in a review. */
interface ReviewedComment {
  readonly item: HeldComment;
  /** How many wait from this one on, counted up to a thousand for each watch. */
  readonly left: number;
  readonly decided: number;
  readonly history: AuthorHistory | undefined;
  /** Others of the same author. */
  readonly others: readonly AuthorComment[];
  /** What came of the comment before. */
  readonly note?: Text | undefined;
  readonly buttons: readonly Button[];
}

const countedUpTo = 1_000;

function drawReview(ctx: Pick<Ctx, "words" | "now">, shown: ReviewedComment): Card {
  const { words, now } = ctx;
  const { item, history, others, note, left, decided, buttons } = shown;
  const shownCard = drawOpenComment({ item, history }, { words, now: now() });
  const before = authorCommentLines(others, words);
  return {
    ...shownCard,
    text: join([
      note,
      note !== undefined && "",
      shownCard.text,
      ...describeEarlierTries(item, words),
    ]),
    fields: [
      ...(shownCard.fields ?? []),
      ...(before.length > 0 ? [{ name: words.say("review.earlier"), value: join(before) }] : []),
    ],
    footer: words.say("review.footer", { left, isMore: left >= countedUpTo, decided }),
    buttons,
    isPrivate: true,
  };
}

/** The next open comment: in the watch that is shown, then in those after it. */
async function findNext({ moderation }: Ctx, state: ReviewState) {
  const watches = (await moderation.watches.all()).map(({ id }) => id);
  const from = Math.max(watches.indexOf(state.watchId), 0);
  const scope = state.isOnly ? [state.watchId] : watches.slice(from);
  const found = await Promise.all(
    scope.map(async (watchId) => {
      const after = watchId === state.watchId ? state.after : undefined;
      const shown = state.isOnly ? [] : watches.slice(0, watches.indexOf(watchId));
      return { watchId, after, ...(await moderation.queue.next(watchId, after, shown)) };
    }),
  );
  const first = found.find(({ item }) => item !== undefined);
  if (first?.item === undefined) return undefined;
  const { after: _, ...rest } = state;
  const { watchId, item, after } = first;
  const left = found.reduce((sum, one) => sum + one.left, 0);
  return { state: { ...rest, watchId, ...(after && { after }) }, item, left };
}

function reviewButtons(
  { words }: Ctx,
  state: ReviewState,
  { item, unlinked }: ReviewItem,
): readonly Button[] {
  const shown = { state, itemId: item.id };
  const decideAs = (kind: ReviewDecision) => decide.press({ ...shown, kind });
  const reject: Button =
    unlinked === undefined
      ? { label: words.say("watch.button.reject"), style: "danger", press: decideAs("reject") }
      : { label: words.say("watch.button.handled"), style: "primary", press: handled.press(shown) };
  return [
    { label: approvalLabel(item, words), style: "success", press: decideAs("approve") },
    reject,
    { label: words.say("review.skip"), press: skip.press(shown) },
    { label: words.say("common.more"), press: more.press(shown) },
    { label: words.say("review.finish"), style: "primary", press: finish.press(state) },
  ];
}

function moreButtons(
  { words }: Ctx,
  state: ReviewState,
  { item, unlinked }: ReviewItem,
): readonly Button[] {
  const shown = { state, itemId: item.id };
  return compact<Button>([
    unlinked === undefined && {
      label: words.say("watch.button.ban"),
      style: "danger",
      press: decide.press({ ...shown, kind: "ban" }),
    },
    state.last !== undefined && {
      label: words.say("review.undo_last"),
      press: undoLast.press(state),
    },
    quoteCommentText(item.comment, words).isCut && {
      label: words.say("watch.button.full"),
      press: cardPresses.full(toItemRef(item)),
    },
    item.comment.authorId !== undefined && {
      label: words.say("watch.button.case"),
      press: caseFilePress(toItemRef(item)),
    },
    ...commentLinkButton(item, words),
    ...(unlinked === undefined ? [] : studioButtons(unlinked, item, words)),
    { label: words.say("review.back"), press: back.press(state) },
  ]);
}

export const reviewActions: readonly FeatureAction<never>[] = [
  open,
  again,
  decide,
  handled,
  skip,
  more,
  back,
  undoLast,
  finish,
];
