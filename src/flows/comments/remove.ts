import {
  type Action,
  action,
  actionFor,
  ask,
  type Ctx,
  notice,
  presses,
  quoteOf,
  type Reply,
} from "../../discord/index.ts";
import { repliesTo } from "./find.ts";
import { findOwn } from "./write.ts";

const remove = action<{ readonly id: string }>({
  name: "comments.delete",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "comments.delete",
  run: async ({ own, signal, words }, { id }) => {
    await own.call("comments.delete", { id }, { signal });
    return notice({ tone: "good", title: words.say("comments.deleting.done") });
  },
});

const askDeleteOf = actionFor(presses.comment.remove, {
  answer: "private",
  by: "anyone",
  row: "comments.delete",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, { id }) => askDelete(ctx, id),
});

export const removeActions: readonly Action<never>[] = [remove, askDeleteOf];

/** Quotes what will be lost, with how many replies. */
export async function askDelete(ctx: Ctx, id: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  const found = await findOwn(ctx, id, "delete");
  if ("refusal" in found) return found.refusal;
  const { comment } = found;
  const count = await repliesTo(own, comment, signal);
  return ask({
    title: words.say("comments.deleting.title"),
    text:
      count === 0
        ? words.say("comments.deleting.text")
        : words.say("comments.deleting.with_replies", { count }),
    fields: [{ name: words.say("comments.deleting.comment"), value: quoteOf(comment, words, 600) }],
    footer: await ctx.price(["comments.delete"]),
    confirm: {
      label: words.say("comments.deleting.confirm"),
      style: "danger",
      press: remove.press({ id }),
    },
  });
}
