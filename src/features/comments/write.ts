import {
  cut,
  type Form,
  form,
  gone,
  limits,
  md,
  type Notice,
  notice,
  type Press,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { type Comment, maxCommentChars, postComment, replyToComment } from "../../video/index.ts";
import { commentAuthor, commentCard, isOwnComment, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { recordReply } from "./decide.ts";
import { findCommentById } from "./find.ts";
import { commentContext } from "./lists.ts";
import { withTyped } from "./typed.ts";

const sendPost = action<{ readonly videoId: string }>({
  name: "comments.send-post",
  answer: "private",
  method: "commentThreads.insert",
  uses: ["videos.list", "commentThreads.list"],
  run: (ctx, { videoId }, { fields }) => sendComment(ctx, videoId, fields.text ?? ""),
});

const sendReply = action<{ readonly id: string }>({
  name: "comments.send-reply",
  answer: "private",
  method: "comments.insert",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, { id }, { fields }) => sendCommentReply(ctx, id, fields.text ?? ""),
});

const sendEdit = action<{ readonly id: string }>({
  name: "comments.send-edit",
  answer: "private",
  method: "comments.update",
  uses: ["comments.list"],
  run: (ctx, { id }, { fields }) => changeComment(ctx, id, fields.text ?? ""),
});

const openReply = actionFor(presses.comment.reply, {
  answer: "form",
  method: "comments.insert",
  form: commentReplyForm,
});

const openEdit = actionFor(presses.comment.edit, {
  answer: "form",
  method: "comments.update",
  form: commentEditForm,
});

function commentEditForm(
  { words }: Pick<Ctx, "words">,
  { id, text }: { readonly id: string; readonly text: string },
): Form {
  return textForm(words.say("comments.form.edit"), words, sendEdit.press({ id }), text);
}

export const writeCommentActions: readonly FeatureAction<never>[] = [
  sendPost,
  sendReply,
  sendEdit,
  openReply,
  openEdit,
];

export function commentPostForm(videoId: string, words: Words): Form {
  return textForm(words.say("comments.form.post"), words, sendPost.press({ videoId }));
}

interface AnsweredComment {
  readonly id: string;
  readonly author?: string | undefined;
  /** The beginning of its text. */
  readonly text?: string | undefined;
}

/** Shows the comment that it answers, because the form hides the message that does. */
function commentReplyForm(
  { words }: Pick<Ctx, "words">,
  { id, author, text }: AnsweredComment,
): Form {
  const title =
    author === undefined
      ? words.say("comments.form.reply")
      : words.say("comments.form.reply_to", { author });
  const form = textForm(title, words, sendReply.press({ id }));
  return text === undefined ? form : { ...form, intro: md`> ${text}` };
}

function textForm(title: string, words: Words, submit: Press, value?: string): Form {
  return form({
    title,
    isReturned: true,
    fields: [
      {
        name: "text",
        label: words.say("comments.form.text"),
        style: "paragraph",
        maxLength: limits.form.text,
        value,
      },
    ],
    submit,
  });
}

/** @throws what `postComment` throws */
export async function sendComment(ctx: Ctx, videoId: string, text: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  requireText(text);
  const { snippet } = await postComment(own, { videoId, text }, { signal });
  const comment = snippet?.topLevelComment ?? {};
  return {
    ...commentCard(comment, words.say("comments.posted"), commentContext(ctx)),
    tone: "good",
  };
}

/** @throws what `replyToComment` throws */
export async function sendCommentReply(ctx: Ctx, commentId: string, text: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  const comment = await replyToComment(own, { commentId, text }, { signal });
  recordReply(ctx, commentId, comment);
  return {
    ...commentCard(comment, words.say("comments.replied"), commentContext(ctx)),
    tone: "good",
  };
}

/**
 * Changes a comment of the linked channel. A comment of somebody else is refused before quota is spent.
 * @throws InputError `comment_text_required`, `comment_text_too_long`
 */
export async function changeComment(ctx: Ctx, id: string, text: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  requireText(text);
  const found = await findOwnComment(ctx, id, "edit");
  if ("notice" in found) return withTyped(found.notice, text, words);
  if (commentText(found.comment) === text) {
    const [title, said] = [words.say("comments.same.title"), words.say("comments.same.text")];
    return notice({ tone: "neutral", title, text: said });
  }
  const body = { id, snippet: { textOriginal: text } };
  const params = { part: ["snippet"], body } as const;
  const after = await own.call("comments.update", params, { signal });
  const before = {
    name: words.say("comments.before"),
    value: cut(commentText(found.comment), 900),
  };
  return {
    ...commentCard(after, words.say("comments.edited"), commentContext(ctx)),
    tone: "good",
    fields: [before],
  };
}

/** The form with the comment's text, or a button for it where it is read too late for a first answer. */
export async function offerCommentEdit(ctx: Ctx, id: string): Promise<Reply> {
  const { words } = ctx;
  const found = await findOwnComment(ctx, id, "edit");
  if ("notice" in found) return found.notice;
  const text = commentText(found.comment);
  const isLong = text.length > limits.form.text;
  const hint = isLong
    ? words.say("comments.editing.long", { chars: [...text].length, most: limits.form.text })
    : words.say("comments.editing.text");
  return notice({
    tone: "neutral",
    title: words.say("comments.editing.title"),
    text: md`> ${cut(text.replaceAll(/\s+/gu, " "), 600)}\n\n${hint}`,
    ...(!isLong && {
      formBehindButton: commentEditForm(ctx, { id, text }),
      buttons: [
        {
          label: words.say("comments.button.edit"),
          style: "primary",
          press: presses.comment.edit(id, text),
        },
      ],
    }),
  });
}

/** The form for a reply with the comment that it answers, or a button for it where that is read too late for a first answer. */
export async function offerCommentReply(ctx: Ctx, id: string): Promise<Reply> {
  const { own, signal, words } = ctx;
  const comment = await findCommentById(own, id, signal);
  if (comment === undefined) return gone("comment", words);
  const author = cut(commentAuthor(comment, words), 40);
  const text = cut(commentText(comment).replaceAll(/\s+/gu, " ").trim(), 300);
  return notice({
    tone: "neutral",
    title: words.say("comments.form.reply_to", { author }),
    text: md`> ${text}`,
    formBehindButton: commentReplyForm(ctx, { id, author, text }),
    buttons: [
      {
        label: words.say("comments.button.reply"),
        style: "primary",
        press: presses.comment.reply(id, author, text),
      },
    ],
  });
}

/** Only its author can change or delete a comment, so comments of others are refused. */
export async function findOwnComment(
  ctx: Ctx,
  id: string,
  what: "edit" | "delete",
): Promise<{ readonly comment: Comment } | { readonly notice: Notice }> {
  const { own, signal, words, channelId } = ctx;
  const comment = await findCommentById(own, id, signal);
  if (comment === undefined) return { notice: gone("comment", words) };
  // YouTube returns the original text only to the comment's author.
  if (comment.snippet?.textOriginal !== undefined || isOwnComment(comment, channelId)) {
    return { comment };
  }
  const title = words.say("comments.foreign.title");
  const text = words.md(`comments.foreign.${what}`);
  return { notice: notice({ tone: "bad", title, text }) };
}

function commentText({ snippet }: Comment): string {
  return snippet?.textOriginal ?? snippet?.textDisplay ?? "";
}

function requireText(text: string): void {
  if (text.trim() === "") {
    throw new InputError("no text", { code: "comment_text_required" });
  }
  const chars = [...text].length;
  if (chars <= maxCommentChars) return;
  throw new InputError(`${chars} characters`, {
    code: "comment_text_too_long",
    facts: { rule: "chars", length: chars, most: maxCommentChars },
  });
}
