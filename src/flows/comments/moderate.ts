import {
  type Action,
  type Ask,
  action,
  actionFor,
  ask,
  authorOf,
  type Ctx,
  type DecideState,
  gone,
  inShort,
  join,
  md,
  type Notice,
  notice,
  type Press,
  presses,
  quoteOf,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import type { Comment } from "../../video/index.ts";
import { callsFor, type Decided, decideComments } from "./decide.ts";
import { findComments } from "./find.ts";

/** The decision's name in message selectors. */
function nameOf({ status, banAuthor }: DecideState): string {
  return banAuthor === true ? "ban" : status;
}

/** The outcome for all comments in one sentence. */
export function summaryOf(
  decision: DecideState,
  outcomes: readonly Decided[],
  words: Words,
): string {
  const count = outcomes.length;
  const done = outcomes.filter(({ state }) => state === "done").length;
  if (done === 0) return words.say("comments.decided.none", { count });
  const status = nameOf(decision);
  if (done === count) return words.say("comments.decided.all", { status, count });
  return words.say("comments.decided.some", { status, done, count });
}

/** The outcome for one comment. */
export function outcomeOf(decision: DecideState, { state, error }: Decided, words: Words): string {
  const reason = error === undefined ? "" : inShort(error, words);
  return words.say(`comments.decided.${state}`, { status: nameOf(decision), reason });
}

const troubled: readonly Decided["state"][] = [
  "unknown",
  "untried",
  "refused",
  "foreign",
  "missing",
  "already",
  "done",
];

/** The comments grouped by outcome; failures first, because the end may be cut. */
function decidedNotice(decision: DecideState, outcomes: readonly Decided[], words: Words): Notice {
  const isWhole = outcomes.every(({ state }) => state === "done");
  const lines: Text[] = [];
  for (const state of troubled) {
    const those = outcomes.filter((outcome) => outcome.state === state);
    const heads = new Map(those.map((one) => [outcomeOf(decision, one, words), one.state]));
    for (const head of heads.keys()) {
      lines.push(md`**${head}**`);
      for (const one of those) {
        if (outcomeOf(decision, one, words) === head) lines.push(md`• ${labelOf(one, words)}`);
      }
    }
  }
  const often = outcomes.flatMap(({ error }) => (error?.code === oftenCode ? error : []));
  return notice({
    tone: isWhole ? "good" : "warning",
    title: summaryOf(decision, outcomes, words),
    text: join([...lines, ...oftenLines(often, words)]),
  });
}

const oftenCode = "comment_decided_often";

/** When comments that were decided about too often today can be decided about again. */
export function oftenLines(often: readonly BotError[], words: Words): readonly Text[] {
  const at = often.map((error) => (error instanceof LimitError ? error.retryAt : undefined))[0];
  if (at === undefined) return [];
  const times = { relative: time(at, "R"), moment: time(at, "f") };
  return [words.md("comments.decided.often", { count: often.length, ...times })];
}

export function labelOf({ comment }: Decided, words: Words, max = 90): string {
  return comment === undefined ? words.say("comments.decided.lost") : quoteOf(comment, words, max);
}

/** The most comments that a question quotes. */
const mostQuoted = 10;

/** Rejections are final, so the question shows what would be rejected, and whose it is. */
async function askReject(ctx: Ctx, decision: DecideState, confirm: Press): Promise<Ask | Notice> {
  const { words, own, signal } = ctx;
  const { ids } = decision;
  const found = await findComments(own, ids, signal);
  const comments = ids.map((id) => found.get(id)).filter((one) => one !== undefined);
  if (comments.length === 0) return gone("comment", words);
  const key = decision.banAuthor === true ? "confirm_ban" : "confirm";
  const count = ids.length;
  return ask({
    title: titleOf(decision, words),
    text: join(warningsOf(decision, words)),
    fields: [
      {
        name: words.say("comments.deciding.what"),
        value: join(quotesOf(comments, count, words)),
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

const reject = action<DecideState>({
  name: "comments.reject",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, decision) => decided(ctx, decision),
});

/** Pressed on a comment's card. */
const decide = actionFor(presses.comment.decide, {
  answer: "private",
  by: "anyone",
  row: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: (ctx, decision) => moderate(ctx, decision),
});

export const moderateActions: readonly Action<never>[] = [reject, decide];

/** Approves and holds at once; asks before it rejects, which is final. */
export async function moderate(ctx: Ctx, decision: DecideState): Promise<Reply> {
  if (decision.status === "rejected") return askReject(ctx, decision, reject.press(decision));
  return decided(ctx, decision);
}

async function decided(ctx: Ctx, decision: DecideState): Promise<Reply> {
  return decidedNotice(decision, await decideComments(ctx, decision), ctx.words);
}
