import type { Verdict } from "../../parts.ts";
import type { HeldComment, Rule } from "../../records/index.ts";

type State = HeldComment["comment"]["state"];

/** In which order rules are asked about a comment, by their place: those that act first. The first that finds decides. */
export function orderOf(rules: readonly Rule[], state: State): readonly number[] {
  const places = [...rules.keys()];
  const isActing = (at: number) => doesOf(rules[at], state) === "act";
  return [...places.filter(isActing), ...places.filter((at) => !isActing(at))];
}

export function verdictOf(rule: Rule, state: State): Verdict | undefined {
  if (rule.decision === "approve" && state === "published") return undefined;
  const { id, name, decision } = rule;
  return { ruleId: id, ruleName: name, does: doesOf(rule, state), kind: decision };
}

/** Of what waits already, people see on the card that a rule would hold it. */
function doesOf(rule: Rule | undefined, state: State): Verdict["does"] {
  const isSo = rule?.decision === "hold" && state === "heldForReview";
  return rule?.does === "act" && !isSo ? "act" : "suggest";
}

export function advised(verdict: Verdict): Verdict {
  return { ...verdict, does: "suggest" };
}
