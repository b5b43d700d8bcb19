import type { Judge } from "../parts.ts";
import type { RuleParts } from "./parts.ts";

/** Says of new comments what the server's rules say. */
export function createJudge(_: RuleParts): Judge & { forget(guildId: string): void } {
  return { judge: async (_guildId, _watch, items) => items.map(() => undefined), forget: () => {} };
}
