import {
  type Button,
  type Card,
  card,
  cut,
  form,
  join,
  type KeptPresses,
  limits,
  md,
  notice,
  type Reply,
  type ReplyOption,
  type Select,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { DigestFacts, HeldComment, Watch } from "../../moderation/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FlowAction } from "../declarations/index.ts";
import {
  commentAuthorName,
  commentBeginning,
  commentText,
  cutEscaped,
  groupByAuthor,
} from "./comment.ts";
import { type GroupDecisionKind, previewGroup } from "./group.ts";
import { absentCommentNotice } from "./redraw.ts";
import { parseMatchTerms } from "./set-up.ts";
import { commentStateLine, isDecidable, stateEmoji } from "./state.ts";

/** With this, twenty-five lines and the text around them fit into a message, even if every character is escaped. */
const maxLineChars = 140;
const maxAuthorChars = 24;

interface DigestRef {
  readonly watchId: string;
  readonly digestId: string;
}

/** Several comments in one message: a line each, and what can be done about many at once. */
export function drawDigestCard(
  { watch, digest, items }: Omit<DigestFacts, "guildId">,
  words: Words,
): Card {
  const ref = { watchId: watch.id, digestId: digest.id };
  const open = items.filter(isDecidable);
  const count = items.length;
  const isDone = open.length === 0;
  const title = isDone ? "watch.digest.done_title" : "watch.digest.title";
  return card({
    title: words.say(title, { count }),
    tone: isDone ? "quiet" : "info",
    text: count === 0 ? words.say("watch.digest.gone") : linesOf(items, words),
    ...(open.length > 0 && {
      selects: [chooseSelect(items, ref, words)],
      buttons: buttonsOf(ref, words),
    }),
    kept: keptPressesOf(digest.card.handle, ref, watch),
    post: {
      title: words.say(title, { count }),
      tags: [words.say(isDone ? "watch.tag.done" : "watch.tag.open")],
    },
  });
}

function linesOf(items: readonly HeldComment[], words: Words): Text {
  const waiting = items.filter(isDecidable).length;
  const counts = words.say("watch.digest.counts", { waiting, decided: items.length - waiting });
  const last = items
    .filter((item) => !isDecidable(item) && item.decision !== undefined)
    .sort((one, other) => (other.decision?.at ?? 0) - (one.decision?.at ?? 0))[0];
  return join([
    md`**${counts}**`,
    ...items.map((item, index) => lineOf(item, index + 1, words)),
    last !== undefined && words.md("watch.digest.last", { status: commentStateLine(last, words) }),
  ]);
}

function lineOf(item: HeldComment, place: number, words: Words): Text {
  const author = cut(commentAuthorName(item.comment, words), maxAuthorChars);
  const head = md`${stateEmoji(item)} \`${place}\` **${author}** `;
  const room = Math.max(maxLineChars - head.markup.length, 30);
  return md`${head}${cutEscaped(commentBeginning(item.comment, words, 100), room)}`;
}

function chooseSelect(items: readonly HeldComment[], ref: DigestRef, words: Words): Select {
  const options = items.flatMap((item, index) =>
    isDecidable(item) ? [optionOf(item, index + 1, words)] : [],
  );
  return {
    placeholder: words.say("watch.button.choose"),
    options,
    max: options.length,
    press: choose.press(ref),
  };
}

function optionOf({ id, comment }: HeldComment, place: number, words: Words): ReplyOption {
  return {
    label: `${place}. ${commentAuthorName(comment, words)}`,
    value: id,
    description: commentBeginning(comment, words, 100),
  };
}

function buttonsOf(ref: DigestRef, words: Words): readonly Button[] {
  return [
    {
      label: words.say("watch.button.approve_all"),
      style: "success",
      press: approveAll.press(ref),
    },
    { label: words.say("watch.button.reject_all"), style: "danger", press: rejectAll.press(ref) },
    { label: words.say("watch.button.by_author"), press: byAuthor.press(ref) },
    { label: words.say("watch.button.by_pattern"), press: byPattern.press(ref) },
  ];
}

function keptPressesOf(handle: string, ref: DigestRef, { source }: Watch): KeptPresses {
  const all = [choose, approveAll, rejectAll, byAuthor, byPattern];
  return { handle, presses: all.map(({ press }) => ({ ...press(ref), as: source })) };
}

const anyone = { by: "anyone", rank: "moderator" } as const;
const allKinds: readonly GroupDecisionKind[] = ["approve", "reject", "ban"];

const choose = action<DigestRef>({
  ...anyone,
  name: "watch.digest-choose",
  answer: "private",
  run: (ctx, ref, { values }) =>
    withOpenItems(ctx, ref, (items) =>
      previewGroup(ctx, {
        watchId: ref.watchId,
        items: items.filter(({ id }) => values.includes(id)),
        kinds: allKinds,
      }),
    ),
});

const approveAll = action<DigestRef>({
  ...anyone,
  name: "watch.digest-approve-all",
  answer: "private",
  run: (ctx, ref) =>
    withOpenItems(ctx, ref, (items) => {
      const title = ctx.words.say("watch.digest.ask_approve", { count: items.length });
      return previewGroup(ctx, { watchId: ref.watchId, items, kinds: ["approve"], title });
    }),
});

const rejectAll = action<DigestRef>({
  ...anyone,
  name: "watch.digest-reject-all",
  answer: "private",
  run: (ctx, ref) =>
    withOpenItems(ctx, ref, (items) => {
      const title = ctx.words.say("comments.deciding.title", { count: items.length });
      return previewGroup(ctx, { watchId: ref.watchId, items, kinds: ["reject", "ban"], title });
    }),
});

const byAuthor = action<DigestRef>({
  ...anyone,
  name: "watch.digest-by-author",
  answer: "private",
  run: (ctx, ref) =>
    withOpenItems(ctx, ref, (items) => {
      const { words } = ctx;
      const options = groupByAuthor(items, words)
        .slice(0, limits.select.options)
        .map(({ name, items }) => ({
          label: name,
          // Authors whose account is gone have no id, so one of their comments stands for them.
          value: items[0]?.id ?? "",
          description: words.say("watch.digest.author_line", { count: items.length }),
        }));
      const placeholder = words.say("watch.digest.choose_authors");
      return card({
        title: words.say("watch.digest.authors_title"),
        text: words.say("watch.digest.authors_text"),
        selects: [{ placeholder, options, max: options.length, press: chooseAuthors.press(ref) }],
      });
    }),
});

const chooseAuthors = action<DigestRef>({
  name: "watch.digest-authors",
  by: "requester",
  rank: "moderator",
  answer: "update",
  run: (ctx, ref, { values }) =>
    withOpenItems(ctx, ref, (items) => {
      const chosen = groupByAuthor(items, ctx.words).filter((author) =>
        author.items.some(({ id }) => values.includes(id)),
      );
      return previewGroup(ctx, {
        watchId: ref.watchId,
        items: chosen.flatMap((author) => author.items),
        kinds: allKinds,
      });
    }),
});

const byPattern = action<DigestRef>({
  ...anyone,
  name: "watch.digest-by-pattern",
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
  name: "watch.digest-pattern",
  by: "requester",
  rank: "moderator",
  answer: "private",
  run: (ctx, ref, { fields }) =>
    withOpenItems(ctx, ref, async (items) => {
      const { words, moderation } = ctx;
      const pattern = fields.pattern ?? "";
      const texts = items.map(({ comment }) => commentText(comment, words));
      const isHit = await moderation.rules.matching(parseMatchTerms(pattern), texts);
      const hits = items.filter((_, at) => isHit[at]);
      const note = words.say("watch.digest.pattern_hits", { pattern });
      if (hits.length === 0) {
        return notice({ tone: "info", title: words.say("watch.digest.no_hits"), text: note });
      }
      return previewGroup(ctx, { watchId: ref.watchId, items: hits, kinds: allKinds, note });
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
  const open = view.items.filter(isDecidable);
  if (open.length > 0) return draw(open);
  return notice({ tone: "info", title: ctx.words.say("watch.digest.none") });
}

export const digestActions: readonly FlowAction<never>[] = [
  choose,
  approveAll,
  rejectAll,
  byAuthor,
  chooseAuthors,
  byPattern,
  submitPattern,
];
