/** Rules of servers: what of comments they look at, and what becomes of what they find. */

export { createRules } from "./create-rules.ts";
export { createJudge } from "./judge.ts";
export type { RuleParts } from "./parts.ts";
export { matchOf } from "./watch-match.ts";
