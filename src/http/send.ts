import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { NetworkError } from "../errors.ts";
import type { OutgoingRequest } from "./middleware.ts";
import { isPrivateAddress, PrivateHostError } from "./public-addresses.ts";
import type { HttpAnswer, HttpTools } from "./types.ts";

export type AnswerHead = Pick<HttpAnswer, "status" | "headers">;

/** An answer whose body is still on its way. */
export interface OpenHttpAnswer extends AnswerHead {
  /** Comes as fast as it is read; fails with AttemptError. Destroying it ends the request. */
  readonly body: Readable;
}

/** For the log. */
const messages = {
  unreachable: "could not be reached",
  timeout: "gave no answer in time",
  cut: "broke off before its answer was whole",
  answer_too_large: "sent more than was asked for",
} as const;
type AttemptErrorCode = keyof typeof messages;

interface AttemptFailure {
  readonly code?: AttemptErrorCode | undefined;
  /** Whether any byte of the request may have been sent. */
  readonly isSent: boolean;
  readonly cause?: unknown;
}

/** One attempt without an answer. Its outcome is `nothing` as long as no byte of the request may have been sent. */
export class AttemptError extends NetworkError<AttemptErrorCode> {
  constructor(
    { method, url }: Pick<OutgoingRequest, "method" | "url">,
    { isSent, code = isSent ? "cut" : "unreachable", cause }: AttemptFailure,
  ) {
    // Without the query, which may hold a key.
    super(`${method} ${url.origin}${url.pathname} ${messages[code]}`, {
      code,
      outcome: isSent ? "unknown" : "nothing",
      facts: { host: url.host },
      cause,
    });
  }
}

/** Sends once, and resolves with the whole answer. @throws AttemptError; the signal's reason */
export function sendWhole(tools: HttpTools, request: OutgoingRequest): Promise<HttpAnswer> {
  const { maxBytes } = request;
  return exchange(tools, request, ({ settle, fail }) => {
    let head: AnswerHead | undefined;
    let whole: Buffer | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    return {
      onHead(answerHead) {
        head = answerHead;
        const length = Number(answerHead.headers["content-length"]);
        if (length > maxBytes) return fail("answer_too_large");
        if (length >= largeBytes) whole = Buffer.allocUnsafeSlow(length);
      },
      onData(chunk) {
        if (bytes + chunk.byteLength > maxBytes) return fail("answer_too_large");
        if (whole) chunk.copy(whole, bytes);
        else chunks.push(chunk);
        bytes += chunk.byteLength;
      },
      onEnd: () =>
        head && settle({ ...head, body: whole?.subarray(0, bytes) ?? Buffer.concat(chunks) }),
    };
  });
}

/**
 * An answer of at least this size whose length is declared is copied to its final buffer chunk by chunk: joining 30 MB
 * at the end would block the event loop for more than 20 ms, and need the memory twice.
 */
const largeBytes = 1024 * 1024;

/**
 * Sends once and resolves with the headers; deadline and signal apply until then. A body that nobody reads is not taken
 * for silence, because undici measures silence only while it reads.
 * @throws AttemptError; the signal's reason
 */
export function sendOpen(tools: HttpTools, request: OutgoingRequest): Promise<OpenHttpAnswer> {
  return exchange(tools, request, ({ settle }) => {
    let body: Readable | undefined;
    return {
      onHead(head, controller) {
        body = readableBody(controller);
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

function readableBody(controller: Dispatcher.DispatchController): Readable {
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

interface AnswerReceiver {
  onHead(head: AnswerHead, controller: Dispatcher.DispatchController): void;
  onData(chunk: Buffer, controller: Dispatcher.DispatchController): void;
  onEnd(): void;
  /** Called for a failure after the attempt was settled. */
  onLateFailure?(error: Error): void;
}

interface AttemptResult<T> {
  settle(answer: T): void;
  fail(code: AttemptErrorCode): void;
}

/**
 * Uses undici's dispatch level, because it alone says when a request starts to leave, and because it gives chunks without
 * a stream around them.
 */
async function exchange<T>(
  { agent, now }: HttpTools,
  request: OutgoingRequest,
  receive: (result: AttemptResult<T>) => AnswerReceiver,
): Promise<T> {
  const { url, method, headers, body, silenceMs, signal, beginBy, reach } = request;
  if (reach === "public" && isPrivateAddress(url.hostname)) {
    throw new AttemptError(request, { isSent: false, cause: new PrivateHostError(url.host) });
  }
  const pool = await agent(reach);
  // The call may have been aborted while the pool was loaded.
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;

    // Negative when the deadline passed while the pool was loaded.
    const timer = setTimeout(() => fail("timeout"), Math.max(request.endAt - now(), 0));
    const onAbort = () => end(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });

    function finish(): void {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }

    function end(error: Error): void {
      if (isSettled) return void receiver.onLateFailure?.(error);
      finish();
      reject(error);
      controller?.abort(error);
    }

    function fail(code?: AttemptErrorCode, cause?: unknown): void {
      end(new AttemptError(request, { code, isSent: controller !== undefined, cause }));
    }

    const settle = (answer: T) => {
      finish();
      resolve(answer);
    };
    const receiver = receive({ settle, fail });
    pool.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      },
      {
        onRequestStart(started) {
          if (performance.now() >= beginBy) fail();
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
        onResponseError(_controller, error) {
          const code = "code" in error ? error.code : undefined;
          // The request itself is malformed, which no repeat would change.
          if (code === "UND_ERR_INVALID_ARG") return end(error);
          fail(timeoutCodes.has(code) ? "timeout" : undefined, error);
        },
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
const timeoutCodes: ReadonlySet<unknown> = new Set([
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
