/** Rules of servers: what of comments they look at, and what becomes of what they find. */

export { createRules } from "./create-rules.ts";
export { openRuleEngine, type RuleEngine } from "./engine/open-engine.ts";
export type { CostKind } from "./engine/thread.ts";
export { createJudge } from "./judge.ts";
export type { RuleParts } from "./parts.ts";
export { checkedMatches, type Matching, matches } from "./watch-match.ts";
