import type { Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch, WatchedState } from "../../moderation/index.ts";
import type { CredentialFacts } from "../../store/index.ts";

/** A pattern between slashes, or any text, up to the next comma, line break or the end. */
const matchTerm = /[^\S\n]*(\/(?:[^/\\\n]|\\.)+\/)[^\S\n]*(?:[,\n]|$)|[^,\n]+/gu;

/**
 * Splits what people typed into words, phrases and patterns, without repeats. Commas and line breaks separate them; a
 * pattern stands between slashes and may contain commas.
 */
export function parseMatchTerms(text: string): readonly string[] {
  const pieces = text.matchAll(matchTerm);
  const wanted = [...pieces].map(([whole, pattern = whole]) => pattern.trim()).filter(Boolean);
  return [...new Set(wanted)];
}

/** What people can choose to watch, in the option's order. */
export const watchStateChoices = [
  "waiting",
  "heldForReview",
  "likelySpam",
  "published",
  "all",
] as const;
export type StateChoice = (typeof watchStateChoices)[number];

const chosenStates = {
  waiting: ["heldForReview", "likelySpam"],
  heldForReview: ["heldForReview"],
  likelySpam: ["likelySpam"],
  published: ["published"],
  all: ["heldForReview", "likelySpam", "published"],
} as const satisfies Record<StateChoice, readonly WatchedState[]>;

/**
 * The states to watch. Search terms apply to new comments, so with terms these are watched too unless chosen otherwise.
 * @throws InputError `watch_match_unused`
 */
export function chooseStates(
  choice: StateChoice | undefined,
  match: readonly string[] | undefined,
): readonly WatchedState[] {
  if (match === undefined) return chosenStates[choice ?? "waiting"];
  const states = chosenStates[choice ?? "all"];
  if (states.some((state) => state === "published")) return states;
  throw new InputError("words to look for, but no new comments", { code: "watch_match_unused" });
}

export type WatchedComments = Pick<Watch, "states" | "match">;

/** Describes the comments that a watch shows, as a list within a sentence. */
export function describeWatchedStates({ states, match }: WatchedComments, words: Words): string {
  const names = states.map((state) =>
    state === "published" && match !== undefined
      ? words.say("watch.states.matching", { match: words.list(match) })
      : words.say(`watch.states.${state}`),
  );
  return words.list(names);
}

/** The watched channel's name on this server. */
export function watchedChannelName(channels: readonly CredentialFacts[], source: string): string {
  const facts = channels.find(({ channelId }) => channelId === source);
  return facts?.name ?? facts?.channelTitle ?? source;
}
