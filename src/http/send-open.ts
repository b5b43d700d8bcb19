import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { type Attempt, AttemptError, type Fault, faultOf, joinHeaders } from "./send.ts";

/** An answer whose body is still on its way. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Comes as fast as it is read; fails with AttemptError. Destroying it ends the request. */
  readonly body: Readable;
}

export type OpenAttempt = Pick<
  Attempt,
  "address" | "headers" | "timeoutMs" | "silenceMs" | "signal"
>;

/**
 * Asks once and resolves with the headers; deadline and signal end there. A body nobody reads is not silence: undici
 * measures it only while it reads.
 * @throws AttemptError
 */
export function sendOpen(agent: Agent, attempt: OpenAttempt): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: Readable | undefined;
    let settled = false;

    const timer = setTimeout(() => fail("timeout"), Math.max(attempt.timeoutMs, 0));
    const onAbort = () => fail("aborted", attempt.signal?.reason);
    attempt.signal?.addEventListener("abort", onAbort, { once: true });

    function settle(): void {
      settled = true;
      clearTimeout(timer);
      attempt.signal?.removeEventListener("abort", onAbort);
    }

    function fail(fault: Fault, cause?: unknown): void {
      const error = new AttemptError(fault, controller !== undefined, cause);
      if (body) return void body.destroy(error);
      if (settled) return;
      settle();
      reject(error);
      controller?.abort(error);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Given up while it waited for a socket.
        if (settled) return started.abort(new Error("given up"));
        controller = started;
      },
      onResponseStart(started, status, headers) {
        if (status < 200 || settled) return;
        settle();
        body = bodyOf(started);
        resolve({ status, headers: joinHeaders(headers), body });
      },
      onResponseData(started, chunk) {
        if (body && !body.push(chunk)) started.pause();
      },
      onResponseEnd() {
        body?.push(null);
      },
      onResponseError(_controller, error) {
        fail(faultOf(error), error);
      },
    };

    agent.dispatch(
      {
        origin: attempt.address.origin,
        path: attempt.address.path,
        method: "GET",
        headers: attempt.headers,
        headersTimeout: attempt.silenceMs,
        bodyTimeout: attempt.silenceMs,
      },
      handler,
    );
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
