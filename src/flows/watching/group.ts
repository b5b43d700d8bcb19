import {
  type Action,
  action,
  ask,
  type Ctx,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Decided } from "../../moderation/index.ts";
import { oftenLines } from "../comments/decided.ts";
import { authorsIn } from "./authors.ts";
import { authorOf } from "./comment.ts";
import type { Chosen, GroupKind } from "./presses.ts";
import { isOpen, mainOf } from "./state.ts";
import { actorOf } from "./who.ts";

const mostTaken = 10;

const requester = { by: "requester", rank: "moderator" } as const;

export const decideGroup = action<Chosen & { readonly kind: GroupKind }>({
  ...requester,
  name: "watch.digest-decide",
  answer: "update",
  run: async (ctx, { watchId, itemIds, kind }) => {
    const items = itemIds.map((itemId) => ({ watchId, itemId }));
    const by = actorOf(ctx);
    const decided = await ctx.moderation.queue.decide({ items, kind, by, from: "digest" });
    return decidedNotice(ctx, { watchId, kind, decided });
  },
});

export const askBanGroup = action<Chosen>({
  ...requester,
  name: "watch.digest-ban-ask",
  answer: "private",
  run: async (ctx, { watchId, itemIds }) => {
    const { words } = ctx;
    const items = (await ctx.moderation.queue.items(watchId, itemIds)).filter(isOpen);
    const count = items.length;
    if (count === 0) return notice({ tone: "info", title: words.say("watch.digest.none") });
    const open = items.map(({ id }) => id);
    return ask({
      title: words.say("comments.deciding.title_ban", { count }),
      text: join(
        [words.say("comments.deciding.final"), words.say("comments.deciding.ban", { count })],
        "\n",
      ),
      fields: [{ name: words.say("comments.deciding.who"), value: authorsIn(items, words) }],
      confirm: {
        label: words.say("watch.digest.ban", { count }),
        style: "danger",
        press: decideGroup.press({ watchId, itemIds: open, kind: "ban" }),
      },
    });
  },
});

const undo = action<Chosen>({
  ...requester,
  name: "watch.digest-undo",
  answer: "update",
  run: async (ctx, { watchId, itemIds }) => {
    const { words, moderation } = ctx;
    const by = actorOf(ctx);
    const back = await Promise.all(
      itemIds.map((itemId) => moderation.queue.undo({ watchId, itemId }, by)),
    );
    const count = back.filter(({ state }) => state === "open").length;
    const late = back.length - count;
    return notice({
      tone: late === 0 ? "good" : "warning",
      title: words.say(count === 0 ? "watch.late.title" : "watch.back.title"),
      text: join(
        [
          ...(count === 0 ? [] : [words.say("watch.back.text", { count })]),
          ...(late === 0 ? [] : [words.say("watch.back.late", { count: late })]),
        ],
        "\n",
      ),
    });
  },
});

interface Outcome {
  readonly watchId: string;
  readonly kind: GroupKind;
  readonly decided: readonly Decided[];
}

function decidedNotice({ words }: Ctx<unknown>, { watchId, kind, decided }: Outcome): Reply {
  const ours = decided.filter(({ state }) => state === "pending").map(({ ref }) => ref.itemId);
  const often = decided.flatMap(({ error }) => error ?? []);
  const others = decided.filter(({ state }) => state !== "pending" && state !== "often");
  const count = ours.length;
  const taken: readonly Text[] = [
    ...oftenLines(often, words),
    ...(others.length === 0
      ? []
      : [
          words.say("watch.digest.taken", { count: others.length }),
          ...others.slice(0, mostTaken).map((one) => md`• ${takenLine(one, words)}`),
        ]),
  ];
  if (count === 0) {
    const title = words.say("watch.digest.nothing");
    return notice({ tone: "info", title, text: join(taken, "\n") });
  }
  return notice({
    tone: kind === "approve" ? "good" : "warning",
    title: words.say("watch.digest.decided", { kind, count }),
    text: join([words.say("watch.digest.undo_hint"), ...taken], "\n"),
    buttons: [
      {
        label: words.say("watch.button.undo"),
        style: "primary",
        press: undo.press({ watchId, itemIds: ours }),
      },
    ],
  });
}

function takenLine({ item }: Decided, words: Words): Text {
  if (item === undefined) return words.say("watch.absent.title");
  return md`${cut(authorOf(item.comment, words), 40)}: ${mainOf(item, words)}`;
}

export const groupActions: readonly Action<never>[] = [decideGroup, askBanGroup, undo];
