/** Rules of servers: what of comments they look at, and what becomes of what they find. */

export { createRules, type Rules } from "./create-rules.ts";
export { openRuleEngine, type RuleEngine } from "./engine/open-engine.ts";
export type { CostKind } from "./engine/thread.ts";
export { createJudge } from "./judge.ts";
export { checkedMatches, matches } from "./watch-match.ts";
