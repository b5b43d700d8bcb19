import { hourMs } from "../../clock.ts";
import { ask, join, notice, type Reply, readDate, time } from "../../discord/index.ts";
import type { DecisionKind, DecisionResult, ItemRef } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { byModerators, cardPresses } from "./card-buttons.ts";
import { commentAuthorName, commentBeginning } from "./comment.ts";
import { consentNotice, findKeyOnlyWatch } from "./consent.ts";
import { decidedNotice } from "./decided.ts";
import {
  absentCommentNotice,
  alreadyDecidedNotice,
  redrawCard,
  undoTooLateNotice,
  withOpenComment,
} from "./redraw.ts";
import { isPressedTwice, toActor } from "./state.ts";

// The queue sends decisions and pays for them, so none of these actions names a `method`.

const approve = actionFor(cardPresses.approve, {
  answer: "update",
  ...byModerators,
  run: decideOnCard("approve"),
});

const reject = actionFor(cardPresses.reject, {
  answer: "update",
  ...byModerators,
  run: decideOnCard("reject"),
});

/** Notes that somebody has dealt with it on YouTube itself; nothing is sent. */
const handled = actionFor(cardPresses.handled, {
  answer: "update",
  ...byModerators,
  run: async (ctx, ref) => {
    const marked = await ctx.moderation.queue.handle(ref, toActor(ctx));
    const { state, item } = marked;
    const isOwn = item?.status === "elsewhere" && item.handled?.by.userId === ctx.userId;
    const isDone = state === "pending" || isOwn;
    return isDone && item ? redrawCard(ctx, item) : alreadyDecidedNotice(ctx, marked);
  },
});

/** A ban hides everything that its author writes, so this asks first. */
const askAboutBan = withOpenComment(async (ctx, item, ref) => {
  const { words } = ctx;
  const { comment } = item;
  const unlinked = await findKeyOnlyWatch(ctx, ref.watchId);
  if (unlinked !== undefined) return consentNotice(ctx, unlinked, { use: "ban", item });
  return ask({
    title: words.say("watch.ban.title"),
    text: join([
      words.say("comments.deciding.final"),
      words.say("comments.deciding.ban", { count: 1 }),
    ]),
    fields: [
      { name: commentAuthorName(comment, words), value: commentBeginning(comment, words, 600) },
    ],
    confirm: { label: words.say("watch.button.ban"), style: "danger", press: ban.press(ref) },
  });
});

/** Cards had this button in earlier versions. */
const askBan = actionFor(cardPresses.askBan, { ...byModerators, run: askAboutBan });

/** The same in place of the private message that is pressed. */
export const askBanHere = action<ItemRef>({
  ...byModerators,
  name: "watch.ban-ask-here",
  by: "requester",
  run: askAboutBan,
});

const ban = action<ItemRef>({
  ...byModerators,
  name: "watch.ban",
  by: "requester",
  isOnce: true,
  run: async (ctx, ref) => {
    const decided = await decideOne(ctx, ref, "ban");
    if (decided.state !== "pending") return alreadyDecidedNotice(ctx, decided, "ban");
    return decidedNotice(ctx, { watchId: ref.watchId, kind: "ban", decided: [decided] });
  },
});

const undo = actionFor(cardPresses.undo, {
  answer: "update",
  ...byModerators,
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, toActor(ctx));
    if (state === "late") return undoTooLateNotice(ctx, item);
    return item === undefined ? absentCommentNotice(ctx) : redrawCard(ctx, item);
  },
});

/** Private notes about one comment have had this button in earlier versions. The queue redraws the public card. */
const undoFromNote = action<ItemRef>({
  ...byModerators,
  name: "watch.undo-note",
  by: "requester",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, toActor(ctx));
    if (state === "late") return undoTooLateNotice(ctx, item);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("watch.back.title"),
      text: words.say("watch.back.text", { count: 1 }),
    });
  },
});

