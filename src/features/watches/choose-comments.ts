import {
  card,
  compact,
  form,
  limits,
  notice,
  type PressInput,
  type Reply,
  type Select,
  type Words,
} from "../../discord/index.ts";
import { type HeldComment, isWaiting } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { byModerators, type DigestRef, digestPresses } from "./card-buttons.ts";
import { commentAuthorName, commentBeginning, commentText, groupByAuthor } from "./comment.ts";
import { findKeyOnlyWatch } from "./consent.ts";
import { allKinds, askAboutGroup } from "./group.ts";
import { absentCommentNotice } from "./redraw.ts";
import { parseMatchTerms } from "./watched-comments.ts";

/** On the private message that is pressed. */
const inPlace = { ...byModerators, by: "requester", answer: "update" } as const;

/** The ways to choose, in a message that only the person sees: a choice on the digest would stand beside its "Reject all". */
const pick = actionFor(digestPresses.pick, {
  ...byModerators,
  run: withOpenItems(({ words }, { items, ref }) => {
    const options = items.slice(0, limits.select.options).map(({ id, comment }) => ({
      label: commentAuthorName(comment, words),
      value: id,
      description: commentBeginning(comment, words, 100),
    }));
    const placeholder = words.say("watch.button.choose");
    return card({
      title: words.say("watch.button.choose"),
      text: words.say("watch.digest.pick_text"),
      selects: compact([
        { placeholder, options, max: options.length, press: chosen.press(ref) },
        groupByAuthor(items, words).length > 1 && authorSelect(items, ref, words),
      ]),
      buttons: [
        { label: words.say("watch.button.by_pattern"), press: digestPresses.byPattern(ref) },
      ],
    });
  }),
});

const askAboutChosen = withOpenItems((ctx, { items: all, ref }, { values }) => {
  const items = all.filter(({ id }) => values.includes(id));
  return askAboutGroup(ctx, { watchId: ref.watchId, items, kinds: allKinds });
});

/** Digests had this select in earlier versions. */
const choose = actionFor(digestPresses.choose, { ...byModerators, run: askAboutChosen });

const chosen = action<DigestRef>({
  ...inPlace,
  name: "watch.digest-chosen",
  run: askAboutChosen,
});

const approveAll = actionFor(digestPresses.approveAll, {
  ...byModerators,
  run: withOpenItems(async (ctx, { items, ref: { watchId } }) => {
    const isKeyOnly = (await findKeyOnlyWatch(ctx, watchId)) !== undefined;
    const key = isKeyOnly ? "watch.digest.ask_keep" : "watch.digest.ask_approve";
    const title = ctx.words.say(key, { count: items.length });
    return askAboutGroup(ctx, { watchId, items, kinds: ["approve"], title });
  }),
});

const rejectAll = actionFor(digestPresses.rejectAll, {
  ...byModerators,
  run: withOpenItems((ctx, { items, ref: { watchId } }) => {
    const title = ctx.words.say("comments.deciding.title", { count: items.length });
    return askAboutGroup(ctx, { watchId, items, kinds: ["reject", "ban"], title });
  }),
});

/** Digests have had this button in earlier versions. */
const byAuthor = actionFor(digestPresses.byAuthor, {
  ...byModerators,
  run: withOpenItems(({ words }, { items, ref }) =>
    card({
      title: words.say("watch.digest.authors_title"),
      text: words.say("watch.digest.authors_text"),
      selects: [authorSelect(items, ref, words)],
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
  run: withOpenItems((ctx, { items: all, ref: { watchId } }, { values }) => {
    const authors = groupByAuthor(all, ctx.words).filter((author) =>
      author.items.some(({ id }) => values.includes(id)),
    );
    const items = authors.flatMap((author) => author.items);
    return askAboutGroup(ctx, { watchId, items, kinds: allKinds });
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
  run: withOpenItems(async (ctx, { items: all, ref: { watchId } }, { fields }) => {
    const { words, moderation } = ctx;
    const { pattern = "" } = fields;
    const texts = all.map(({ comment }) => commentText(comment, words));
    const isHit = await moderation.rules.matching(parseMatchTerms(pattern), texts);
    const items = all.filter((_, at) => isHit[at]);
    const note = words.say("watch.digest.pattern_hits", { pattern });
    if (items.length === 0) {
      const title = words.say("watch.digest.no_hits");
      return notice({ tone: "neutral", title, text: note, isPrivate: true });
    }
    return askAboutGroup(ctx, { watchId, items, kinds: allKinds, note });
  }),
});

interface OpenDigest {
  readonly ref: DigestRef;
  /** Its comments that still wait. */
  readonly items: readonly HeldComment[];
}

/** Handles a press about a digest, which is read again; says so where nothing waits any more. */
function withOpenItems(
  draw: (ctx: Ctx, open: OpenDigest, input: PressInput) => Reply | Promise<Reply>,
) {
  return async (ctx: Ctx, ref: DigestRef, input: PressInput): Promise<Reply> => {
    const view = await ctx.moderation.queue.digest(ref.watchId, ref.digestId);
    if (view === undefined) return absentCommentNotice(ctx);
    const items = view.items.filter(isWaiting);
    if (items.length > 0) return draw(ctx, { ref, items }, input);
    return notice({ tone: "neutral", title: ctx.words.say("watch.digest.none"), isPrivate: true });
  };
}

export const digestActions: readonly FeatureAction<never>[] = [
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
