import { card, files, limits, md, type Reply, type Words } from "../../discord/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { byModerators, cardPresses } from "./card-buttons.ts";
import { commentAuthorName, commentText } from "./comment.ts";
import { absentCommentNotice } from "./redraw.ts";

/** The full text in the message if it fits after escaping, otherwise as a file. */
const full = actionFor(cardPresses.full, {
  ...byModerators,
  run: async (ctx, ref) => {
    const { words, moderation } = ctx;
    const item = await moderation.queue.item(ref);
    if (item === undefined) return absentCommentNotice(ctx);
    const text = commentText(item.comment, words);
    if (md`${text}`.markup.length > maxTextChars) return fullTextFile(text, words);
    const name = commentAuthorName(item.comment, words);
    return card({ title: words.say("watch.full.title"), author: { name }, text });
  },
});

/** Comments of one watch that were chosen together. */
export interface ChosenComments {
  readonly watchId: string;
  readonly itemIds: readonly string[];
}

/** The full texts of several comments in one file. */
export const showFullTexts = action<ChosenComments>({
  name: "watch.digest-texts",
  rank: "moderator",
  answer: "private",
  run: async (ctx, { watchId, itemIds }) => {
    const all = await ctx.moderation.queue.items(watchId, itemIds);
    const chosen = all.filter(({ endedAt }) => endedAt === undefined);
    if (chosen.length === 0) return absentCommentNotice(ctx);
    const { words } = ctx;
    const texts = chosen.map(
      ({ comment }) => `${commentAuthorName(comment, words)}\n${commentText(comment, words)}\n`,
    );
    return fullTextFile(texts.join("\n"), words);
  },
});

const maxTextChars = limits.embed.description - 100;

function fullTextFile(text: string, words: Words): Reply {
  return files({
    title: words.say("watch.full.title"),
    text: words.say("watch.full.file"),
    files: [{ name: "comment.txt", data: Buffer.from(text) }],
  });
}

export const fullTextActions: readonly FeatureAction<never>[] = [full, showFullTexts];
