import {
  type Button,
  type Card,
  card,
  cut,
  join,
  type KeptPresses,
  md,
  type Select,
  type SelectOption,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { DigestFacts, HeldComment, Watch } from "../../moderation/index.ts";
import { authorOf, beginningOf, escapedWithin } from "./comment.ts";
import { digestPresses } from "./presses.ts";
import { isOpen, mainOf, markOf } from "./state.ts";

/** Twenty-five lines and the text around them fit into a message, even where everything has to be escaped. */
const lineChars = 140;
const authorChars = 24;

export type DigestOf = Pick<DigestFacts, "watch" | "digest" | "items">;

/** Several comments in one message: a line each, and what can be done about many at once. */
export function digestCard({ watch, digest, items }: DigestOf, words: Words): Card {
  const ref = { watchId: watch.id, digestId: digest.id };
  const open = items.filter(isOpen);
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
    kept: keptOf(digest.card.handle, ref, watch),
    post: {
      title: words.say(title, { count }),
      tags: [words.say(isDone ? "watch.tag.done" : "watch.tag.open")],
    },
  });
}

function linesOf(items: readonly HeldComment[], words: Words): Text {
  const waiting = items.filter(isOpen).length;
  const counts = words.say("watch.digest.counts", { waiting, decided: items.length - waiting });
  const last = items
    .filter((item) => !isOpen(item) && item.decision !== undefined)
    .sort((one, other) => (other.decision?.at ?? 0) - (one.decision?.at ?? 0))[0];
  return join([
    md`**${counts}**`,
    ...items.map((item, index) => lineOf(item, index + 1, words)),
    last !== undefined && words.md("watch.digest.last", { status: mainOf(last, words) }),
  ]);
}

function lineOf(item: HeldComment, place: number, words: Words): Text {
  const author = cut(authorOf(item.comment, words), authorChars);
  const head = md`${markOf(item)} \`${place}\` **${author}** `;
  const room = Math.max(lineChars - head.markup.length, 30);
  return md`${head}${escapedWithin(beginningOf(item.comment, words, 100), room)}`;
}

function chooseSelect(
  items: readonly HeldComment[],
  ref: { readonly watchId: string; readonly digestId: string },
  words: Words,
): Select {
  const options = items.flatMap((item, index) =>
    isOpen(item) ? [optionOf(item, index + 1, words)] : [],
  );
  return {
    placeholder: words.say("watch.button.choose"),
    options,
    max: options.length,
    press: digestPresses.choose(ref),
  };
}

function optionOf({ id, comment }: HeldComment, place: number, words: Words): SelectOption {
  return {
    label: `${place}. ${authorOf(comment, words)}`,
    value: id,
    description: beginningOf(comment, words, 100),
  };
}

function buttonsOf(
  ref: { readonly watchId: string; readonly digestId: string },
  words: Words,
): readonly Button[] {
  const { approveAll, rejectAll, byAuthor, byPattern } = digestPresses;
  return [
    { label: words.say("watch.button.approve_all"), style: "success", press: approveAll(ref) },
    { label: words.say("watch.button.reject_all"), style: "danger", press: rejectAll(ref) },
    { label: words.say("watch.button.by_author"), press: byAuthor(ref) },
    { label: words.say("watch.button.by_pattern"), press: byPattern(ref) },
  ];
}

function keptOf(
  handle: string,
  ref: { readonly watchId: string; readonly digestId: string },
  { source }: Watch,
): KeptPresses {
  const { choose, approveAll, rejectAll, byAuthor, byPattern } = digestPresses;
  const made = [choose, approveAll, rejectAll, byAuthor, byPattern].map((of) => of(ref));
  return { handle, presses: made.map((press) => ({ ...press, as: source })) };
}
