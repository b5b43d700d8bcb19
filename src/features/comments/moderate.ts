import {
  type Ask,
  ask,
  describeFailureInLine,
  gone,
  join,
  md,
  type Notice,
  notice,
  type Press,
  type Reply,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import type { Comment } from "../../video/index.ts";
import { commentAuthor, type DecideState, presses, quoteComment } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, actionFor, type FeatureAction } from "../declarations/index.ts";
import { type CommentOutcome, decideComments, decisionCalls, decisionKindFor } from "./decide.ts";
import { describeDelay, readToAsk } from "./kept.ts";

/** The decision's name in the message files. */
function decisionName({ status, banAuthor }: DecideState): string {
  return banAuthor === true ? "ban" : status;
}

/** The outcome for all comments in one sentence. */
export function summarizeOutcomes(
  decision: DecideState,
  outcomes: readonly CommentOutcome[],
  words: Words,
): string {
  const count = outcomes.length;
  const kept = outcomes.filter(({ state }) => state === "kept").length;
  if (kept > 0 && outcomes.every(({ state }) => state !== "done")) {
    return words.say("watch.digest.kept", { kind: decisionKindFor(decision), count: kept });
  }
  const done = outcomes.filter(({ state }) => state === "done").length;
  if (done === 0) return words.say("comments.decided.none", { count });
  const status = decisionName(decision);
  if (done === count) return words.say("comments.decided.all", { status, count });
  return words.say("comments.decided.some", { status, done, count });
}

/** The outcome for one comment. */
export function describeOutcome(
  decision: DecideState,
  { state, error }: CommentOutcome,
  words: Words,
): string {
  const reason = error === undefined ? "" : describeFailureInLine(error, words);
  return words.say(`comments.decided.${state}`, { status: decisionName(decision), reason });
}

const outcomeOrder: readonly CommentOutcome["state"][] = [
  "unknown",
  "untried",
  "kept",
  "refused",
  "foreign",
  "missing",
  "already",
  "done",
];

/** Lists the comments by outcome, failures first, because the end may be cut off. */
async function decideNow(ctx: Ctx, decision: DecideState): Promise<Notice> {
  const { words } = ctx;
  const outcomes = await decideComments(ctx, decision);
  const isWhole = outcomes.every(({ state }) => state === "done");
  const lines: Text[] = [];
  for (const state of outcomeOrder) {
    const those = outcomes.filter((outcome) => outcome.state === state);
    const heads = new Map(those.map((one) => [describeOutcome(decision, one, words), one.state]));
    for (const head of heads.keys()) {
      lines.push(md`**${head}**`);
      for (const one of those) {
        if (describeOutcome(decision, one, words) === head)
          lines.push(md`• ${commentLabel(one, words)}`);
      }
    }
  }
  const often = outcomes.flatMap(({ error }) => (error?.code === oftenCode ? error : []));
  return notice({
    tone: isWhole ? "good" : "warning",
    title: summarizeOutcomes(decision, outcomes, words),
    text: join([...describeKept(outcomes, words), ...lines, ...describeTooOften(often, words)]),
  });
}

/** Why decisions are kept, and when they are sent. */
export function describeKept(outcomes: readonly CommentOutcome[], words: Words): readonly Text[] {
  const kept = outcomes.filter(({ state }) => state === "kept");
  const [first] = kept;
  if (first === undefined) return [];
  const { delay } = first;
  return [
    ...(delay === undefined ? [] : [describeDelay(delay, kept.length, words)]),
    words.say("comments.decided.undo", { count: kept.length }),
  ];
}

const oftenCode = "comment_decided_often";

/** When people can decide again about comments that had too many decisions today. */
export function describeTooOften(often: readonly BotError[], words: Words): readonly Text[] {
  const at = often.map((error) => (error instanceof LimitError ? error.retryAt : undefined))[0];
  if (at === undefined) return [];
  const times = { relative: time(at, "R"), moment: time(at, "f") };
  return [words.md("comments.decided.often", { count: often.length, ...times })];
}

export function commentLabel(
  { id, state, comment }: CommentOutcome,
  words: Words,
  max = 90,
): string {
  if (comment !== undefined) return quoteComment(comment, words, max);
  // One that was not tried may well be there.
  return state === "untried" ? id : words.say("comments.decided.lost");
}

/** The most comments that a question quotes. */
const maxQuoted = 10;

/** A rejection is final, so the question shows which comments would be rejected, and whose they are. */
async function askReject(ctx: Ctx, decision: DecideState, confirm: Press): Promise<Ask | Notice> {
  const { words } = ctx;
  const { ids } = decision;
  const { found, isKept } = await readToAsk(ctx, ids, decisionCalls(decision));
  const comments = ids.map((id) => found.get(id)).filter((one) => one !== undefined);
  if (comments.length === 0) return gone("comment", words);
  const key = decision.banAuthor === true ? "confirm_ban" : "confirm";
  const count = ids.length;
  return ask({
    title: decisionTitle(decision, words),
    text: join(decisionWarnings(decision, words, isKept)),
    fields: [
      {
        name: words.say("comments.deciding.what"),
        value: join(quoteComments(comments, count, words)),
      },
      { name: words.say("comments.deciding.who"), value: listAuthors(comments, words) },
    ],
    footer: await ctx.price(...decisionCalls(decision)),
    confirm: {
      label: words.say(`comments.held.${key}`, { count }),
      style: "danger",
      press: confirm,
    },
  });
}

export function decisionTitle({ ids, banAuthor }: DecideState, words: Words): string {
  const key = banAuthor === true ? "title_ban" : "title";
  return words.say(`comments.deciding.${key}`, { count: ids.length });
}

export function decisionWarnings(
  { ids, banAuthor }: DecideState,
  words: Words,
  isKept: boolean,
): readonly string[] {
  return [
    ...(isKept ? [words.say("comments.deciding.kept")] : []),
    words.say("comments.deciding.final"),
    ...(banAuthor === true ? [words.say("comments.deciding.ban", { count: ids.length })] : []),
  ];
}

function quoteComments(comments: readonly Comment[], count: number, words: Words): readonly Text[] {
  const quoted = comments.slice(0, maxQuoted);
  const more = comments.length - quoted.length;
  const unread = count - comments.length;
  return [
    ...quoted.map(
      (comment) => md`• ${quoteComment(comment, words, comments.length === 1 ? 400 : 80)}`,
    ),
    ...(more > 0 ? [words.say("comments.deciding.and_more", { count: more })] : []),
    ...(unread > 0 ? [words.say("comments.deciding.unread", { count: unread })] : []),
  ];
}

function listAuthors(comments: readonly Comment[], words: Words): string {
  const names = [...new Set(comments.map((comment) => commentAuthor(comment, words)))];
  const shown = names.slice(0, maxQuoted);
  const more = names.length - shown.length;
  if (more === 0) return words.list(shown);
  return words.list([...shown, words.say("comments.deciding.and_more", { count: more })]);
}

const reject = action<DecideState>({
  name: "comments.reject",
  isOnce: true,
  method: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: decideNow,
});

/** For the buttons on a comment's card. */
const decide = actionFor(presses.comment.decide, {
  method: "comments.setModerationStatus",
  uses: ["comments.list", "commentThreads.list"],
  run: moderate,
});

export const moderateCommentActions: readonly FeatureAction<never>[] = [reject, decide];

/** Approves and holds at once; asks before it rejects, which is final. */
export async function moderate(ctx: Ctx, decision: DecideState): Promise<Reply> {
  if (decision.status === "rejected") return askReject(ctx, decision, reject.press(decision));
  return decideNow(ctx, decision);
}
