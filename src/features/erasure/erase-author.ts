import { ask, compact, join, link, notice, type Reply } from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";

/** Shows what is stored here about one author of comments, and asks whether to erase it. */
export async function askToEraseAuthor(ctx: Ctx, author: ChannelRef): Promise<Reply> {
  const { words, moderation } = ctx;
  // An id needs no look at YouTube, where the account may be gone.
  const authorId = "id" in author ? author.id : (await findChannel(ctx, author)).id;
  const { comments, notes, entries, hasHistory, isSpared, unsent } =
    await moderation.authors.traces(authorId);
  const lines = compact([
    comments > 0 && words.say("erasure.queues.comments", { count: comments }),
    hasHistory && words.say("erasure.queues.authors", { count: 1 }),
    notes > 0 && words.say("erasure.queues.notes", { count: notes }),
    entries > 0 && words.say("erasure.author.entries", { count: entries }),
    isSpared && words.say("erasure.author.spared"),
  ]);
  if (lines.length === 0) {
    return notice({ tone: "neutral", title: words.say("erasure.author.nothing") });
  }
  return ask({
    title: words.say("erasure.author.title"),
    text: join([
      link(authorId, youtubePages.channel(authorId)),
      words.md("erasure.author.text"),
      unsent > 0 && words.say("erasure.author.unsent", { count: unsent }),
      words.say("erasure.author.left"),
    ]),
    fields: [{ name: words.say("erasure.author.stored"), value: join(lines) }],
    footer: words.say("erasure.ask.footer"),
    confirm: {
      label: words.say("erasure.author.confirm"),
      style: "danger",
      press: erase.press({ authorId }),
    },
  });
}

const erase = action<{ readonly authorId: string }>({
  name: "connect.erase-author",
  rank: "owner",
  isOnce: true,
  run: async ({ moderation, words }, { authorId }) => {
    await moderation.authors.erase(authorId);
    return notice({ tone: "good", title: words.say("erasure.author.done") });
  },
});

export const eraseAuthorActions = [erase];
