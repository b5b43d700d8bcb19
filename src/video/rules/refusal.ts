import { BotError, type Facts, LimitError, NetworkError, type Outcome } from "../../errors.ts";
import { build, errorClasses, known, knownByStatus } from "../failures/known-failures.ts";

interface Foreseen {
  /** The service's reason, as it would have come. */
  readonly reason: string;
  readonly status: 400 | 403 | 404;
  readonly method: string;
  readonly facts?: Facts;
}

/** What the service would refuse, refused before it is asked: with the same code, and for no units. */
export function refusal(why: string, { reason, status, method, facts }: Foreseen): BotError {
  const chosen = known(reason, status, method) ?? knownByStatus(status, reason);
  return build(chosen, `${method}: ${why}`, { facts: { ...facts, method } });
}

const classes = { ...errorClasses, network: NetworkError } as const;

/** The same failure with more facts. */
export function withFacts(error: unknown, facts: Facts): unknown {
  return error instanceof BotError ? retold(error, error.outcome, facts) : error;
}

/** The same failure, where an earlier step of several was done: `part`, or `unknown` if the last step may be too. */
export function afterPart(error: unknown, facts: Facts): unknown {
  if (!(error instanceof BotError)) return error;
  return retold(error, error.outcome === "unknown" ? "unknown" : "part", facts);
}

function retold(error: BotError, outcome: Outcome, facts: Facts): BotError {
  if (error.kind === "config") return error;
  return new classes[error.kind](error.message, {
    code: error.code,
    outcome,
    facts: { ...error.facts, ...facts },
    cause: error,
    ...(error instanceof LimitError && error.retryAt && { retryAt: error.retryAt }),
  });
}
