import type { Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { toPublicWatch, type Watch, type WatchedState } from "../../moderation/index.ts";
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
  "ruled",
  "published",
  "all",
] as const;
export type StateChoice = (typeof watchStateChoices)[number];

const chosenStates = {
  waiting: ["heldForReview", "likelySpam"],
  heldForReview: ["heldForReview"],
  likelySpam: ["likelySpam"],
  ruled: ["heldForReview", "likelySpam", "published"],
  published: ["published"],
  all: ["heldForReview", "likelySpam", "published"],
} as const satisfies Record<StateChoice, readonly WatchedState[]>;

/** Which comments are watched, as far as people choose it with one option. */
export type ChosenStates = Pick<Watch, "states" | "isRuledOnly">;

/**
 * The states to watch. Search terms apply to new comments, so with terms these are watched too unless chosen otherwise.
 * @throws InputError `watch_match_unused`
 */
export function chooseStates(
  choice: StateChoice | undefined,
  match: readonly string[] | undefined,
): ChosenStates {
  const chosen = choice ?? (match === undefined ? "waiting" : "all");
  const states: readonly WatchedState[] = chosenStates[chosen];
  const isRuledOnly = chosen === "ruled" || undefined;
  if (match === undefined || states.includes("published")) return { states, isRuledOnly };
  throw new InputError("words to look for, but no new comments", { code: "watch_match_unused" });
}

export type WatchedComments = Pick<Watch, "states" | "match" | "isRuledOnly">;

/** Describes the comments that a watch shows, as a list within a sentence. */
export function describeWatchedStates(
  { states, match, isRuledOnly }: WatchedComments,
  words: Words,
): string {
  const some = [
    ...(match === undefined
      ? []
      : [words.say("watch.states.matching", { match: words.list(match) })]),
    ...(isRuledOnly ? [words.say("watch.states.ruled")] : []),
  ];
  const names = states.flatMap((state) =>
    state === "published" && some.length > 0 ? some : [words.say(`watch.states.${state}`)],
  );
  return words.list(names);
}

/** What is shown at present: with a key alone only what is published. */
export function describeShownComments(watch: Watch, words: Words): string {
  return describeWatchedStates(watch.isKeyOnly ? toPublicWatch(watch) : watch, words);
}

/** The watched channel's name on this server. */
export function watchedChannelName(
  channels: readonly CredentialFacts[],
  { source, title = source }: Pick<Watch, "source" | "title">,
): string {
  const facts = channels.find(({ channelId }) => channelId === source);
  return facts?.name ?? facts?.channelTitle ?? title;
}
