import {
  ask,
  type Button,
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
import type { DecisionKind, DecisionResult, HeldComment } from "../../moderation/index.ts";
import { describeTooOften } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FlowAction } from "../declarations/index.ts";
import {
  collapseSpaces,
  commentAuthorName,
  commentText,
  cutEscaped,
  listAuthors,
} from "./comment.ts";
import { type ChosenComments, showFullTexts } from "./full-text.ts";
import { actorOf, commentStateLine, isDecidable } from "./state.ts";

/** Decisions that can be made about several comments at once. */
export type GroupDecisionKind = Extract<DecisionKind, "approve" | "reject" | "ban">;

const maxTakenLines = 10;

const requester = { by: "requester", rank: "moderator" } as const;

const decideGroup = action<ChosenComments & { readonly kind: GroupDecisionKind }>({
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

const askBanGroup = action<ChosenComments>({
  ...requester,
  name: "watch.digest-ban-ask",
  answer: "private",
  run: async (ctx, { watchId, itemIds }) => {
    const { words } = ctx;
    const items = (await ctx.moderation.queue.items(watchId, itemIds)).filter(isDecidable);
    const count = items.length;
    if (count === 0) return notice({ tone: "info", title: words.say("watch.digest.none") });
    const open = items.map(({ id }) => id);
    return ask({
      title: words.say("comments.deciding.title_ban", { count }),
      text: join([
        words.say("comments.deciding.final"),
        words.say("comments.deciding.ban", { count }),
      ]),
      fields: [{ name: words.say("comments.deciding.who"), value: listAuthors(items, words) }],
      confirm: {
        label: words.say("watch.digest.ban", { count }),
        style: "danger",
        press: decideGroup.press({ watchId, itemIds: open, kind: "ban" }),
      },
    });
  },
});

const undo = action<ChosenComments>({
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

interface GroupDecision {
  readonly watchId: string;
  readonly kind: GroupDecisionKind;
  readonly decided: readonly DecisionResult[];
}

function decidedNotice({ words }: Ctx, { watchId, kind, decided }: GroupDecision): Reply {
  const ours = decided.filter(({ state }) => state === "pending").map(({ ref }) => ref.itemId);
  const often = decided.flatMap(({ error }) => error ?? []);
  const others = decided.filter(({ state }) => state !== "pending" && state !== "often");
  const count = ours.length;
  const taken: readonly Text[] = [
    ...describeTooOften(often, words),
    ...(others.length === 0
      ? []
      : [
          words.say("watch.digest.taken", { count: others.length }),
          ...others.slice(0, maxTakenLines).map((one) => md`• ${takenLine(one, words)}`),
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

function takenLine({ item }: DecisionResult, words: Words): Text {
  if (item === undefined) return words.say("watch.absent.title");
  return md`${cut(commentAuthorName(item.comment, words), 40)}: ${commentStateLine(item, words)}`;
}

export const groupDecisionActions: readonly FlowAction<never>[] = [decideGroup, askBanGroup, undo];

interface GroupPreview {
  readonly watchId: string;
  /** The chosen comments; only those that nobody has decided about are shown. */
  readonly items: readonly HeldComment[];
  readonly kinds: readonly GroupDecisionKind[];
  readonly title?: string;
  /** Says how they were chosen. */
  readonly note?: string;
}

/** How many characters of the message all comments may take together, after escaping. */
const maxTextsChars = 3400;

const styles = { approve: "success", reject: "danger", ban: "danger" } as const;

/** Shows what a decision about several comments would affect: how many, whose, and their texts. */
export function previewGroup(ctx: Ctx, group: GroupPreview): Reply {
  const { words } = ctx;
  const { watchId, kinds, note } = group;
  const items = group.items.filter(isDecidable);
  const count = items.length;
  if (count === 0) return notice({ tone: "info", title: words.say("watch.digest.none") });
  const { texts, isCut } = textsOf(items, words);
  const chosen = { watchId, itemIds: items.map(({ id }) => id) };
  const isFinal = kinds.some((kind) => kind !== "approve");
  return card({
    tone: "warning",
    title: group.title ?? words.say("watch.digest.preview", { count }),
    text: join([
      note !== undefined && note,
      words.say("watch.digest.by", { authors: listAuthors(items, words) }),
      "",
      ...texts,
      ...(isFinal ? ["", words.say("comments.deciding.final")] : []),
      isCut && words.say("watch.digest.cut"),
    ]),
    isPrivate: true,
    buttons: compact([
      ...kinds.map((kind) => decideButton(kind, chosen, words)),
      isCut && { label: words.say("watch.digest.texts"), press: showFullTexts.press(chosen) },
    ]),
  });
}

function decideButton(kind: GroupDecisionKind, chosen: ChosenComments, words: Words): Button {
  const count = chosen.itemIds.length;
  return {
    label: words.say(`watch.digest.${kind}`, { count }),
    style: styles[kind],
    press: kind === "ban" ? askBanGroup.press(chosen) : decideGroup.press({ ...chosen, kind }),
  };
}

/** Every comment gets an equal share of the message; most comments need less. */
function textsOf(items: readonly HeldComment[], words: Words) {
  const room = Math.floor(maxTextsChars / items.length);
  const lines = items.map(({ comment }) => {
    const author = cut(commentAuthorName(comment, words), 40);
    const head = md`**${author}**: `;
    const said = collapseSpaces(commentText(comment, words));
    const shown = cutEscaped(said, Math.max(20, room - head.markup.length - 1));
    return { text: md`${head}${shown}`, isCut: shown !== said };
  });
  return { texts: lines.map(({ text }) => text), isCut: lines.some(({ isCut }) => isCut) };
}
