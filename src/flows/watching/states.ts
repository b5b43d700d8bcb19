import type { Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Watch, WatchedState } from "../../moderation/index.ts";

/** What people choose from, in the option's order. */
export const stateChoices = ["waiting", "heldForReview", "likelySpam", "published", "all"] as const;
export type StateChoice = (typeof stateChoices)[number];

const chosenStates = {
  waiting: ["heldForReview", "likelySpam"],
  heldForReview: ["heldForReview"],
  likelySpam: ["likelySpam"],
  published: ["published"],
  all: ["heldForReview", "likelySpam", "published"],
} as const satisfies Record<StateChoice, readonly WatchedState[]>;

/**
 * Words to look for are looked for among new comments, so they are watched as well where nothing else was said.
 * @throws InputError `watch_match_unused`
 */
export function statesFor(
  choice: StateChoice | undefined,
  match: readonly string[] | undefined,
): readonly WatchedState[] {
  if (match === undefined) return chosenStates[choice ?? "waiting"];
  const states = chosenStates[choice ?? "all"];
  if (states.some((state) => state === "published")) return states;
  throw new InputError("words to look for, but no new comments", {
    code: "watch_match_unused",
    hint: "The option “match” is about new comments. Choose states that include all new comments, or leave the option out.",
  });
}

/** What a watch shows, as a list in a sentence. */
export function whatOf({ states, match }: Pick<Watch, "states" | "match">, words: Words): string {
  const said = states.map((state) =>
    state === "published" && match !== undefined
      ? words.say("watch.states.matching", { match: words.list(match) })
      : words.say(`watch.states.${state}`),
  );
  return words.list(said);
}
