import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import type { UrlParts } from "./address.ts";
import { type BodyCollector, collectBody } from "./collect-body.ts";
import type { HttpRequest } from "./types.ts";

interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** One attempt's answer, whatever its status. */
export interface HttpAnswer extends AnswerHead {
  readonly body: Buffer;
}

/** An answer whose body is still on its way. */
export interface OpenHttpAnswer extends AnswerHead {
  /** Comes as fast as it is read; fails with AttemptError. Destroying it ends the request. */
  readonly body: Readable;
}

/** Why an attempt got no answer. */
export type AttemptFault = "aborted" | "timeout" | "too-large" | "broken" | "malformed";

/** An attempt without an answer. `left` says whether any byte of the request may have been sent. */
export class AttemptError extends Error {
  override readonly name = "AttemptError";
  readonly fault: AttemptFault;
  readonly left: boolean;

  constructor(fault: AttemptFault, left: boolean, cause: unknown) {
    super(fault, { cause });
    this.fault = fault;
    this.left = left;
  }
}

export interface OpenHttpAttempt {
  readonly address: UrlParts;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface HttpAttempt extends OpenHttpAttempt {
  readonly method: HttpRequest["method"];
  readonly body: Uint8Array | string | null;
  readonly maxBytes: number;
  /** By `performance.now()`: if no connection is free by then, not a byte is sent. */
  readonly beginBy?: number;
}

/** Sends once, and resolves with the whole answer. @throws AttemptError */
export function sendAttempt(agent: Agent, attempt: HttpAttempt): Promise<HttpAnswer> {
  const { maxBytes } = attempt;
  return exchange(agent, attempt, ({ settle, fail }) => {
    let head: AnswerHead | undefined;
    let body: BodyCollector | undefined;
    let bytes = 0;
    return {
      onHead(answerHead) {
        head = answerHead;
        const { "content-length": length } = answerHead.headers;
        if (Number(length) > maxBytes) return fail("too-large");
        body = collectBody(length);
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
 * Sends once and resolves with the headers; deadline and signal apply until then. A body that nobody reads is not taken
 * for silence, because undici measures silence only while it reads.
 * @throws AttemptError
 */
export function sendOpenAttempt(agent: Agent, attempt: OpenHttpAttempt): Promise<OpenHttpAnswer> {
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
  // It may fail before anybody listens; whoever reads it afterwards still gets the error.
  return body.on("error", () => {});
}

/** Takes an answer as it comes. */
interface AnswerReceiver {
  onHead(head: AnswerHead, controller: Dispatcher.DispatchController): void;
  onData(chunk: Buffer, controller: Dispatcher.DispatchController): void;
  onEnd(): void;
  /** Called for a failure after the attempt was settled. */
  onLateFailure?(error: AttemptError): void;
}

interface AttemptResult<T> {
  settle(answer: T): void;
  fail(fault: AttemptFault, cause?: unknown): void;
}

/**
 * Uses undici's dispatch level, because it alone says when a request starts to leave, and because it gives chunks without
 * a stream around them.
 */
function exchange<T>(
  agent: Agent,
  attempt: Omit<HttpAttempt, "maxBytes">,
  receive: (settling: AttemptResult<T>) => AnswerReceiver,
): Promise<T> {
  const { address, method, headers, body, silenceMs, signal } = attempt;
  const { beginBy = Number.POSITIVE_INFINITY } = attempt;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;

    // Negative when the deadline passed while the pool was loaded.
    const timer = setTimeout(() => fail("timeout"), Math.max(attempt.timeoutMs, 0));
    const onAbort = () => fail("aborted", signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });

    function end(): void {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }

    function settle(answer: T): void {
      end();
      resolve(answer);
    }

    function fail(fault: AttemptFault, cause?: unknown): void {
      const error = new AttemptError(fault, controller !== undefined, cause);
      if (isSettled) return void receiver.onLateFailure?.(error);
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
          if (performance.now() >= beginBy) fail("broken");
          // It was given up while it waited for a socket, so nothing was written and nothing will be.
          if (isSettled) return started.abort(new Error("given up"));
          controller = started;
        },
        onResponseStart(started, status, headers) {
          if (status < 200 || isSettled) return;
          receiver.onHead({ status, headers: joinHeaders(headers) }, started);
        },
        onResponseData: (started, chunk) => receiver.onData(chunk, started),
        onResponseEnd: () => receiver.onEnd(),
        onResponseError: (_controller, error) => fail(faultOf(error), error),
      },
    );
  });
}

/** Names in lower case, as undici gives them, with one value each. */
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
const faults: Readonly<Record<string, AttemptFault>> = {
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_INVALID_ARG: "malformed",
};

function faultOf(error: Error): AttemptFault {
  const code = "code" in error ? String(error.code) : "";
  return faults[code] ?? "broken";
}
