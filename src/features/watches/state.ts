import {
  compact,
  describeAdvice,
  describeFailureShortly,
  md,
  mention,
  type Notice,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { ServiceError } from "../../errors.ts";
import {
  type Actor,
  type DecisionKind,
  type DecisionReason,
  type DecisionResult,
  type HeldComment,
  isFinal as isFinalKind,
  isKept,
  isRejection,
  isWaiting,
  type NamedPerson,
} from "../../moderation/index.ts";
import { describeDelay } from "../comments/index.ts";
import { collapseSpaces } from "./comment.ts";

/** Names who decided, within a sentence. */
function actorName(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule", { rule: by.ruleName });
}

/** Names who decided, at the beginning of a sentence. */
export function describeDecider(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule_first", { rule: by.ruleName });
}

/** The person who pressed the button, as the audit log stores them. */
export function toActor({
  userId,
  userName,
}: {
  readonly userId: string;
  readonly userName: string;
}): NamedPerson {
  return { userId, userName };
}

/** Whether the same person decided the same there a moment ago: a button that was pressed twice. */
export function isPressedTwice(
  { userId }: { readonly userId: string },
  { ref, state, item }: DecisionResult,
  kind: DecisionKind,
): boolean {
  const { by, kind: before } = item?.decision ?? {};
  const isOwn = by !== undefined && "userId" in by && by.userId === userId;
  return state === "taken" && isOwn && before === kind && item?.watchId === ref.watchId;
}

/** A comment's state, in one or two lines. */
export function describeCommentState(item: HeldComment, words: Words): readonly Text[] {
  return [commentStateLine(item, words), ...extraLines(item, words)];
}

/** Why an open comment waits again, where somebody has dealt with it before. */
export function describeEarlierTries(item: HeldComment, words: Words): readonly Text[] {
  const { failure } = item;
  return [
    ...(failure === undefined ? [] : [failedLine(failure, words)]),
    ...extraLines(item, words),
  ];
}

/** A comment's state in one line, for lists. */
export function commentStateLine(item: HeldComment, words: Words): Text {
  const { status, decision, later } = item;
  switch (status) {
    case "pending":
      return decision?.delay === undefined
        ? decisionLine("watch.state.pending", item, words, decision?.dueAt)
        : decisionLine("watch.state.delayed", item, words);
    case "sending":
    case "approved":
    case "held":
      return decisionLine(`watch.state.${status}`, item, words);
    case "rejected": {
      const key = decision?.kind === "ban" ? "banned" : "rejected";
      return decisionLine(`watch.state.${key}`, item, words);
    }
    case "later":
      return words.md("watch.state.later", {
        who: later === undefined ? "" : actorName(later.by, words),
        at: time(new Date(later?.until ?? 0)),
      });
    case "open":
      return item.failure === undefined
        ? words.say("watch.state.open")
        : failedLine(item.failure, words);
    case "elsewhere":
      return item.handled === undefined
        ? words.say("watch.state.elsewhere")
        : actorLine("watch.state.handled", item.handled, words);
    case "gone":
      return words.say("watch.state.gone", { state: item.comment.state });
    case "erased":
      return words.say("watch.state.erased");
  }
}

type DecisionKey = "pending" | "delayed" | "sending" | "approved" | "rejected" | "banned" | "held";

function decisionLine(
  key: `watch.state.${DecisionKey}`,
  item: HeldComment,
  words: Words,
  at = item.decision?.at,
): Text {
  const { decision } = item;
  return words.md(key, {
    kind: isKept(item) ? "keep" : (decision?.kind ?? "approve"),
    who: decision === undefined ? "" : actorName(decision.by, words),
    at: time(new Date(at ?? 0)),
  });
}

/** Who has claimed a comment that waits. */
export function claimLines(item: HeldComment, words: Words): readonly Text[] {
  const { assigned } = item;
  if (assigned === undefined || !isWaiting(item)) return [];
  return [actorLine("watch.state.claimed", assigned, words)];
}

/** Why it was rejected, and who says so where that is not the one who rejected it. */
export function describeReason(
  { text, by }: DecisionReason,
  decider: Actor | undefined,
  words: Words,
): Text {
  const isOther = !(decider !== undefined && "userId" in decider && decider.userId === by.userId);
  return words.md("watch.state.reason", { reason: text, isOther, who: mention(by.userId) });
}

/** A reply of a moderator, in one line. */
export function quoteReply(text: string): Text {
  return md`> ↪ ${collapseSpaces(text)}`;
}

function extraLines(item: HeldComment, words: Words): readonly Text[] {
  const { status, decision, failure, undone, replied } = item;
  const delay = status === "pending" ? decision?.delay : undefined;
  const isUnconfirmed = status === "sending" && (decision?.unconfirmed?.tries ?? 0) > 0;
  const isFinal = status === "pending" && isFinalKind(decision?.kind);
  return compact([
    ...claimLines(item, words),
    isRejection(item) &&
      item.decision.reason !== undefined &&
      describeReason(item.decision.reason, item.decision.by, words),
    delay !== undefined && describeDelay(delay, 1, words),
    isUnconfirmed && words.say("watch.state.unconfirmed"),
    isFinal && words.say("watch.state.final"),
    status === "open" && failure !== undefined && adviceLine(failure, words),
    undone !== undefined &&
      (status === "open" || status === "held" || status === "approved") &&
      actorLine("watch.state.undone", undone, words),
    replied !== undefined && actorLine("watch.state.replied", replied, words),
    replied?.text !== undefined && quoteReply(replied.text),
  ]);
}

function actorLine(
  key: `watch.state.${"undone" | "replied" | "claimed" | "handled"}`,
  { by, at }: NonNullable<HeldComment["undone"]>,
  words: Words,
): Text {
  return words.md(key, { who: actorName(by, words), at: time(new Date(at)) });
}

type FailedDecision = NonNullable<HeldComment["failure"]>;

function failedLine({ code, kind, at }: FailedDecision, words: Words): Text {
  return words.md("watch.state.failed", {
    kind,
    at: time(new Date(at)),
    why: describeStoredFailure(code, words),
  });
}

/** When to try again, if that is known; otherwise what to do. */
function adviceLine({ code, until }: FailedDecision, words: Words): Text {
  if (until === undefined) return describeAdvice(failureFrom(code), words);
  return words.md("failures.back", {
    relative: time(new Date(until)),
    moment: time(new Date(until), "f"),
  });
}

/** Describes a stored failure, of which only the code is stored. */
export function describeStoredFailure(code: string, words: Words): string {
  return describeFailureShortly(failureFrom(code), words);
}

/** An error with the stored code, for the functions that describe errors. */
function failureFrom(code: string): ServiceError {
  return new ServiceError("read from the record", { code });
}

interface StatusLook {
  /** The colour of the comment's card, and of a notice that says so. */
  readonly tone: Notice["tone"];
  /** For lists. */
  readonly emoji: string;
  /** Of the comment's forum post: `watch.tag`. */
  readonly tag: "open" | "later" | "approved" | "rejected" | "held" | "elsewhere" | "gone";
}

/** How each status looks. */
export const statusLooks = {
  open: { tone: "warning", emoji: "▫️", tag: "open" },
  later: { tone: "neutral", emoji: "🕒", tag: "later" },
  pending: { tone: "neutral", emoji: "⏳", tag: "open" },
  sending: { tone: "neutral", emoji: "⏳", tag: "open" },
  approved: { tone: "good", emoji: "✅", tag: "approved" },
  rejected: { tone: "bad", emoji: "❌", tag: "rejected" },
  held: { tone: "neutral", emoji: "⏸️", tag: "held" },
  elsewhere: { tone: "neutral", emoji: "➖", tag: "elsewhere" },
  gone: { tone: "neutral", emoji: "➖", tag: "gone" },
  erased: { tone: "neutral", emoji: "➖", tag: "gone" },
} as const satisfies Record<HeldComment["status"], StatusLook>;

/** An open comment whose last decision failed. */
function hasFailed({ status, failure }: HeldComment): boolean {
  return status === "open" && failure !== undefined;
}

/** The colour of the comment's card. */
export function cardTone(item: HeldComment): Notice["tone"] {
  return hasFailed(item) ? "bad" : statusLooks[item.status].tone;
}

export const banEmoji = "🚫";

/** A comment's state as one emoji. */
export function stateEmoji(item: HeldComment): string {
  if (hasFailed(item)) return "⚠️";
  const isBanned = item.status === "rejected" && item.decision?.kind === "ban";
  return isBanned ? banEmoji : statusLooks[item.status].emoji;
}

/** The tag of a comment's forum post. */
export function stateTag(item: HeldComment, words: Words): string {
  return words.say(`watch.tag.${hasFailed(item) ? "failed" : statusLooks[item.status].tag}`);
}

interface LabelFacts {
  readonly comment: Pick<HeldComment["comment"], "state">;
}

/** A comment that is published already is kept, not approved. */
export function approvalLabel({ comment }: LabelFacts, words: Words): string {
  return words.say(comment.state === "published" ? "watch.button.keep" : "watch.button.approve");
}
