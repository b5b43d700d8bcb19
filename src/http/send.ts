import type { Agent, Dispatcher } from "undici";
import type { Address } from "./address.ts";
import { type Gathered, gather } from "./gather.ts";
import type { HttpRequest } from "./types.ts";

/** One attempt's answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why an attempt has no answer. */
export type Fault = "aborted" | "timeout" | "too-large" | "broken" | "malformed";

/** One attempt without an answer. `left` tells whether any byte of the request may have gone out. */
export class AttemptError extends Error {
  override readonly name = "AttemptError";
  readonly fault: Fault;
  readonly left: boolean;

  constructor(fault: Fault, left: boolean, cause: unknown) {
    super(fault, { cause });
    this.fault = fault;
    this.left = left;
  }
}

export interface Attempt {
  readonly address: Address;
  readonly method: HttpRequest["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | null;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends once. undici's dispatch level is used because it alone says when a request starts to leave, and because it
 * hands over chunks without a stream around them.
 * @throws AttemptError
 */
export function send(agent: Agent, attempt: Attempt): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: Omit<Answer, "body"> | undefined;
    let body: Gathered | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let bytes = 0;
    let settled = false;

    // Negative when the deadline went by while the pool was loaded.
    const timer = setTimeout(() => fail("timeout"), Math.max(attempt.timeoutMs, 0));
    const onAbort = () => fail("aborted", attempt.signal?.reason);
    attempt.signal?.addEventListener("abort", onAbort, { once: true });

    function settle(): void {
      settled = true;
      clearTimeout(timer);
      attempt.signal?.removeEventListener("abort", onAbort);
    }

    function fail(fault: Fault, cause?: unknown): void {
      if (settled) return;
      settle();
      const error = new AttemptError(fault, controller !== undefined, cause);
      reject(error);
      controller?.abort(error);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Given up while it waited for a socket: nothing has been written yet, and nothing will be.
        if (settled) return started.abort(new Error("given up"));
        controller = started;
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        answer = { status, headers: joinHeaders(headers) };
        const { "content-length": length } = answer.headers;
        if (Number(length) > attempt.maxBytes) return fail("too-large");
        body = gather(length);
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.byteLength;
        if (bytes > attempt.maxBytes) return fail("too-large");
        body?.add(chunk);
      },
      onResponseEnd() {
        if (settled || answer === undefined || body === undefined) return;
        settle();
        resolve({ ...answer, body: body.all() });
      },
      onResponseError(_controller, error) {
        fail(faultOf(error), error);
      },
    };

    agent.dispatch(
      {
        origin: attempt.address.origin,
        path: attempt.address.path,
        method: attempt.method,
        headers: attempt.headers,
        body: attempt.body,
        headersTimeout: attempt.silenceMs,
        bodyTimeout: attempt.silenceMs,
      },
      handler,
    );
  });
}

/** Names in lower case, as undici gives them; one value each. */
export function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}

/** undici's names: https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md */
const faults: Readonly<Record<string, Fault>> = {
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_INVALID_ARG: "malformed",
};

export function faultOf(error: Error): Fault {
  const code = "code" in error ? String(error.code) : "";
  return faults[code] ?? "broken";
}
