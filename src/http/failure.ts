import { NetworkError, type Outcome } from "../errors.ts";
import type { AttemptError } from "./send.ts";
import type { HttpRequest } from "./types.ts";

interface FailureFacts {
  readonly method: HttpRequest["method"];
  readonly url: URL;
  readonly outcome: Outcome;
  /** Times it left. */
  readonly attempts: number;
}

type Code = "unreachable" | "timeout" | "cut" | "answer_too_large";

const unknownHint = "It may have been done all the same: look before you try again.";

const words: Readonly<Record<Code, { readonly log: string; readonly hint: string }>> = {
  unreachable: {
    log: "could not be reached",
    hint: "The service can't be reached right now. Nothing was changed; try again in a few minutes.",
  },
  timeout: {
    log: "gave no answer in time",
    hint: "The service took too long to answer. Try again in a few minutes.",
  },
  cut: {
    log: "broke off before its answer was whole",
    hint: "The connection to the service broke off. Try again in a moment.",
  },
  answer_too_large: {
    log: "sent more than was asked for",
    hint: "The service's answer was larger than this bot accepts. Ask for less at a time.",
  },
};

/** Turns the fault of the last attempt into the failure of the call. */
export function networkError(
  error: Pick<AttemptError, "fault" | "left" | "cause">,
  { method, url, outcome, attempts }: FailureFacts,
): NetworkError {
  const code = codeOf(error);
  const { log, hint } = words[code];
  // Without its query, which may hold a key.
  return new NetworkError(`${method} ${url.origin}${url.pathname} ${log}`, {
    code,
    hint: outcome === "unknown" ? `${hint.split(". ")[0]}. ${unknownHint}` : hint,
    outcome,
    facts: { host: url.host, attempts },
    cause: error.cause,
  });
}

function codeOf({ fault, left }: Pick<AttemptError, "fault" | "left">): Code {
  if (fault === "too-large") return "answer_too_large";
  if (fault === "timeout") return "timeout";
  return left ? "cut" : "unreachable";
}
