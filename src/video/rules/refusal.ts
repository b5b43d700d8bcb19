import { BotError, type Facts, LimitError, NetworkError, type Outcome } from "../../errors.ts";
import { build, classes } from "../failures/known.ts";
import { known, knownByStatus } from "../failures/known-failures.ts";

interface Foreseen {
  /** The service's reason, as it would have come. */
  readonly reason: string;
  readonly status: 400 | 403 | 404;
  readonly method: string;
  readonly facts?: Facts;
}

/** What the service would refuse, refused before it is asked: in the same words, and for no units. */
export function refusal(why: string, { reason, status, method, facts }: Foreseen): BotError {
  const chosen = known(reason, status, method) ?? knownByStatus(status, reason);
  return build(chosen, `${method}: ${why}`, { code: chosen.code, facts: { ...facts, method } });
}

const kinds = { ...classes, network: NetworkError } as const;

interface Telling {
  readonly hint: string;
  readonly outcome: Outcome;
  readonly facts: Facts | undefined;
}

/** The same failure with more facts. */
export function withFacts(error: unknown, facts: Facts): unknown {
  if (!(error instanceof BotError)) return error;
  return retold(error, { hint: error.hint, outcome: error.outcome, facts });
}

/** What an earlier step has left behind. */
interface Behind {
  /** Said before the failure's own hint. */
  readonly said: string;
  readonly facts?: Facts;
}

/** The same failure, where an earlier step of several was done: `part`, or `unknown` if the last step may be too. */
export function afterPart(error: unknown, { said, facts }: Behind): unknown {
  if (!(error instanceof BotError)) return error;
  const outcome = error.outcome === "unknown" ? "unknown" : "part";
  return retold(error, { hint: `${said} ${error.hint}`, outcome, facts });
}

function retold(error: BotError, { hint, outcome, facts }: Telling): BotError {
  if (error.kind === "config") return error;
  return new kinds[error.kind](error.message, {
    code: error.code,
    hint,
    outcome,
    facts: { ...error.facts, ...facts },
    cause: error,
    ...(error instanceof LimitError && error.retryAt && { retryAt: error.retryAt }),
  });
}
