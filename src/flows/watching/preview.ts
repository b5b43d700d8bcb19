import {
  type Action,
  action,
  ask,
  type Button,
  type Ctx,
  card,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Decided } from "../../moderation/index.ts";
import type { QueueItem } from "../../store/index.ts";
import { authorOf, oneLine, sayingOf } from "./comment.ts";
import { fullTexts } from "./full.ts";
import type { Chosen, GroupKind } from "./presses.ts";
import { isOpen, mainOf } from "./state.ts";
import { actorOf } from "./who.ts";

export interface Previewing {
  readonly watchId: string;
  /** Those that were chosen; only those that still wait are shown. */
  readonly items: readonly QueueItem[];
  readonly kinds: readonly GroupKind[];
  readonly title?: string;
  /** What they were chosen by. */
  readonly note?: string;
}

/** Room for the comments in the message's text, as it is sent. */
const roomForTexts = 3400;
const mostAuthors = 8;
const mostTaken = 10;

const styles = { approve: "success", reject: "danger", ban: "danger" } as const;

/** What a decision about several would be about: how many, whose, and what they say. */
export function preview(ctx: Ctx<unknown>, previewing: Previewing): Reply {
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
    text: join(
      [
        ...(note === undefined ? [] : [note]),
        words.say("watch.digest.by", { authors: authorsIn(items, words) }),
        "",
        ...texts,
        ...(isFinal ? ["", words.say("comments.deciding.final")] : []),
        ...(isCut ? [words.say("watch.digest.cut")] : []),
      ],
      "\n",
    ),
    isPrivate: true,
    buttons: [
      ...kinds.map((kind) => decideButton(kind, chosen, words)),
      ...(isCut
        ? [{ label: words.say("watch.digest.texts"), press: fullTexts.press(chosen) }]
        : []),
    ],
  });
}

function decideButton(kind: GroupKind, chosen: Chosen, words: Words): Button {
  const count = chosen.itemIds.length;
  return {
    label: words.say(`watch.digest.${kind}`, { count }),
    style: styles[kind],
    press: kind === "ban" ? askBan.press(chosen) : decide.press({ ...chosen, kind }),
  };
}

/** Each gets the same room, which is more than most need. */
function textsOf(items: readonly QueueItem[], words: Words) {
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

/** So much of a text that it takes no more than that when it is escaped. */
export function escapedWithin(text: string, room: number): string {
  let max = Math.min(text.length, room);
  let kept = cut(text, max);
  while (md`${kept}`.markup.length > room && max > 1) {
    max = Math.max(1, Math.floor((max * room) / md`${kept}`.markup.length) - 1);
    kept = cut(text, max);
  }
  return kept;
}

export interface AuthorOf {
  readonly key: string;
  readonly name: string;
  readonly items: readonly QueueItem[];
}

/** Who wrote them, those with most first. */
export function authorsOf(items: readonly QueueItem[], words: Words): readonly AuthorOf[] {
  const groups = Map.groupBy(items, ({ comment }) => comment.authorId ?? "");
  const authors = [...groups].flatMap(([key, theirs]): readonly AuthorOf[] => {
    const [first] = theirs;
    return first === undefined
      ? []
      : [{ key, name: cut(authorOf(first.comment, words), 60), items: theirs }];
  });
  return authors.sort((one, other) => other.items.length - one.items.length);
}

function authorsIn(items: readonly QueueItem[], words: Words): string {
  const authors = authorsOf(items, words);
  const shown = authors
    .slice(0, mostAuthors)
    .map(({ name, items }) =>
      items.length === 1
        ? name
        : words.say("watch.digest.author_count", { author: name, count: items.length }),
    );
  const count = authors.length - shown.length;
  return words.list([
    ...shown,
    ...(count > 0 ? [words.say("watch.digest.others", { count })] : []),
  ]);
}

const requester = { by: "requester", rank: "moderator" } as const;

const decide = action<Chosen & { readonly kind: GroupKind }>({
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

const askBan = action<Chosen>({
  ...requester,
  name: "watch.digest-ban-ask",
  answer: "private",
  run: async (ctx, { watchId, itemIds }) => {
    const { words } = ctx;
    const all = await ctx.moderation.queue.items(watchId);
    const items = all.filter((item) => itemIds.includes(item.id) && isOpen(item));
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
        press: decide.press({ watchId, itemIds: open, kind: "ban" }),
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
  const others = decided.filter(({ state }) => state !== "pending");
  const count = ours.length;
  const taken: readonly Text[] =
    others.length === 0
      ? []
      : [
          words.say("watch.digest.taken", { count: others.length }),
          ...others.slice(0, mostTaken).map((one) => md`• ${takenLine(one, words)}`),
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

export const previewActions: readonly Action<never>[] = [decide, askBan, undo];
