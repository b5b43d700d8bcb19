import type { Fault } from "../faults.ts";

/** What the service answers when it can't or won't work, once each; to be armed with `faults.add`. */
export const mishaps = {
  rateLimited: (retryAfterSeconds?: number) =>
    failure(429, "Rate limit exceeded", {
      ...(retryAfterSeconds !== undefined && { "Retry-After": `${retryAfterSeconds}` }),
    }),
  creditsGone: () => failure(402, "Insufficient credits"),
  keyRefused: () => failure(403, "API Key invalid"),
  unavailable: () => failure(503, "Service unavailable"),
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

function failure(status: number, title: string, headers: Record<string, string> = {}): Fault {
  return {
    kind: "answer",
    status,
    headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify({ errors: [{ title }] }),
    times: 1,
  };
}
