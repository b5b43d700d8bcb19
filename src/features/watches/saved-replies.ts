import {
  type Button,
  card,
  cut,
  type Form,
  form,
  join,
  limits,
  md,
  notice,
  type Reply,
} from "../../discord/index.ts";
import { maxReplyChars, maxReplyNameChars, type SavedReply } from "../../moderation/index.ts";
import type { Ctx, FormContext } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import { collapseSpaces, quoteLines } from "./comment.ts";

interface SavedReplyRef {
  readonly id: string;
}

/** A reply that is being changed; older messages don't say what it was. */
interface ChangedReply extends SavedReplyRef {
  readonly was?: Pick<SavedReply, "name" | "text">;
}

/** A list of many replies must fit into one message. */
const maxShownChars = 120;

const moderator = { by: "requester", rank: "moderator" } as const;

/** Lists the replies that the server has saved for reuse. */
export async function showSavedReplies(ctx: Ctx): Promise<Reply> {
  const { words, moderation } = ctx;
  const all = await moderation.replies.all();
  const add: Button = {
    label: words.say("watch.replies.add"),
    style: all.length === 0 ? "primary" : "secondary",
    press: askNew.press(null),
  };
  if (all.length === 0) {
    const title = words.say("watch.replies.title");
    return card({ title, text: words.say("watch.replies.none"), buttons: [add] });
  }
  return card({
    title: words.say("watch.replies.title"),
    text: join(
      all.map(({ name, text }) => md`**${name}**: ${cut(collapseSpaces(text), maxShownChars)}`),
    ),
    selects: [
      {
        placeholder: words.say("watch.replies.choose"),
        options: all
          .slice(0, limits.select.options)
          .map(({ id, name, text }) => ({ value: id, label: name, description: text })),
        press: show.press(null),
      },
    ],
    buttons: [add],
  });
}

const show = action<null>({
  ...moderator,
  name: "watch.reply-show",
  run: async (ctx, _, { values: [id = ""] }) => {
    const { words } = ctx;
    const one = (await ctx.moderation.replies.all()).find((reply) => reply.id === id);
    if (one === undefined) {
      return notice({
        tone: "neutral",
        title: words.say("watch.replies.gone"),
        buttons: [{ label: words.say("watch.replies.back"), press: list.press(null) }],
      });
    }
    return card({
      title: words.say("watch.replies.title"),
      text: join([md`**${one.name}**`, quoteLines(one.text)]),
      buttons: [
        { label: words.say("watch.replies.edit"), style: "primary", press: askEdit.press(one) },
        { label: words.say("watch.replies.remove"), style: "danger", press: remove.press({ id }) },
        { label: words.say("watch.replies.back"), press: list.press(null) },
      ],
    });
  },
});

const list = action<null>({ ...moderator, name: "watch.reply-list", run: showSavedReplies });

const askNew = action<null>({
  ...moderator,
  name: "watch.reply-new",
  answer: "form",
  form: savedReplyForm,
});

const askEdit = action<SavedReply>({
  ...moderator,
  name: "watch.reply-edit",
  answer: "form",
  form: savedReplyForm,
});

/** @throws InputError as `SavedReplies.put` */
const put = action<ChangedReply | null>({
  ...moderator,
  name: "watch.reply-put",
  run: async (ctx, one, { fields }) => {
    const { name = "", text = "" } = fields;
    await ctx.moderation.replies.put({ ...one, name: collapseSpaces(name), text: text.trim() });
    return showSavedReplies(ctx);
  },
});

const remove = action<SavedReplyRef>({
  ...moderator,
  name: "watch.reply-remove",
  run: async (ctx, { id }) => {
    await ctx.moderation.replies.remove(id);
    return showSavedReplies(ctx);
  },
});

function savedReplyForm({ words }: FormContext, reply: SavedReply | null): Form {
  return form({
    title: words.say(reply === null ? "watch.replies.form_add" : "watch.replies.form_edit"),
    isReturned: true,
    fields: [
      {
        name: "name",
        label: words.say("watch.replies.name"),
        maxLength: maxReplyNameChars,
        ...(reply && { value: reply.name }),
      },
      {
        name: "text",
        label: words.say("watch.replies.text"),
        style: "paragraph",
        maxLength: maxReplyChars,
        ...(reply && { value: reply.text }),
      },
    ],
    submit: put.press(reply && { id: reply.id, was: { name: reply.name, text: reply.text } }),
  });
}

export const savedReplyActions: readonly FeatureAction<never>[] = [
  show,
  list,
  askNew,
  askEdit,
  put,
  remove,
];
