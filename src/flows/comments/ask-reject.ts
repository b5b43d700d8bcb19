import {
  type Ask,
  ask,
  authorOf,
  type Ctx,
  type DecideState,
  gone,
  join,
  md,
  type Notice,
  type Press,
  quoteOf,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Comment } from "../../video/index.ts";
import { callsFor } from "./decide.ts";
import { findComments } from "./find.ts";

/** What a question shows of many. */
const mostQuoted = 10;

/** Rejections are final, so they are asked for by who and what. */
export async function askReject(
  ctx: Ctx<unknown>,
  decision: DecideState,
  confirm: Press,
): Promise<Ask | Notice> {
  const { words, own, signal } = ctx;
  const { ids } = decision;
  const found = await findComments(own, ids, signal);
  const comments = ids.map((id) => found.get(id)).filter((one) => one !== undefined);
  if (comments.length === 0) return gone("comment", words);
  const key = decision.banAuthor === true ? "confirm_ban" : "confirm";
  const count = ids.length;
  return ask({
    title: titleOf(decision, words),
    text: join(warningsOf(decision, words), "\n"),
    fields: [
      {
        name: words.say("comments.deciding.what"),
        value: join(quotesOf(comments, count, words), "\n"),
      },
      { name: words.say("comments.deciding.who"), value: authorsOf(comments, words) },
    ],
    footer: await ctx.price(...callsFor(decision)),
    confirm: {
      label: words.say(`comments.held.${key}`, { count }),
      style: "danger",
      press: confirm,
    },
  });
}

export function titleOf({ ids, banAuthor }: DecideState, words: Words): string {
  const key = banAuthor === true ? "title_ban" : "title";
  return words.say(`comments.deciding.${key}`, { count: ids.length });
}

export function warningsOf({ ids, banAuthor }: DecideState, words: Words): readonly string[] {
  return [
    words.say("comments.deciding.final"),
    ...(banAuthor === true ? [words.say("comments.deciding.ban", { count: ids.length })] : []),
  ];
}

function quotesOf(comments: readonly Comment[], count: number, words: Words): readonly Text[] {
  const quoted = comments.slice(0, mostQuoted);
  const more = comments.length - quoted.length;
  const unread = count - comments.length;
  return [
    ...quoted.map((comment) => md`• ${quoteOf(comment, words, comments.length === 1 ? 400 : 80)}`),
    ...(more > 0 ? [words.say("comments.deciding.and_more", { count: more })] : []),
    ...(unread > 0 ? [words.say("comments.deciding.unread", { count: unread })] : []),
  ];
}

function authorsOf(comments: readonly Comment[], words: Words): string {
  const names = [...new Set(comments.map((comment) => authorOf(comment, words)))];
  const shown = names.slice(0, mostQuoted);
  const more = names.length - shown.length;
  if (more === 0) return words.list(shown);
  return words.list([...shown, words.say("comments.deciding.and_more", { count: more })]);
}