/** The first decision counts and is shown on the card; whoever else presses second gets a private note. */
function decideOnCard(kind: DecisionKind) {
  return async (ctx: Ctx, ref: ItemRef): Promise<Reply> => {
    const decided = await decideOne(ctx, ref, kind);
    const { state, item } = decided;
    const isDone = state === "pending" || isPressedTwice(ctx, decided, kind);
    return isDone && item ? redrawCard(ctx, item) : alreadyDecidedNotice(ctx, decided, kind);
  };
}

/** Decides about one comment from its card, or from the messages that its buttons open. */
export async function decideOne(
  ctx: Ctx,
  ref: ItemRef,
  kind: DecisionKind,
): Promise<DecisionResult> {
  const decision = { items: [ref], kind, by: toActor(ctx), from: "card" } as const;
  const [decided] = await ctx.moderation.queue.decide(decision);
  return decided ?? { ref, state: "absent" };
}

export const cardDecisionActions: readonly FeatureAction<never>[] = [
  approve,
  reject,
  handled,
  askBan,
  askBanHere,
  ban,
  undo,
  undoFromNote,
];

const defaultSnoozeMs = 3 * hourMs;

const snoozeLengths = ["h1", "h3", "tomorrow", "d3"] as const;
/** `h3` is the default; `tomorrow` depends on the server's time zone. */
const snoozeMs: ReadonlyMap<string, number> = new Map([
  ["h1", hourMs],
  ["d3", 72 * hourMs],
]);

/** Snoozes at once for three hours; the answer offers other times. Cards had this button in earlier versions. */
const later = actionFor(cardPresses.later, { ...byModerators, run: snoozeNow });

/** The same in place of the private message that is pressed. */
export const laterHere = action<ItemRef>({
  ...byModerators,
  name: "watch.later-here",
  by: "requester",
  run: snoozeNow,
});

function snoozeNow(ctx: Ctx, ref: ItemRef): Promise<Reply> {
  return snooze(ctx, ref, ctx.now() + defaultSnoozeMs);
}

const laterAt = action<ItemRef>({
  ...byModerators,
  name: "watch.later-at",
  by: "requester",
  run: async (ctx, ref, { values: [chosen = ""] }) => {
    const now = ctx.now();
    if (chosen !== "tomorrow") {
      return snooze(ctx, ref, now + (snoozeMs.get(chosen) ?? defaultSnoozeMs));
    }
    const { timeZone = "UTC" } = ctx.settings;
    const reading = { option: "time", now, tag: "en-US", timeZone };
    const morning = await readDate("tomorrow 9:00", reading);
    return snooze(ctx, ref, morning.getTime());
  },
});

const now = actionFor(cardPresses.now, {
  answer: "update",
  ...byModerators,
  run: async (ctx, ref) => {
    const item = await ctx.moderation.queue.endSnooze(ref);
    if (item === undefined) return absentCommentNotice(ctx);
    const { words } = ctx;
    const text = words.say("watch.back.text", { count: 1 });
    // The queue redraws the card.
    return notice({ tone: "good", title: words.say("watch.later.over"), text, isPrivate: true });
  },
});

async function snooze(ctx: Ctx, ref: ItemRef, until: number): Promise<Reply> {
  const { words } = ctx;
  const decided = await ctx.moderation.queue.snooze(ref, toActor(ctx), until);
  const { item } = decided;
  if (item?.status !== "later" || item.later?.until !== until) {
    return alreadyDecidedNotice(ctx, decided);
  }
  const at = new Date(until);
  return notice({
    tone: "neutral",
    title: words.say("watch.later.title"),
    text: words.md("watch.later.text", { at: time(at), moment: time(at, "f") }),
    selects: [
      {
        placeholder: words.say("watch.later.other"),
        options: snoozeLengths.map((one) => ({
          value: one,
          label: words.say(`watch.later.times.${one}`),
        })),
        press: laterAt.press(ref),
      },
    ],
  });
}

export const snoozeActions: readonly FeatureAction<never>[] = [later, laterHere, laterAt, now];
