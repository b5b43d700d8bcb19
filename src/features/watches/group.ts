import {
  ask,
  type Button,
  compact,
  cut,
  join,
  md,
  notice,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import {
  type DecisionKind,
  type DecisionResult,
  type HeldComment,
  isWaiting,
} from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import {
  collapseSpaces,
  commentAuthorName,
  commentText,
  cutEscaped,
  listAuthors,
} from "./comment.ts";
import { consentNotice, findKeyOnlyWatch } from "./consent.ts";
import { decidedNotice, takenLines } from "./decided.ts";
import { type ChosenComments, showFullTexts } from "./full-text.ts";
import { toActor } from "./state.ts";

/** Decisions that can be made about several comments at once. */
type GroupDecisionKind = Exclude<DecisionKind, "hold">;

export const allKinds: readonly GroupDecisionKind[] = ["approve", "reject", "ban"];

const requester = { by: "requester", rank: "moderator" } as const;

const decideGroup = action<ChosenComments & { readonly kind: GroupDecisionKind }>({
  ...requester,
  name: "watch.digest-decide",
  isOnce: true,
  run: async (ctx, { watchId, itemIds, kind }) => {
    const items = itemIds.map((itemId) => ({ watchId, itemId }));
    const by = toActor(ctx);
    const decided = await ctx.moderation.queue.decide({ items, kind, by, from: "digest" });
    return decidedNotice(ctx, { watchId, kind, decided });
  },
});

const askBanGroup = action<ChosenComments>({
  ...requester,
  name: "watch.group-ban-ask",
  run: askAboutBans,
});

/** The same in a message of its own, as questions of earlier versions have it. */
const askBanGroupBeside = action<ChosenComments>({
  ...requester,
  name: "watch.digest-ban-ask",
  answer: "private",
  run: askAboutBans,
});

async function askAboutBans(ctx: Ctx, { watchId, itemIds }: ChosenComments): Promise<Reply> {
  const { words } = ctx;
  const items = (await ctx.moderation.queue.items(watchId, itemIds)).filter(isWaiting);
  const count = items.length;
  if (count === 0) return notice({ tone: "neutral", title: words.say("watch.digest.none") });
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
}

/** Notes for several that somebody has dealt with them on YouTube itself; nothing is sent. */
const handleGroup = action<ChosenComments>({
  ...requester,
  name: "watch.digest-handled",
  isOnce: true,
  run: async (ctx, { watchId, itemIds }) => {
    const { words, moderation } = ctx;
    const marked: DecisionResult[] = [];
    for (const itemId of itemIds) {
      marked.push(await moderation.queue.handle({ watchId, itemId }, toActor(ctx)));
    }
    const count = marked.filter(({ state }) => state === "pending").length;
    return notice({
      tone: count > 0 ? "good" : "neutral",
      title: words.say(count > 0 ? "watch.digest.handled_done" : "watch.digest.nothing", { count }),
      text: join(takenLines(marked, words)),
      isPrivate: true,
    });
  },
});

export const groupDecisionActions: readonly FeatureAction<never>[] = [
  decideGroup,
  handleGroup,
  askBanGroup,
  askBanGroupBeside,
];

interface GroupQuestion {
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

/** Asks about several comments: how many, whose, and their texts. */
export async function askAboutGroup(ctx: Ctx, group: GroupQuestion): Promise<Reply> {
  const { words } = ctx;
  const { watchId, note } = group;
  const items = group.items.filter(isWaiting);
  const count = items.length;
  if (count === 0) {
    return notice({ tone: "neutral", title: words.say("watch.digest.none"), isPrivate: true });
  }
  const unlinked = await findKeyOnlyWatch(ctx, watchId);
  const kinds = unlinked === undefined ? group.kinds : group.kinds.filter(needsNoConsent);
  if (unlinked !== undefined && kinds.length === 0) {
    return consentNotice(ctx, unlinked, { use: "reject" });
  }
  const { texts, isCut } = shareTexts(items, words);
  const chosen = { watchId, itemIds: items.map(({ id }) => id) };
  const [first = "approve", ...others] = kinds;
  return ask({
    title: group.title ?? words.say("watch.digest.preview", { count }),
    text: join([
      note !== undefined && note,
      words.say("watch.digest.by", { authors: listAuthors(items, words) }),
      "",
      ...texts,
      ...(kinds.includes("reject") ? ["", words.say("comments.deciding.final")] : []),
      isCut && words.say("watch.digest.cut"),
    ]),
    isPrivate: true,
    confirm: decideButton(first, chosen, words, unlinked !== undefined),
    others: compact([
      unlinked !== undefined && {
        label: words.say("watch.digest.handled", { count }),
        press: handleGroup.press(chosen),
      },
      ...others.map((kind) => decideButton(kind, chosen, words)),
      isCut && { label: words.say("watch.digest.texts"), press: showFullTexts.press(chosen) },
    ]),
  });
}

/** Whether it closes published comments, without a word to YouTube. */
function needsNoConsent(kind: GroupDecisionKind): boolean {
  return kind === "approve";
}

/** Hiding authors asks once more, so of the buttons only one is red. */
const styles = { approve: "success", reject: "danger", ban: "secondary" } as const;

function decideButton(
  kind: GroupDecisionKind,
  chosen: ChosenComments,
  words: Words,
  isKept = false,
): Button {
  const count = chosen.itemIds.length;
  return {
    label: words.say(isKept ? "watch.digest.keep" : `watch.digest.${kind}`, { count }),
    style: styles[kind],
    press: kind === "ban" ? askBanGroup.press(chosen) : decideGroup.press({ ...chosen, kind }),
  };
}

/** Every comment gets an equal share of the message; most comments need less. */
function shareTexts(items: readonly HeldComment[], words: Words) {
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
