import {
  type Action,
  action,
  actionFor,
  card,
  files,
  limits,
  md,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import type { HeldComment } from "../../moderation/index.ts";
import { authorOf, sayingOf } from "./comment.ts";
import { type Chosen, cardPresses } from "./presses.ts";
import { absent, itemFor } from "./redraw.ts";

const full = actionFor(cardPresses.full, {
  by: "anyone",
  rank: "moderator",
  answer: "private",
  run: async (ctx, ref) => {
    const found = await itemFor(ctx, ref);
    return "refusal" in found ? found.refusal : wholeText(found.item, ctx.words);
  },
});

/** Several texts, one below the other. */
export const fullTexts = action<Chosen>({
  name: "watch.digest-texts",
  by: "requester",
  rank: "moderator",
  answer: "private",
  run: async (ctx, { watchId, itemIds }) => {
    const all = await ctx.moderation.queue.items(watchId, itemIds);
    const chosen = all.filter(({ endedAt }) => endedAt === undefined);
    if (chosen.length === 0) return absent(ctx);
    const { words } = ctx;
    const texts = chosen.map(
      ({ comment }) => `${authorOf(comment, words)}\n${sayingOf(comment, words)}\n`,
    );
    return asFile(texts.join("\n"), words);
  },
});

/** In the message where it fits once it is escaped, else as a file. */
function wholeText({ comment }: HeldComment, words: Words): Reply {
  const text = sayingOf(comment, words);
  const name = authorOf(comment, words);
  if (md`${text}`.markup.length > mostShown) return asFile(text, words);
  return card({ title: words.say("watch.full.title"), author: { name }, text });
}

const mostShown = limits.embed.description - 100;

function asFile(text: string, words: Words): Reply {
  return files({
    title: words.say("watch.full.title"),
    text: words.say("watch.full.file"),
    files: [{ name: "comment.txt", data: Buffer.from(text) }],
  });
}

export const fullActions: readonly Action<never>[] = [full, fullTexts];
