import {
  type Action,
  action,
  ask,
  type Button,
  type Ctx,
  card,
  compact,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Decided, HeldComment } from "../../moderation/index.ts";
import { oftenLines } from "../comments/index.ts";
import { authorOf, authorsIn, escapedWithin, oneLine, sayingOf } from "./comment.ts";
import { fullTexts } from "./full.ts";
import type { Chosen, GroupKind } from "./presses.ts";
import { actorOf, isOpen, mainOf } from "./state.ts";

const mostTaken = 10;

const requester = { by: "requester", rank: "moderator" } as const;

const decideGroup = action<Chosen & { readonly kind: GroupKind }>({
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

const askBanGroup = action<Chosen>({
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
      text: join([
        words.say("comments.deciding.final"),
        words.say("comments.deciding.ban", { count }),
      ]),
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
      text: join([
        count !== 0 && words.say("watch.back.text", { count }),
        late !== 0 && words.say("watch.back.late", { count: late }),
      ]),
    });
  },
});

interface Outcome {
  readonly watchId: string;
  readonly kind: GroupKind;
  readonly decided: readonly Decided[];
}

function decidedNotice({ words }: Ctx, { watchId, kind, decided }: Outcome): Reply {
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
    return notice({ tone: "info", title, text: join(taken) });
  }
  return notice({
    tone: kind === "approve" ? "good" : "warning",
    title: words.say("watch.digest.decided", { kind, count }),
    text: join([words.say("watch.digest.undo_hint"), ...taken]),
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

interface Previewing {
  readonly watchId: string;
  /** The chosen comments; only those that still wait are shown. */
  readonly items: readonly HeldComment[];
  readonly kinds: readonly GroupKind[];
  readonly title?: string;
  /** Says how they were chosen. */
  readonly note?: string;
}

/** Characters for the comments in the message's text, after escaping. */
const roomForTexts = 3400;

const styles = { approve: "success", reject: "danger", ban: "danger" } as const;

/** What a decision about several comments would affect: how many, whose, and their texts. */
export function preview(ctx: Ctx, previewing: Previewing): Reply {
  const { words } = ctx;
  const { watchId, kinds, note } = previewing;
  const items = previewing.items.filter(isOpen);
  const count = items.length;
  if (count === 0) return notice({ tone: "info", title: words.say("watch.digest.none") });
  const { texts, isCut } = textsOf(items, words);
  const chosen = { watchId, itemIds: items.map(({ id }) => id) };
  const isFinal = kinds.some((kind) => kind !== "approve");
  return card({
    tone: "warning",
    title: previewing.title ?? words.say("watch.digest.preview", { count }),
    text: join([
      note !== undefined && note,
      words.say("watch.digest.by", { authors: authorsIn(items, words) }),
      "",
      ...texts,
      ...(isFinal ? ["", words.say("comments.deciding.final")] : []),
      isCut && words.say("watch.digest.cut"),
    ]),
    isPrivate: true,
    buttons: compact([
      ...kinds.map((kind) => decideButton(kind, chosen, words)),
      isCut && { label: words.say("watch.digest.texts"), press: fullTexts.press(chosen) },
    ]),
  });
}

function decideButton(kind: GroupKind, chosen: Chosen, words: Words): Button {
  const count = chosen.itemIds.length;
  return {
    label: words.say(`watch.digest.${kind}`, { count }),
    style: styles[kind],
    press: kind === "ban" ? askBanGroup.press(chosen) : decideGroup.press({ ...chosen, kind }),
  };
}

/** Each comment gets the same room, which is more than most need. */
function textsOf(items: readonly HeldComment[], words: Words) {
  const room = Math.floor(roomForTexts / items.length);
  const drawn = items.map(({ comment }) => {
    const author = cut(authorOf(comment, words), 40);
    const head = md`**${author}**: `;
    const said = oneLine(sayingOf(comment, words));
    const shown = escapedWithin(said, Math.max(20, room - head.markup.length - 1));
    return { text: md`${head}${shown}`, isCut: shown !== said };
  });
  return { texts: drawn.map(({ text }) => text), isCut: drawn.some(({ isCut }) => isCut) };
}
