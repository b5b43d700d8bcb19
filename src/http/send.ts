import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import type { Address } from "./address.ts";
import { type Gathered, gather } from "./gather.ts";
import type { HttpRequest } from "./types.ts";

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** One attempt's answer, whatever its status. */
export interface Answer extends Head {
  readonly body: Buffer;
}

/** An answer whose body is still on its way. */
export interface OpenAnswer extends Head {
  /** Comes as fast as it is read; fails with AttemptError. Destroying it ends the request. */
  readonly body: Readable;
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

export interface OpenAttempt {
  readonly address: Address;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Attempt extends OpenAttempt {
  readonly method: HttpRequest["method"];
  readonly body: Uint8Array | string | null;
  readonly maxBytes: number;
}

/** Sends once, and resolves with the whole answer. @throws AttemptError */
export function send(agent: Agent, attempt: Attempt): Promise<Answer> {
  const { maxBytes } = attempt;
  return exchange(agent, attempt, ({ settle, fail }) => {
    let head: Head | undefined;
    let body: Gathered | undefined;
    let bytes = 0;
    return {
      onHead(answered) {
        head = answered;
        const { "content-length": length } = answered.headers;
        if (Number(length) > maxBytes) return fail("too-large");
        body = gather(length);
      },
      onData(chunk) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) return fail("too-large");
        body?.add(chunk);
      },
      onEnd: () => head && body && settle({ ...head, body: body.all() }),
    };
  });
}

/**
 * Asks once and resolves with the headers; deadline and signal end there. A body nobody reads is not silence: undici
 * measures it only while it reads.
 * @throws AttemptError
 */
export function sendOpen(agent: Agent, attempt: OpenAttempt): Promise<OpenAnswer> {
  return exchange(agent, { ...attempt, method: "GET", body: null }, ({ settle }) => {
    let body: Readable | undefined;
    return {
      onHead(head, controller) {
        body = bodyOf(controller);
        settle({ ...head, body });
      },
      onData(chunk, controller) {
        if (body && !body.push(chunk)) controller.pause();
      },
      onEnd: () => body?.push(null),
      onLateFailure: (error) => body?.destroy(error),
    };
  });
}

function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read: () => controller.resume(),
    destroy(error, done) {
      if (!body.readableEnded) controller.abort(error ?? new Error("no longer wanted"));
      done(error);
    },
  });
  // It may fail before anybody looks; who reads it afterwards still meets the failure.
  return body.on("error", () => {});
}

/** What an answer means to whoever asked, as it comes. */
interface Receiver {
  onHead(head: Head, controller: Dispatcher.DispatchController): void;
  onData(chunk: Buffer, controller: Dispatcher.DispatchController): void;
  onEnd(): void;
  /** After it was settled. */
  onLateFailure?(error: AttemptError): void;
}

interface Settling<T> {
  settle(answer: T): void;
  fail(fault: Fault, cause?: unknown): void;
}

/**
 * undici's dispatch level is used because it alone says when a request starts to leave, and because it hands over chunks
 * without a stream around them.
 */
function exchange<T>(
  agent: Agent,
  attempt: Omit<Attempt, "maxBytes">,
  receive: (settling: Settling<T>) => Receiver,
): Promise<T> {
  const { address, method, headers, body, silenceMs, signal } = attempt;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;

    // Negative when the deadline went by while the pool was loaded.
    const timer = setTimeout(() => fail("timeout"), Math.max(attempt.timeoutMs, 0));
    const onAbort = () => fail("aborted", signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });

    function end(): void {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }

    function settle(answer: T): void {
      end();
      resolve(answer);
    }

    function fail(fault: Fault, cause?: unknown): void {
      const error = new AttemptError(fault, controller !== undefined, cause);
      if (settled) return void receiver.onLateFailure?.(error);
      end();
      reject(error);
      controller?.abort(error);
    }

    const receiver = receive({ settle, fail });
    const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    agent.dispatch(
      { ...address, method, headers, body, ...limits },
      {
        onRequestStart(started) {
          // Given up while it waited for a socket: nothing has been written yet, and nothing will be.
          if (settled) return started.abort(new Error("given up"));
          controller = started;
        },
        onResponseStart(started, status, given) {
          if (status < 200 || settled) return;
          receiver.onHead({ status, headers: joinHeaders(given) }, started);
        },
        onResponseData: (started, chunk) => receiver.onData(chunk, started),
        onResponseEnd: () => receiver.onEnd(),
        onResponseError: (_controller, error) => fail(faultOf(error), error),
      },
    );
  });
}

/** Names in lower case, as undici gives them; one value each. */
function joinHeaders(
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

function faultOf(error: Error): Fault {
  const code = "code" in error ? String(error.code) : "";
  return faults[code] ?? "broken";
}
