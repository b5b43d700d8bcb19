import { ask, notice, type Reply } from "../../discord/index.ts";
import { presses, quoteComment } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { findOwnComment } from "./write.ts";

const deleteNow = action<{ readonly id: string }>({
  name: "comments.delete",
  isOnce: true,
  method: "comments.delete",
  run: async ({ own, signal, words }, { id }) => {
    await own.call("comments.delete", { id }, { signal });
    return notice({ tone: "good", title: words.say("comments.deleting.done") });
  },
});

const askDeleteFromCard = actionFor(presses.comment.remove, {
  method: "comments.delete",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, { id }) => askDeleteComment(ctx, id),
});

export const deleteCommentActions: readonly FeatureAction<never>[] = [deleteNow, askDeleteFromCard];

/** Asks first: quotes the comment and says how many replies are deleted with it. */
export async function askDeleteComment(ctx: Ctx, id: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  const found = await findOwnComment(ctx, id, "delete");
  if ("notice" in found) return found.notice;
  const { comment } = found;
  const wanted = { part: ["snippet"], id: [id] } as const;
  const isReply = comment.snippet?.parentId !== undefined;
  const thread = isReply ? undefined : await own.call("commentThreads.list", wanted, { signal });
  const count = thread?.items[0]?.snippet?.totalReplyCount ?? 0;
  return ask({
    title: words.say("comments.deleting.title"),
    text:
      count === 0
        ? words.say("comments.deleting.text")
        : words.say("comments.deleting.with_replies", { count }),
    fields: [
      { name: words.say("comments.deleting.comment"), value: quoteComment(comment, words, 600) },
    ],
    footer: await ctx.price(["comments.delete"]),
    confirm: {
      label: words.say("comments.deleting.confirm"),
      style: "danger",
      press: deleteNow.press({ id }),
    },
  });
}
