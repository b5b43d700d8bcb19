import type { Fault } from "../faults.ts";
import type { Complaint } from "./refusals.ts";

/** What the service answers when it can't or won't work, once each; to be armed with `faults.add`. */
export const mishaps = {
  rateLimited: (retryAfterSeconds?: number) =>
    failure(
      429,
      { title: "Rate limit exceeded" },
      {
        ...(retryAfterSeconds !== undefined && { "Retry-After": `${retryAfterSeconds}` }),
      },
    ),
  creditsGone: () => failure(402, { title: "Insufficient credits" }),
  keyRefused: () => failure(403, { title: "API Key invalid", code: "auth_failed" }),
  unavailable: () => failure(503, { title: "Service unavailable" }),
  /** As something in front of the service answers. */
  badGateway: () =>
    ({
      kind: "answer",
      status: 502,
      headers: { "Content-Type": "text/html" },
      body: "<html><body><h1>502 Bad Gateway</h1></body></html>",
      times: 1,
    }) satisfies Fault,
} as const;

function failure(
  status: number,
  complaint: Complaint,
  headers: Record<string, string> = {},
): Fault {
  return {
    kind: "answer",
    status,
    headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify({ errors: [complaint] }),
    times: 1,
  };
}
