import {
  card,
  form,
  limits,
  notice,
  type Reply,
  type ReplyOption,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { type HeldComment, isWaiting } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FlowAction } from "../declarations/index.ts";
import { byModerators, type DigestRef, digestPresses } from "./card-buttons.ts";
import { commentAuthorName, commentBeginning, commentText, groupByAuthor } from "./comment.ts";
import { allKinds, askAboutGroup } from "./group.ts";
import { absentCommentNotice } from "./redraw.ts";
import { parseMatchTerms } from "./watched-comments.ts";

/** On the private message that is pressed. */
const inPlace = { ...byModerators, by: "requester", answer: "update" } as const;

/** The ways to choose, in a message that only the person sees: a choice on the digest would stand beside its "Reject all". */
const pick = actionFor(digestPresses.pick, {
  ...byModerators,
  run: (ctx, ref) =>
    withOpenItems(ctx, ref, (items) => {
      const { words } = ctx;
      const authors = groupByAuthor(items, words);
      return card({
        title: words.say("watch.button.choose"),
        text: words.say("watch.digest.pick_text"),
        selects: [
          commentSelect(items, ref, words),
          ...(authors.length > 1 ? [authorSelect(items, ref, words)] : []),
        ],
        buttons: [
          { label: words.say("watch.button.by_pattern"), press: digestPresses.byPattern(ref) },
        ],
      });
    }),
});

function commentSelect(items: readonly HeldComment[], ref: DigestRef, words: Words): Select {
  const options = items.slice(0, limits.select.options).map(({ id, comment }): ReplyOption => {
    const label = commentAuthorName(comment, words);
    return { label, value: id, description: commentBeginning(comment, words, 100) };
  });
  const placeholder = words.say("watch.button.choose");
  return { placeholder, options, max: options.length, press: chosen.press(ref) };
}

/** Digests had this select in earlier versions. */
const choose = actionFor(digestPresses.choose, {
  ...byModerators,
  run: (ctx, ref, { values }) => askAboutChosen(ctx, ref, values),
});

const chosen = action<DigestRef>({
  ...inPlace,
  name: "watch.digest-chosen",
  run: (ctx, ref, { values }) => askAboutChosen(ctx, ref, values),
});

function askAboutChosen(ctx: Ctx, ref: DigestRef, ids: readonly string[]): Promise<Reply> {
  return withOpenItems(ctx, ref, (all) => {
    const items = all.filter(({ id }) => ids.includes(id));
    return askAboutGroup(ctx, { watchId: ref.watchId, items, kinds: allKinds });
  });
}

const approveAll = actionFor(digestPresses.approveAll, {
  ...byModerators,
  run: (ctx, { watchId, ...ref }) =>
    withOpenItems(ctx, { watchId, ...ref }, (items) => {
      const title = ctx.words.say("watch.digest.ask_approve", { count: items.length });
      return askAboutGroup(ctx, { watchId, items, kinds: ["approve"], title });
    }),
});

const rejectAll = actionFor(digestPresses.rejectAll, {
  ...byModerators,
  run: (ctx, { watchId, ...ref }) =>
    withOpenItems(ctx, { watchId, ...ref }, (items) => {
      const title = ctx.words.say("comments.deciding.title", { count: items.length });
      return askAboutGroup(ctx, { watchId, items, kinds: ["reject", "ban"], title });
    }),
});

/** Digests have had this button in earlier versions. */
const byAuthor = actionFor(digestPresses.byAuthor, {
  ...byModerators,
  run: (ctx, ref) =>
    withOpenItems(ctx, ref, (items) =>
      card({
        title: ctx.words.say("watch.digest.authors_title"),
        text: ctx.words.say("watch.digest.authors_text"),
        selects: [authorSelect(items, ref, ctx.words)],
      }),
    ),
});

function authorSelect(items: readonly HeldComment[], ref: DigestRef, words: Words): Select {
  const options = groupByAuthor(items, words)
    .slice(0, limits.select.options)
    .map(({ name, items: theirs }) => ({
      label: name,
      // Authors whose account is gone have no id, so one of their comments stands for them.
      value: theirs[0]?.id ?? "",
      description: words.say("watch.digest.author_line", { count: theirs.length }),
    }));
  const placeholder = words.say("watch.digest.choose_authors");
  return { placeholder, options, max: options.length, press: chooseAuthors.press(ref) };
}

const chooseAuthors = action<DigestRef>({
  ...inPlace,
  name: "watch.digest-authors",
  run: (ctx, ref, { values }) =>
    withOpenItems(ctx, ref, (items) => {
      const theirs = groupByAuthor(items, ctx.words)
        .filter((author) => author.items.some(({ id }) => values.includes(id)))
        .flatMap((author) => author.items);
      return askAboutGroup(ctx, { watchId: ref.watchId, items: theirs, kinds: allKinds });
    }),
});

const byPattern = actionFor(digestPresses.byPattern, {
  ...byModerators,
  answer: "form",
  form: ({ words }, ref) =>
    form({
      title: words.say("watch.digest.pattern_title"),
      isReturned: true,
      fields: [
        {
          name: "pattern",
          label: words.say("watch.digest.pattern_label"),
          description: words.say("watch.digest.pattern_about"),
          maxLength: 300,
        },
      ],
      submit: submitPattern.press(ref),
    }),
});

const submitPattern = action<DigestRef>({
  ...inPlace,
  name: "watch.digest-pattern",
  run: (ctx, ref, { fields }) =>
    withOpenItems(ctx, ref, async (items) => {
      const { words, moderation } = ctx;
      const pattern = fields.pattern ?? "";
      const texts = items.map(({ comment }) => commentText(comment, words));
      const isHit = await moderation.rules.matching(parseMatchTerms(pattern), texts);
      const hits = items.filter((_, at) => isHit[at]);
      const note = words.say("watch.digest.pattern_hits", { pattern });
      if (hits.length === 0) {
        const title = words.say("watch.digest.no_hits");
        return notice({ tone: "neutral", title, text: note, isPrivate: true });
      }
      return askAboutGroup(ctx, { watchId: ref.watchId, items: hits, kinds: allKinds, note });
    }),
});

/** Reads the digest again and hands the comments that still wait to `draw`. */
async function withOpenItems(
  ctx: Ctx,
  { watchId, digestId }: DigestRef,
  draw: (items: readonly HeldComment[]) => Reply | Promise<Reply>,
): Promise<Reply> {
  const view = await ctx.moderation.queue.digest(watchId, digestId);
  if (view === undefined) return absentCommentNotice(ctx);
  const open = view.items.filter(isWaiting);
  if (open.length > 0) return draw(open);
  return notice({ tone: "neutral", title: ctx.words.say("watch.digest.none"), isPrivate: true });
}

export const digestActions: readonly FlowAction<never>[] = [
  pick,
  choose,
  chosen,
  approveAll,
  rejectAll,
  byAuthor,
  chooseAuthors,
  byPattern,
  submitPattern,
];
