import { BotError, type Facts, LimitError, NetworkError } from "../../errors.ts";
import {
  buildError,
  errorClasses,
  failureByReason,
  failureByStatus,
} from "../failures/known-failures.ts";

interface ForeseenFailure {
  /** The reason that YouTube would have given. */
  readonly reason: string;
  readonly status: 400 | 403 | 404;
  readonly method: string;
  readonly facts?: Facts;
}

/** The error for a call that YouTube would refuse, without sending it: the same code, and no units spent. */
export function foreseenError(
  why: string,
  { reason, status, method, facts }: ForeseenFailure,
): BotError {
  const chosen = failureByReason(reason, status, method) ?? failureByStatus(status, reason);
  return buildError(chosen, `${method}: ${why}`, { facts: { ...facts, method } });
}

const classes = { ...errorClasses, network: NetworkError } as const;

/** The same failure with more facts. After an earlier step was done its outcome is `part`, unless it is unknown. */
export function withFacts(error: unknown, facts: Facts, before?: "part"): unknown {
  if (!(error instanceof BotError) || error.kind === "config") return error;
  const outcome = error.outcome === "unknown" ? "unknown" : (before ?? error.outcome);
  return new classes[error.kind](error.message, {
    code: error.code,
    outcome,
    facts: { ...error.facts, ...facts },
    cause: error,
    ...(error instanceof LimitError && error.retryAt && { retryAt: error.retryAt }),
  });
}
