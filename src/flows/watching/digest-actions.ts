import {
  type Action,
  action,
  actionFor,
  type Ctx,
  card,
  form,
  limits,
  type Notice,
  notice,
  type Reply,
} from "../../discord/index.ts";
import type { HeldComment } from "../../moderation/index.ts";
import { authorsOf, sayingOf } from "./comment.ts";
import { preview } from "./group.ts";
import { type DigestRef, digestPresses, type GroupKind } from "./presses.ts";
import { absent } from "./redraw.ts";
import { isOpen } from "./state.ts";
import { wantedIn } from "./wanted.ts";

const anyone = { by: "anyone", rank: "moderator" } as const;
const allKinds: readonly GroupKind[] = ["approve", "reject", "ban"];

const choose = actionFor(digestPresses.choose, {
  ...anyone,
  answer: "private",
  run: (ctx, ref, { values }) =>
    withOpen(ctx, ref, (items) =>
      preview(ctx, {
        watchId: ref.watchId,
        items: items.filter(({ id }) => values.includes(id)),
        kinds: allKinds,
      }),
    ),
});

const approveAll = actionFor(digestPresses.approveAll, {
  ...anyone,
  answer: "private",
  run: (ctx, ref) =>
    withOpen(ctx, ref, (items) => {
      const title = ctx.words.say("watch.digest.ask_approve", { count: items.length });
      return preview(ctx, { watchId: ref.watchId, items, kinds: ["approve"], title });
    }),
});

const rejectAll = actionFor(digestPresses.rejectAll, {
  ...anyone,
  answer: "private",
  run: (ctx, ref) =>
    withOpen(ctx, ref, (items) => {
      const title = ctx.words.say("comments.deciding.title", { count: items.length });
      return preview(ctx, { watchId: ref.watchId, items, kinds: ["reject", "ban"], title });
    }),
});

const byAuthor = actionFor(digestPresses.byAuthor, {
  ...anyone,
  answer: "private",
  run: (ctx, ref) =>
    withOpen(ctx, ref, (items) => {
      const { words } = ctx;
      const options = authorsOf(items, words)
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
        selects: [{ placeholder, options, max: options.length, press: ofAuthors.press(ref) }],
      });
    }),
});

const ofAuthors = action<DigestRef>({
  name: "watch.digest-authors",
  by: "requester",
  rank: "moderator",
  answer: "update",
  run: (ctx, ref, { values }) =>
    withOpen(ctx, ref, (items) => {
      const chosen = authorsOf(items, ctx.words).filter((author) =>
        author.items.some(({ id }) => values.includes(id)),
      );
      return preview(ctx, {
        watchId: ref.watchId,
        items: chosen.flatMap((author) => author.items),
        kinds: allKinds,
      });
    }),
});

const byPattern = actionFor(digestPresses.byPattern, {
  ...anyone,
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
      submit: ofPattern.press(ref),
    }),
});

const ofPattern = action<DigestRef>({
  name: "watch.digest-pattern",
  by: "requester",
  rank: "moderator",
  answer: "private",
  run: (ctx, ref, { fields }) =>
    withOpen(ctx, ref, async (items) => {
      const { words, moderation } = ctx;
      const pattern = fields.pattern ?? "";
      const said = items.map(({ comment }) => sayingOf(comment, words));
      const isHit = await moderation.rules.matching(wantedIn(pattern), said);
      const hits = items.filter((_, at) => isHit[at]);
      const note = words.say("watch.digest.pattern_hits", { pattern });
      if (hits.length === 0) {
        return notice({ tone: "info", title: words.say("watch.digest.no_hits"), text: note });
      }
      return preview(ctx, { watchId: ref.watchId, items: hits, kinds: allKinds, note });
    }),
});

/** The comments of a digest that still wait, read anew. */
async function withOpen(
  ctx: Ctx,
  { watchId, digestId }: DigestRef,
  draw: (items: readonly HeldComment[]) => Reply | Promise<Reply>,
): Promise<Reply> {
  const view = await ctx.moderation.queue.digest(watchId, digestId);
  if (view === undefined) return absent(ctx);
  const open = view.items.filter(isOpen);
  return open.length === 0 ? none(ctx) : draw(open);
}

function none({ words }: Ctx): Notice {
  return notice({ tone: "info", title: words.say("watch.digest.none") });
}

export const digestActions: readonly Action<never>[] = [
  choose,
  approveAll,
  rejectAll,
  byAuthor,
  ofAuthors,
  byPattern,
  ofPattern,
];
