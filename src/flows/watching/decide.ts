import {
  type Action,
  action,
  actionFor,
  ask,
  type Ctx,
  join,
  notice,
  type Reply,
  readDate,
  type Select,
  time,
} from "../../discord/index.ts";
import type { Decided, DecisionKind, ItemRef } from "../../moderation/index.ts";
import { authorOf, beginningOf } from "./comment.ts";
import { cardPresses } from "./presses.ts";
import { absent, cardAgain, itemFor, notNow, tooLate } from "./redraw.ts";
import { actorOf, isOpen } from "./state.ts";

// Decisions are sent and paid for by the queue, so none of these names a row.
const anyone = { by: "anyone", rank: "moderator" } as const;

const approve = actionFor(cardPresses.approve, {
  ...anyone,
  answer: "update",
  run: (ctx, ref) => decideHere(ctx, ref, "approve"),
});

const reject = actionFor(cardPresses.reject, {
  ...anyone,
  answer: "update",
  run: (ctx, ref) => decideHere(ctx, ref, "reject"),
});

/** A ban hides everything that somebody writes, so it asks first. */
const askBan = actionFor(cardPresses.askBan, {
  ...anyone,
  answer: "private",
  run: async (ctx, ref) => {
    const found = await itemFor(ctx, ref);
    if ("refusal" in found) return found.refusal;
    const { item } = found;
    const { words } = ctx;
    if (!isOpen(item)) {
      const isTaken = item.status === "pending" || item.status === "sending";
      return notNow(ctx, { ref, state: isTaken ? "taken" : "over", item });
    }
    return ask({
      title: words.say("watch.ban.title"),
      text: join([
        words.say("comments.deciding.final"),
        words.say("comments.deciding.ban", { count: 1 }),
      ]),
      fields: [
        { name: authorOf(item.comment, words), value: beginningOf(item.comment, words, 600) },
      ],
      confirm: {
        label: words.say("watch.button.ban"),
        style: "danger",
        press: ban.press(ref),
      },
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
    if (decided.state !== "pending") return notNow(ctx, decided);
    const { words } = ctx;
    return notice({
      tone: "warning",
      title: words.say("watch.ban.done_title"),
      text: words.say("watch.ban.done_text"),
      buttons: [
        { label: words.say("watch.button.undo"), style: "primary", press: undoNote.press(ref) },
      ],
    });
  },
});

const undo = actionFor(cardPresses.undo, {
  ...anyone,
  answer: "update",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, actorOf(ctx));
    if (state === "late") return tooLate(ctx, item);
    return item === undefined ? absent(ctx) : cardAgain(ctx, item);
  },
});

/** Undo from a private note: the card is updated by itself. */
export const undoNote = action<ItemRef>({
  ...anyone,
  name: "watch.undo-note",
  by: "requester",
  answer: "update",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, actorOf(ctx));
    if (state === "late") return tooLate(ctx, item);
    const { words } = ctx;
    return notice({
      tone: "good",
      title: words.say("watch.back.title"),
      text: words.say("watch.back.text", { count: 1 }),
    });
  },
});

/** The first decision counts and is shown on the card; whoever comes second gets a note. */
async function decideHere(ctx: Ctx, ref: ItemRef, kind: DecisionKind): Promise<Reply> {
  const decided = await decideOne(ctx, ref, kind);
  const { state, item } = decided;
  return state === "pending" && item !== undefined ? cardAgain(ctx, item) : notNow(ctx, decided);
}

async function decideOne(ctx: Ctx, ref: ItemRef, kind: DecisionKind): Promise<Decided> {
  const [decided] = await ctx.moderation.queue.decide({
    items: [ref],
    kind,
    by: actorOf(ctx),
    from: "card",
  });
  return decided ?? { ref, state: "absent" };
}

export const decideActions: readonly Action<never>[] = [
  approve,
  reject,
  askBan,
  ban,
  undo,
  undoNote,
];

const hourMs = 3_600_000;
const usualMs = 3 * hourMs;

type Ahead = "h1" | "h3" | "tomorrow" | "d3";
const times: readonly Ahead[] = ["h1", "h3", "tomorrow", "d3"];

/** Snoozes at once for the usual time; the answer offers other times. */
const later = actionFor(cardPresses.later, {
  ...anyone,
  answer: "private",
  run: (ctx, ref) => putOff(ctx, ref, ctx.now() + usualMs),
});

const laterAt = action<ItemRef>({
  ...anyone,
  name: "watch.later-at",
  by: "requester",
  answer: "update",
  run: async (ctx, ref, { values: [chosen] }) =>
    putOff(ctx, ref, await momentOf(times.find((one) => one === chosen) ?? "h3", ctx)),
});

const now = actionFor(cardPresses.now, {
  ...anyone,
  answer: "update",
  run: async (ctx, ref) => {
    const item = await ctx.moderation.queue.now(ref);
    return item === undefined ? absent(ctx) : cardAgain(ctx, item);
  },
});

async function putOff(ctx: Ctx, ref: ItemRef, until: number): Promise<Reply> {
  const { words } = ctx;
  const decided = await ctx.moderation.queue.later(ref, actorOf(ctx), until);
  const { item } = decided;
  if (item?.status !== "later" || item.later?.until !== until) return notNow(ctx, decided);
  const at = new Date(until);
  return notice({
    tone: "info",
    title: words.say("watch.later.title"),
    text: words.md("watch.later.text", { at: time(at), moment: time(at, "f") }),
    selects: [timesSelect(ctx, ref)],
  });
}

function timesSelect({ words }: Ctx, ref: ItemRef): Select {
  return {
    placeholder: words.say("watch.later.other"),
    options: times.map((one) => ({ value: one, label: words.say(`watch.later.times.${one}`) })),
    press: laterAt.press(ref),
  };
}

async function momentOf(ahead: Ahead, { now, settings }: Ctx): Promise<number> {
  switch (ahead) {
    case "h1":
      return now() + hourMs;
    case "h3":
      return now() + usualMs;
    case "d3":
      return now() + 72 * hourMs;
    case "tomorrow": {
      const timeZone = settings.timeZone ?? "UTC";
      const reading = { option: "time", now: now(), tag: "en-US", timeZone };
      return (await readDate("tomorrow 9:00", reading)).getTime();
    }
  }
}

export const laterActions: readonly Action<never>[] = [later, laterAt, now];
