import { backOffMs, hourMs } from "../../clock.ts";
import { type BotError, LimitError } from "../../errors.ts";
import { isLinkFailure } from "../failures/classify-failure.ts";
import type { DecisionDelay, DecisionFailure, HeldComment } from "../records/index.ts";

/** After this long a decision goes back to people. Quota returns every day, and people relink a channel when they can. */
const longestDelayMs = {
  units: 7 * 24 * hourMs,
  link: 7 * 24 * hourMs,
  // Each try costs units, and outages end within hours.
  service: 6 * hourMs,
} as const satisfies Record<DecisionDelay["why"], number>;

const serviceBackOff = { firstMs: 30_000, longestMs: 15 * 60_000 } as const;

/** Whether an error keeps all decisions of a channel from being sent for now; undefined if it does not pass by itself. */
function reasonFor(error: BotError): DecisionDelay["why"] | undefined {
  if (error.kind === "limit") return error.code === "rate_limited" ? "service" : "units";
  if (error.kind === "connect" || isLinkFailure(error.code)) return "link";
  return error.kind === "service" || error.kind === "network" ? "service" : undefined;
}

export function toDecisionFailure(error: BotError): DecisionFailure {
  const until = error instanceof LimitError ? error.retryAt?.getTime() : undefined;
  return { code: error.code, until };
}

/** How long a decision that met this error is kept; undefined if it goes back to people. */
export function delayFor(
  error: BotError,
  now: number,
  before?: DecisionDelay,
): DecisionDelay | undefined {
  const why = reasonFor(error);
  if (why === undefined) return undefined;
  const isSame = before?.why === why;
  const since = isSame ? before.since : now;
  if (!isWorthWaiting(error, since, now)) return undefined;
  const tries = isSame ? before.tries + 1 : 1;
  const failure = toDecisionFailure(error);
  const until = why === "service" ? now + backOffMs(tries, serviceBackOff) : failure.until;
  return { why, since, tries, failure: { ...failure, until } };
}

/** Whether a decision that has waited since then may wait longer for the error to pass. */
export function isWorthWaiting(error: BotError, since: number, now: number): boolean {
  const why = reasonFor(error);
  return why !== undefined && now - since < longestDelayMs[why];
}

/** Whether a card that shows the one is right about the other. */
export function isSameDelay(shown: DecisionDelay | undefined, delay: DecisionDelay): boolean {
  if (shown?.why !== delay.why) return false;
  return delay.why !== "units" || shown.failure.until === delay.failure.until;
}

/** The comment with a decision that waits. */
export function withDelay(item: HeldComment, delay: DecisionDelay): HeldComment {
  const { decision } = item;
  if (decision === undefined) return item;
  return { ...item, status: "pending", decision: { ...decision, unconfirmed: undefined, delay } };
}
