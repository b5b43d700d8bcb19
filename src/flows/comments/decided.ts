import {
  type DecideState,
  inShort,
  join,
  md,
  type Notice,
  notice,
  quoteOf,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type BotError, LimitError } from "../../errors.ts";
import type { Decided } from "./decide.ts";

/** A decision by one name, as messages tell it apart. */
export function nameOf({ status, banAuthor }: DecideState): string {
  return banAuthor === true ? "ban" : status;
}

/** What became of all of them, in one sentence. */
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

/** What became of one. */
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

/** All of them by what became of them; what did not go well first, because the rest may be cut. */
export function decidedNotice(
  decision: DecideState,
  outcomes: readonly Decided[],
  words: Words,
): Notice {
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
    text: join([...lines, ...oftenLines(often, words)], "\n"),
  });
}

const oftenCode = "comment_decided_often";

/** When those can be decided about again that were decided about too often today. */
export function oftenLines(often: readonly BotError[], words: Words): readonly Text[] {
  const at = often.map((error) => (error instanceof LimitError ? error.retryAt : undefined))[0];
  if (at === undefined) return [];
  const times = { relative: time(at, "R"), moment: time(at, "f") };
  return [words.md("comments.decided.often", { count: often.length, ...times })];
}

export function labelOf({ comment }: Decided, words: Words, max = 90): string {
  return comment === undefined ? words.say("comments.decided.lost") : quoteOf(comment, words, max);
}
