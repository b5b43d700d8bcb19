import { action, ask, type Ctx, notice, type Reply } from "../../discord/index.ts";
import { field } from "./draw.ts";
import type { Named } from "./find.ts";

export const remove = action<Named>({
  name: "captions.delete",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.delete",
  run: async (ctx, { id, name }) => {
    await ctx.own.call("captions.delete", { id }, { signal: ctx.signal });
    return notice({
      tone: "good",
      title: ctx.words.say("captions.delete.done"),
      text: name,
    });
  },
});

export const askDelete = action<Named>({
  name: "captions.ask-delete",
  answer: "private",
  by: "anyone",
  row: "captions.delete",
  run: async (ctx, captions) => questionBeforeDelete(ctx, captions),
});

interface Lost extends Named {
  readonly title?: string;
}

export async function questionBeforeDelete(ctx: Ctx, lost: Lost): Promise<Reply> {
  const { id, name, title } = lost;
  const { words } = ctx;
  return ask({
    title: words.say("captions.delete.ask"),
    text: [words.say("captions.delete.text"), await ctx.price(["captions.delete"])].join("\n"),
    fields: [
      field(words, "captions.delete.lost", name),
      ...(title === undefined ? [] : [field(words, "captions.fields.video", title)]),
    ],
    confirm: {
      label: words.say("cards.delete"),
      style: "danger",
      press: remove.press({ id, name }),
    },
  });
}
