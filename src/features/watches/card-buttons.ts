import { type Button, type KeptPresses, pressFor, type Words } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import {
  type Digest,
  type HeldComment,
  type ItemRef,
  isRejection,
  isWaiting,
  type QueuedComment,
  toItemRef,
  type Watch,
} from "../../moderation/index.ts";
import { presses } from "../cards/index.ts";
import { approvalLabel } from "./state.ts";

/** What decides which buttons a card has, and what they are called. */
type ButtonFacts = Pick<HeldComment, "status" | "decision" | "handled"> & {
  readonly comment: Pick<QueuedComment, "state" | "canReply">;
  /** Nothing can be sent to YouTube, because the channel is not linked. */
  readonly isKeyOnly?: boolean | undefined;
};

interface CardButton {
  readonly style?: Button["style"] | ((facts: ButtonFacts) => Button["style"]);
  readonly label: MessageKey | ((facts: ButtonFacts, words: Words) => string);
  readonly isShown: (facts: ButtonFacts) => boolean;
}

/** A state holds nothing but ids, so a button means the same for the card's whole life. */
const press = (name: string) => pressFor(name, (ref: ItemRef) => ref);

/**
 * Every button that a comment's card may ever have, or had in an earlier version. Cards are posted with all of them, so that a
 * button that is pressed late still does what it says: new ones are only added at the end. The handlers are declared elsewhere
 * with `actionFor`, because they draw the card.
 */
export const cardPresses = {
  approve: press("watch.approve"),
  reject: press("watch.reject"),
  askBan: press("watch.ban-ask"),
  /** Opens a form. */
  reply: press("watch.reply"),
  later: press("watch.later"),
  /** Brings back a snoozed comment. */
  now: press("watch.now"),
  full: press("watch.full"),
  undo: press("watch.undo"),
  /** Opens the buttons that are needed less often. */
  more: press("watch.more"),
  /** Opens a form for the reason of a rejection. */
  reason: press("watch.reason"),
  /** Somebody has dealt with the comment on YouTube itself. */
  handled: press("watch.handled"),
} as const;

/** What is known about the author; private messages have this button. */
export const caseFilePress = press("watch.case");

/** Whoever may press a card's button. */
export const byModerators = { by: "anyone", rank: "moderator" } as const;

/** The buttons that cards show, in order. A phone shows few in a row, so what is needed less often is behind "More". */
const shownButtons: Readonly<Partial<Record<keyof typeof cardPresses, CardButton>>> = {
  undo: {
    style: "primary",
    label: "watch.button.undo",
    isShown: ({ status, handled }) =>
      status === "pending" || (status === "elsewhere" && handled !== undefined),
  },
  approve: {
    style: "success",
    label: approvalLabel,
    isShown: (facts) =>
      isWaiting(facts) && !(facts.isKeyOnly === true && facts.comment.state !== "published"),
  },
  handled: {
    style: "primary",
    label: "watch.button.handled",
    isShown: (facts) => isWaiting(facts) && facts.isKeyOnly === true,
  },
  reject: {
    // Without the link it only says what is missing.
    style: ({ isKeyOnly }) => (isKeyOnly ? "secondary" : "danger"),
    label: "watch.button.reject",
    isShown: isWaiting,
  },
  reply: {
    label: "watch.button.reply",
    // Whether a comment accepts replies is known only once it is published.
    isShown: (facts) =>
      isWaiting(facts) &&
      facts.isKeyOnly !== true &&
      !(facts.comment.state === "published" && facts.comment.canReply === false),
  },
  more: { label: "common.more", isShown: isWaiting },
  reason: {
    label: ({ decision }, words) =>
      words.say(decision?.reason ? "watch.button.other_reason" : "watch.button.reason"),
    isShown: (facts) => isRejection(facts) && facts.status !== "sending",
  },
};

export function drawCardButtons(facts: ButtonFacts, ref: ItemRef, words: Words): readonly Button[] {
  const names = Object.keys(shownButtons) as (keyof typeof cardPresses)[]; // its only keys
  return names.flatMap((name) => {
    const { isShown, label, style } = shownButtons[name] as CardButton; // a name of that object
    if (!isShown(facts)) return [];
    const text = typeof label === "string" ? words.say(label) : label(facts, words);
    const look = typeof style === "function" ? style(facts) : style;
    return [{ ...(look && { style: look }), label: text, press: cardPresses[name](ref) }];
  });
}

/** All presses of a card. Each acts as the watched channel. */
export function cardKept(item: HeldComment, { source: as }: Watch): KeptPresses {
  const all = Object.values(cardPresses).map((make) => ({ ...make(toItemRef(item)), as }));
  return { handle: item.card.handle, presses: all };
}

export interface DigestRef {
  readonly watchId: string;
  readonly digestId: string;
}

const digestPress = (name: string) => pressFor(name, (ref: DigestRef) => ref);

/** Every button that a digest may ever have, as for cards. */
export const digestPresses = {
  choose: digestPress("watch.digest-choose"),
  approveAll: digestPress("watch.digest-approve-all"),
  rejectAll: digestPress("watch.digest-reject-all"),
  byAuthor: digestPress("watch.digest-by-author"),
  byPattern: digestPress("watch.digest-by-pattern"),
  /** Opens the ways to choose some of the comments. */
  pick: digestPress("watch.digest-pick"),
} as const;

export function toDigestRef({ watchId, id }: Pick<Digest, "watchId" | "id">): DigestRef {
  return { watchId, digestId: id };
}

export function digestKept(digest: Digest, { source: as }: Watch): KeptPresses {
  const own = Object.values(digestPresses).map((make) => make(toDigestRef(digest)));
  const all = [...own, presses.comment.review(digest.watchId)];
  return { handle: digest.card.handle, presses: all.map((one) => ({ ...one, as })) };
}
