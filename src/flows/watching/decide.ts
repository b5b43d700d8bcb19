import {
  type Action,
  action,
  ask,
  type Ctx,
  join,
  notice,
  type Reply,
} from "../../discord/index.ts";
import type { Decided, DecisionKind, ItemRef } from "../../moderation/index.ts";
import { authorOf, beginningOf } from "./comment.ts";
import { absent, cardAgain, itemFor, notNow, tooLate } from "./redraw.ts";
import { isOpen } from "./state.ts";
import { actorOf } from "./who.ts";

// Decisions are sent and paid for by the queue, so none of these names a row.
const anyone = { by: "anyone", rank: "moderator" } as const;

const approve = action<ItemRef>({
  ...anyone,
  name: "watch.approve",
  answer: "update",
  run: (ctx, ref) => decideHere(ctx, ref, "approve"),
});

const reject = action<ItemRef>({
  ...anyone,
  name: "watch.reject",
  answer: "update",
  run: (ctx, ref) => decideHere(ctx, ref, "reject"),
});

/** Hiding somebody concerns everything that they write, so it is asked for. */
const askBan = action<ItemRef>({
  ...anyone,
  name: "watch.ban-ask",
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
      text: join(
        [words.say("comments.deciding.final"), words.say("comments.deciding.ban", { count: 1 })],
        "\n",
      ),
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

const undo = action<ItemRef>({
  ...anyone,
  name: "watch.undo",
  answer: "update",
  run: async (ctx, ref) => {
    const { state, item } = await ctx.moderation.queue.undo(ref, actorOf(ctx));
    if (state === "late") return tooLate(ctx, item);
    return item === undefined ? absent(ctx) : cardAgain(ctx, item);
  },
});

/** The same from a note that one person got: the card follows by itself. */
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

/** First come, first served: the card shows what is decided, whoever is second is told. */
async function decideHere(ctx: Ctx<unknown>, ref: ItemRef, kind: DecisionKind): Promise<Reply> {
  const decided = await decideOne(ctx, ref, kind);
  const { state, item } = decided;
  return state === "pending" && item !== undefined ? cardAgain(ctx, item) : notNow(ctx, decided);
}

async function decideOne(ctx: Ctx<unknown>, ref: ItemRef, kind: DecisionKind): Promise<Decided> {
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
