import {
  type Button,
  type Card,
  card,
  compact,
  cut,
  form,
  join,
  md,
  mention,
  type Notice,
  notice,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import {
  type AuthorNote,
  type HeldComment,
  type ItemRef,
  maxNoteChars,
  toItemRef,
} from "../../moderation/index.ts";
import { youtubePages } from "../../video/index.ts";
import { withTyped } from "../comments/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { authorCommentLines } from "./author-comments.ts";
import { authorHistoryText } from "./card.ts";
import { byModerators, caseFilePress } from "./card-buttons.ts";
import { collapseSpaces, commentAuthorName, quoteLines } from "./comment.ts";
import { absentCommentNotice } from "./redraw.ts";
import { toActor } from "./state.ts";

const shownNotes = 5;
const shownNoteChars = 100;
const perPage = 8;

const moderator = { by: "requester", rank: "moderator" } as const;

/** What is known here about the author of a comment: earlier comments, and what moderators noted. */
const open = actionFor(caseFilePress, {
  ...byModerators,
  run: showCaseFile,
});

/** The same in place of the private message that is pressed. */
const back = action<CaseFilePage>({
  ...moderator,
  name: "watch.case-back",
  run: showCaseFile,
});

interface CaseFilePage extends ItemRef {
  readonly page?: number;
}

interface Case {
  readonly item: HeldComment;
  readonly authorId: string;
}

async function findCase(ctx: Ctx, ref: ItemRef): Promise<Case | Notice> {
  const item = await ctx.moderation.queue.item(ref);
  if (item === undefined) return absentCommentNotice(ctx);
  const { authorId } = item.comment;
  if (authorId !== undefined) return { item, authorId };
  return notice({ tone: "neutral", title: ctx.words.say("comments.nobody") });
}

async function showCaseFile(ctx: Ctx, { page, ...ref }: CaseFilePage): Promise<Reply> {
  const found = await findCase(ctx, ref);
  return "kind" in found ? found : drawCaseFile(ctx, found, page);
}

async function drawCaseFile(ctx: Ctx, { item, authorId }: Case, wanted = 0): Promise<Card> {
  const { words, moderation } = ctx;
  const [history, others, notes] = await Promise.all([
    moderation.queue.history(item),
    moderation.queue.othersOfAuthor(item),
    moderation.notes.of(authorId),
  ]);
  const ref = toItemRef(item);
  const pageCount = Math.max(1, Math.ceil(others.length / perPage));
  const page = Math.min(wanted, pageCount - 1);
  const shown = others.slice(page * perPage, (page + 1) * perPage);
  const turn = (to: number) => back.press({ ...ref, page: to });
  return card({
    title: words.say("watch.case.title"),
    author: { name: commentAuthorName(item.comment, words), url: youtubePages.channel(authorId) },
    text: join(
      compact([
        authorHistoryText(history, words),
        ...(shown.length === 0 ? [] : ["", md`**${words.say("review.earlier")}**`]),
        ...authorCommentLines(shown, words),
      ]),
    ),
    fields: [{ name: words.say("watch.case.notes"), value: notesText(notes, words) }],
    ...(pageCount > 1 && {
      footer: `${words.say("common.page", { page: page + 1 })} / ${pageCount}`,
    }),
    ...(notes.length > 0 && {
      selects: [
        {
          placeholder: words.say("watch.case.choose"),
          options: notes.map(({ id, text, by }) => ({
            value: id,
            label: cut(collapseSpaces(text), 90),
            description: cut(by.userName, 90),
          })),
          press: show.press(ref),
        },
      ],
    }),
    buttons: compact<Button>([
      { label: words.say("watch.case.add"), style: "primary", press: ask.press(ref) },
      page > 0 && { label: words.say("common.previous"), press: turn(page - 1) },
      page < pageCount - 1 && { label: words.say("common.next"), press: turn(page + 1) },
    ]),
    isPrivate: true,
  });
}

function notesText(notes: readonly AuthorNote[], words: Words): Text {
  const more = notes.length - shownNotes;
  return join([
    ...(notes.length === 0 ? [words.say("watch.case.none")] : []),
    ...notes
      .slice(0, shownNotes)
      .map((note) => md`• ${cut(collapseSpaces(note.text), shownNoteChars)} · ${signed(note)}`),
    ...(more > 0 ? [words.say("watch.case.more", { count: more })] : []),
  ]);
}

function signed({ by, at }: AuthorNote): Text {
  return md`${mention(by.userId)} ${time(new Date(at))}`;
}

const show = action<ItemRef>({
  ...moderator,
  name: "watch.note-show",
  run: async (ctx, ref, { values: [id] }) => {
    const { words, moderation } = ctx;
    const found = await findCase(ctx, ref);
    if ("kind" in found) return found;
    const note = (await moderation.notes.of(found.authorId)).find((one) => one.id === id);
    // Somebody else has deleted it.
    if (note === undefined) return drawCaseFile(ctx, found);
    return card({
      title: words.say("watch.case.note"),
      author: { name: commentAuthorName(found.item.comment, words) },
      text: join([quoteLines(note.text), signed(note)]),
      buttons: [
        {
          label: words.say("watch.case.delete"),
          style: "danger",
          press: remove.press({ ...ref, noteId: note.id }),
        },
        { label: words.say("review.back"), press: back.press(ref) },
      ],
      isPrivate: true,
    });
  },
});

const ask = action<ItemRef>({
  ...moderator,
  name: "watch.note-new",
  answer: "form",
  form: async ({ words, heldComment }, ref) => {
    const item = await heldComment(ref);
    return form({
      title: words.say("watch.case.add"),
      ...(item && { intro: md`**${commentAuthorName(item.comment, words)}**` }),
      isReturned: true,
      fields: [
        {
          name: "text",
          label: words.say("watch.case.note"),
          description: words.say("watch.case.about"),
          style: "paragraph",
          maxLength: maxNoteChars,
        },
      ],
      submit: add.press(ref),
    });
  },
});

/** @throws InputError as `AuthorNotes.add` */
const add = action<ItemRef>({
  ...moderator,
  name: "watch.note-add",
  run: (ctx, ref, { fields: { text = "" } }) =>
    changeNotes(
      ctx,
      ref,
      (authorId) => ctx.moderation.notes.add({ authorId, text, by: toActor(ctx) }),
      text,
    ),
});

const remove = action<ItemRef & { readonly noteId: string }>({
  ...moderator,
  name: "watch.note-delete",
  run: (ctx, { noteId, ...ref }) =>
    changeNotes(ctx, ref, (authorId) => ctx.moderation.notes.remove(authorId, noteId)),
});

async function changeNotes(
  ctx: Ctx,
  ref: ItemRef,
  change: (authorId: string) => Promise<unknown>,
  typed = "",
): Promise<Reply> {
  const found = await findCase(ctx, ref);
  if ("kind" in found) return withTyped(found, typed, ctx.words);
  await change(found.authorId);
  // The card says how many there are.
  await ctx.moderation.queue.redraw(ref);
  return drawCaseFile(ctx, found);
}

export const caseFileActions: readonly FeatureAction<never>[] = [
  open,
  back,
  show,
  ask,
  add,
  remove,
];
