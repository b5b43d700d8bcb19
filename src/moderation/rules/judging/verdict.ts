import type { QueueItem, Rule } from "../../../store/index.ts";
import type { Verdict } from "../../parts.ts";
import type { Looking } from "../matchers/types.ts";
import type { Compiled } from "./compiled.ts";

/** The first rule that acts, else the first that advises; undefined where none says anything. */
export function verdictOf(
  rules: readonly Compiled[],
  looking: Looking,
  { comment }: Pick<QueueItem, "comment">,
): Verdict | undefined {
  const acting = rules.filter(({ rule }) => rule.does === "act" && !isSo(rule, comment.state));
  const acts = acting.find(({ matches }) => matches(looking) !== undefined);
  if (acts !== undefined) return verdict(acts.rule, "act");
  const rest = rules.filter((one) => !acting.includes(one));
  const advises = rest.find(({ matches }) => matches(looking) !== undefined);
  if (advises === undefined) return undefined;
  const isApproved = advises.rule.decision === "approve" && comment.state === "published";
  return isApproved ? undefined : verdict(advises.rule, "suggest");
}

/** Of what waits already, people see on the card that a rule would hold it. */
function isSo({ decision }: Rule, state: QueueItem["comment"]["state"]): boolean {
  return decision === "hold" && state === "heldForReview";
}

function verdict({ id, name, decision }: Rule, does: Verdict["does"]): Verdict {
  return { ruleId: id, ruleName: name, does, kind: decision };
}

export function advised(verdict: Verdict): Verdict {
  return { ...verdict, does: "suggest" };
}
