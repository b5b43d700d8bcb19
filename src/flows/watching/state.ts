import {
  adviceOf,
  compact,
  inShort,
  mention,
  type Notice,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { ServiceError } from "../../errors.ts";
import type { Actor, HeldComment } from "../../moderation/index.ts";

/** Who decided, within a sentence. */
function whoOf(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule", { rule: by.ruleName });
}

/** Who decided, at the beginning of a sentence. */
export function whoFirst(by: Actor, words: Words): Text {
  return "userId" in by ? mention(by.userId) : words.say("watch.rule_first", { rule: by.ruleName });
}

/** The person who presses, for the record. */
export function actorOf({
  userId,
  userName,
}: {
  readonly userId: string;
  readonly userName: string;
}): Actor {
  return { userId, userName };
}

/** A comment's state, in one or two lines. */
export function stateOf(item: HeldComment, words: Words): readonly Text[] {
  return [mainOf(item, words), ...besides(item, words)];
}

/** A comment's state in one line, for lists. */
export function mainOf(item: HeldComment, words: Words): Text {
  const { status, decision, later } = item;
  switch (status) {
    case "pending":
      return decided("watch.state.pending", decision, words, decision?.dueAt);
    case "sending":
      return decided("watch.state.sending", decision, words);
    case "approved":
    case "held":
      return decided(`watch.state.${status}`, decision, words);
    case "rejected":
      return decided(
        decision?.kind === "ban" ? "watch.state.banned" : "watch.state.rejected",
        decision,
        words,
      );
    case "later":
      return words.md("watch.state.later", {
        who: later === undefined ? "" : whoOf(later.by, words),
        at: time(new Date(later?.until ?? 0)),
      });
    case "open":
      return item.failure === undefined
        ? words.say("watch.state.open")
        : failedLine(item.failure, words);
    case "elsewhere":
    case "gone":
      return words.say(`watch.state.${status}`);
  }
}

type Told = "pending" | "sending" | "approved" | "rejected" | "banned" | "held";

function decided(
  key: `watch.state.${Told}`,
  decision: HeldComment["decision"],
  words: Words,
  at = decision?.at,
): Text {
  return words.md(key, {
    kind: decision?.kind ?? "approve",
    who: decision === undefined ? "" : nameIn(key, decision.by, words),
    at: time(new Date(at ?? 0)),
  });
}

/** Some sentences begin with who decided. */
function nameIn(key: `watch.state.${Told}`, by: Actor, words: Words): Text {
  return key === "watch.state.pending" ? whoFirst(by, words) : whoOf(by, words);
}

function besides(item: HeldComment, words: Words): readonly Text[] {
  const { status, decision, failure, undone, replied } = item;
  const isFinal = status === "pending" && (decision?.kind === "reject" || decision?.kind === "ban");
  return compact([
    isFinal && words.say("watch.state.final"),
    status === "open" && failure !== undefined && adviceLine(failure, words),
    undone !== undefined &&
      (status === "open" || status === "held" || status === "approved") &&
      done("watch.state.undone", undone, words),
    replied !== undefined && done("watch.state.replied", replied, words),
  ]);
}

function done(
  key: "watch.state.undone" | "watch.state.replied",
  { by, at }: NonNullable<HeldComment["undone"]>,
  words: Words,
): Text {
  return words.md(key, { who: whoOf(by, words), at: time(new Date(at)) });
}

type Failed = NonNullable<HeldComment["failure"]>;

function failedLine({ code, kind, at }: Failed, words: Words): Text {
  return words.md("watch.state.failed", {
    kind,
    at: time(new Date(at)),
    why: whyOf(code, words),
  });
}

/** When it is worth another attempt, where that is known; else what to do. */
function adviceLine({ code, until }: Failed, words: Words): Text {
  if (until === undefined) return adviceOf(recorded(code), words);
  return words.md("failures.back", {
    relative: time(new Date(until)),
    moment: time(new Date(until), "f"),
  });
}

/** What happened, from a record that stores only the code. */
export function whyOf(code: string, words: Words): string {
  return inShort(recorded(code), words);
}

/** The failure, as far as the record has it. */
function recorded(code: string): ServiceError {
  return new ServiceError("read from the record", { code });
}

const tones = {
  open: "info",
  later: "quiet",
  pending: "warning",
  sending: "warning",
  approved: "good",
  rejected: "bad",
  held: "quiet",
  elsewhere: "quiet",
  gone: "quiet",
} as const satisfies Record<HeldComment["status"], Notice["tone"]>;

/** The colour of its card. */
export function toneOf({ status, failure }: HeldComment): Notice["tone"] {
  return status === "open" && failure !== undefined ? "bad" : tones[status];
}

const marks = {
  open: "▫️",
  later: "🕒",
  pending: "⏳",
  sending: "⏳",
  approved: "✅",
  rejected: "❌",
  held: "⏸️",
  elsewhere: "➖",
  gone: "➖",
} as const satisfies Record<HeldComment["status"], string>;

/** A comment's state as a single sign. */
export function markOf({ status, failure, decision }: HeldComment): string {
  if (status === "open" && failure !== undefined) return "⚠️";
  return status === "rejected" && decision?.kind === "ban" ? "🚫" : marks[status];
}

const tags = {
  open: "open",
  pending: "open",
  sending: "open",
  later: "later",
  approved: "approved",
  rejected: "rejected",
  held: "held",
  elsewhere: "elsewhere",
  gone: "gone",
} as const satisfies Record<HeldComment["status"], string>;

/** What a forum's post is tagged with. */
export function tagOf({ status, failure }: HeldComment, words: Words): string {
  const isFailed = status === "open" && failure !== undefined;
  return words.say(`watch.tag.${isFailed ? "failed" : tags[status]}`);
}

/** Whether somebody may still decide about it. */
export function isOpen({ status }: HeldComment): boolean {
  return status === "open" || status === "later";
}
