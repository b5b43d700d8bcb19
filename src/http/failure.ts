import { NetworkError, type Outcome } from "../errors.ts";
import type { AttemptError } from "./send.ts";
import type { HttpRequest } from "./types.ts";

interface RequestFailureFacts {
  readonly method: HttpRequest["method"];
  readonly url: URL;
  readonly outcome: Outcome;
  /** How often the request was sent. */
  readonly attempts: number;
  /** How many of these did not reach the service. */
  readonly unreached?: number;
}

/** For the log. */
const messages = {
  unreachable: "could not be reached",
  timeout: "gave no answer in time",
  cut: "broke off before its answer was whole",
  answer_too_large: "sent more than was asked for",
} as const;

/** Turns the fault of the last attempt into the error of the call. */
export function networkError(
  error: Pick<AttemptError, "fault" | "left" | "cause">,
  { method, url, outcome, attempts, unreached = 0 }: RequestFailureFacts,
): NetworkError {
  const code = faultCode(error);
  // Without the query, which may hold a key.
  return new NetworkError(`${method} ${url.origin}${url.pathname} ${messages[code]}`, {
    code,
    outcome,
    facts: { host: url.host, attempts, ...(unreached > 0 && { unreached }) },
    cause: error.cause,
  });
}

function faultCode({ fault, left }: Pick<AttemptError, "fault" | "left">): keyof typeof messages {
  if (fault === "too-large") return "answer_too_large";
  if (fault === "timeout") return "timeout";
  return left ? "cut" : "unreachable";
}
