/** The rules of servers: what they look for in comments, and what they do with what they find. */

export { createRules, matchTexts, type Rules } from "./create-rules.ts";
export { openRuleEngine, type RuleEngine } from "./engine/open-rule-engine.ts";
export type { CostKind } from "./engine/thread.ts";
export { createJudge } from "./judge.ts";
