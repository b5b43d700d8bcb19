import { action } from "../declarations/index.ts";
import { commentRules } from "../rules/index.ts";

interface SuggestedRule {
  readonly kind: "words" | "authors";
  readonly what: string;
  readonly name: string;
}

/** Tries the suggested rule on recent comments; people decide there whether to switch it on. */
export const addSuggestedRule = action<SuggestedRule>({
  name: "summary.add-rule",
  answer: "private",
  by: "anyone",
  rank: "manager",
  needs: ["channel"],
  uses: ["commentThreads.list", "videos.list", "playlists.list", "channels.list"],
  run: (ctx, { kind, what, name }) =>
    commentRules.propose(ctx, {
      ...commentRules.defaults,
      kind,
      what,
      does: "suggest_reject",
      name: name.slice(0, commentRules.maxNameChars),
    }),
});
