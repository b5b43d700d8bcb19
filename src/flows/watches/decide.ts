import { ask, join, notice, type Reply, readDate, type Select, time } from "../../discord/index.ts";
import type { DecisionKind, DecisionResult, ItemRef } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FlowAction } from "../declarations/index.ts";
import { commentAuthorName, commentBeginning } from "./comment.ts";
import { cardPresses } from "./presses.ts";
import {
  absentCommentNotice,
  alreadyDecidedNotice,
  findQueuedComment,
  redrawCard,
  undoTooLateNotice,
} from "./redraw.ts";
import { actorOf, isDecidable } from "./state.ts";

// The queue sends decisions and pays for them, so none of these actions names a `method`.
const anyone = { by: "anyone", rank: "moderator" } as const;

const approve = actionFor(cardPresses.approve, {
  ...anyone,
  answer: "update",
  run: (ctx, ref) => decideOnCard(ctx, ref, "approve"),
});

const reject = actionFor(cardPresses.reject, {
  ...anyone,
  answer: "update",
  run: (ctx, ref) => decideOnCard(ctx, ref, "reject"),
});

/** A ban hides everything that its author writes, so this asks first. */
const askBan = actionFor(cardPresses.askBan, {
  ...anyone,
  answer: "private",
  run: async (ctx, ref) => {
    const found = await findQueuedComment(ctx, ref);
    if ("refusal" in found) return found.refusal;
    const { item } = found;
    const { words } = ctx;
    if (!isDecidable(item)) {
      const isTaken = item.status === "pending" || item.status === "sending";
      return alreadyDecidedNotice(ctx, { ref, state: isTaken ? "taken" : "over", item });
    }
    return ask({
      title: words.say("watch.ban.title"),
      text: join([
        words.say("comments.deciding.final"),
        words.say("comments.deciding.ban", { count: 1 }),
      ]),
      fields: [
        {
          name: commentAuthorName(item.comment, words),
          value: commentBeginning(item.comment, words, 600),
        },
      ],
      confirm: { label: words.say("watch.button.ban"), style: "danger", press: ban.press(ref) },
    });
  },
});

const ban = action<ItemRef>({
  ...anyone,
  name: "watch.ban",
  by: "requester",
  answer: "update",
  run: async (ctx, ref) => {
    const decided = await decideOne(ctx, ref, "ban");
    if (decided.state !== "pending") return alreadyDecidedNotice(ctx, decided);
    const { words } = ctx;
    return notice({
      tone: "warning",
      title: words.say("watch.ban.done_title"),
      text: words.say("watch.ban.done_text"),
      buttons: [
        { label: words.say("watch.button.undo"), style: "primary", press: undoFromNote.press(ref) },
      ],
    });
  },
});

const undo = actionFor(cardPresses.undo, {
  ...anyone,
  answer: "update",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, actorOf(ctx));
    if (state === "late") return undoTooLateNotice(ctx, item);
    return item === undefined ? absentCommentNotice(ctx) : redrawCard(ctx, item);
  },
});

/** The undo button of a private note. The queue redraws the public card. */
export const undoFromNote = action<ItemRef>({
  ...anyone,
  name: "watch.undo-note",
  by: "requester",
  answer: "update",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, actorOf(ctx));
    if (state === "late") return undoTooLateNotice(ctx, item);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("watch.back.title"),
      text: words.say("watch.back.text", { count: 1 }),
    });
  },
});

/** The first decision counts and is shown on the card; whoever presses second gets a private note. */
async function decideOnCard(ctx: Ctx, ref: ItemRef, kind: DecisionKind): Promise<Reply> {
  const decided = await decideOne(ctx, ref, kind);
  const { state, item } = decided;
  return state === "pending" && item !== undefined
    ? redrawCard(ctx, item)
    : alreadyDecidedNotice(ctx, decided);
}

async function decideOne(ctx: Ctx, ref: ItemRef, kind: DecisionKind): Promise<DecisionResult> {
  const [decided] = await ctx.moderation.queue.decide({
    items: [ref],
    kind,
    by: actorOf(ctx),
    from: "card",
  });
  return decided ?? { ref, state: "absent" };
}

export const cardDecisionActions: readonly FlowAction<never>[] = [
  approve,
  reject,
  askBan,
  ban,
  undo,
  undoFromNote,
];

const hourMs = 3_600_000;
const defaultSnoozeMs = 3 * hourMs;

type SnoozeLength = "h1" | "h3" | "tomorrow" | "d3";
const snoozeLengths: readonly SnoozeLength[] = ["h1", "h3", "tomorrow", "d3"];

/** Snoozes at once for three hours; the answer offers other times. */
const later = actionFor(cardPresses.later, {
  ...anyone,
  answer: "private",
  run: (ctx, ref) => snooze(ctx, ref, ctx.now() + defaultSnoozeMs),
});

const laterAt = action<ItemRef>({
  ...anyone,
  name: "watch.later-at",
  by: "requester",
  answer: "update",
  run: async (ctx, ref, { values: [chosen] }) =>
    snooze(ctx, ref, await snoozeEnd(snoozeLengths.find((one) => one === chosen) ?? "h3", ctx)),
});

const now = actionFor(cardPresses.now, {
  ...anyone,
  answer: "update",
  run: async (ctx, ref) => {
    const item = await ctx.moderation.queue.endSnooze(ref);
    return item === undefined ? absentCommentNotice(ctx) : redrawCard(ctx, item);
  },
});

async function snooze(ctx: Ctx, ref: ItemRef, until: number): Promise<Reply> {
  const { words } = ctx;
  const decided = await ctx.moderation.queue.snooze(ref, actorOf(ctx), until);
  const { item } = decided;
  if (item?.status !== "later" || item.later?.until !== until)
    return alreadyDecidedNotice(ctx, decided);
  const at = new Date(until);
  return notice({
    tone: "info",
    title: words.say("watch.later.title"),
    text: words.md("watch.later.text", { at: time(at), moment: time(at, "f") }),
    selects: [snoozeSelect(ctx, ref)],
  });
}

function snoozeSelect({ words }: Ctx, ref: ItemRef): Select {
  return {
    placeholder: words.say("watch.later.other"),
    options: snoozeLengths.map((one) => ({
      value: one,
      label: words.say(`watch.later.times.${one}`),
    })),
    press: laterAt.press(ref),
  };
}

async function snoozeEnd(ahead: SnoozeLength, { now, settings }: Ctx): Promise<number> {
  switch (ahead) {
    case "h1":
      return now() + hourMs;
    case "h3":
      return now() + defaultSnoozeMs;
    case "d3":
      return now() + 72 * hourMs;
    case "tomorrow": {
      const timeZone = settings.timeZone ?? "UTC";
      const reading = { option: "time", now: now(), tag: "en-US", timeZone };
      return (await readDate("tomorrow 9:00", reading)).getTime();
    }
  }
}

export const snoozeActions: readonly FlowAction<never>[] = [later, laterAt, now];
