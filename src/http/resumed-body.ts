import { Readable } from "node:stream";
import type { NetworkError } from "../errors.ts";
import { type Asked, ask, type Question, readFailure } from "./ask.ts";
import type { RequestServices } from "./request.ts";
import { retryWait } from "./retry.ts";
import type { OpenAnswer } from "./send.ts";

export interface Opened {
  readonly question: Question;
  readonly asked: Asked;
  readonly first: OpenAnswer;
  readonly bytes: number;
}

/** After so many bytes a further cut is a new one: a long file may be cut more often than a short one. */
const worthwhileBytes = 1024 * 1024;

/** One stream over as many connections as it takes. */
export function resumedBody(services: RequestServices, opened: Opened): Readable {
  const { signal } = opened.question;
  const stop = new AbortController();
  let wake = () => {};
  const body = new Readable({
    read: () => wake(),
    destroy(error, done) {
      signal?.removeEventListener("abort", onAbort);
      stop.abort();
      wake();
      done(error);
    },
  });
  const onAbort = () => body.destroy(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  // It may fail before anybody looks; who reads it afterwards still meets the failure.
  body.on("error", () => {});

  const room = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const push = async (chunk: Buffer) => {
    if (!body.push(chunk) && !body.destroyed) await room();
  };
  void pump(services, { ...opened, stop: stop.signal, push }).then(
    () => body.push(null),
    (error: Error) => body.destroy(error),
  );
  return body;
}

interface Pump extends Opened {
  /** Aborted when the stream is destroyed. */
  readonly stop: AbortSignal;
  /** Resolves when there is room for more. */
  readonly push: (chunk: Buffer) => Promise<void>;
}

/** Resolves when every byte has been pushed. */
async function pump(services: RequestServices, opened: Pump): Promise<void> {
  const { question, asked, bytes } = opened;
  let answer = opened.first;
  let received = 0;
  asked.misses = 0;
  for (;;) {
    const { got, cause } = await drain(answer, opened, bytes - received);
    received += got;
    if (received === bytes || opened.stop.aborted) return;
    if (got >= worthwhileBytes) asked.misses = 0;
    asked.misses += 1;
    const wait = retryWait(
      "read",
      { miss: "cut", tries: asked.misses, retryAfterMs: undefined },
      services.random,
    );
    if (wait === undefined) throw cut(question, asked, cause);
    answer = await resume(services, opened, { from: received, wait });
  }
}

/** Pushes what comes until it ends one way or another; more than was announced counts as broken. */
async function drain({ body }: OpenAnswer, { stop, push }: Pump, most: number) {
  const end = () => body.destroy();
  stop.addEventListener("abort", end, { once: true });
  let got = 0;
  try {
    for await (const chunk of body) {
      const bytes = chunk as Buffer; // undici's chunks
      if (got + bytes.length > most) throw new Error("more bytes than announced");
      got += bytes.length;
      await push(bytes);
    }
    return { got };
  } catch (cause) {
    return { got, cause };
  } finally {
    stop.removeEventListener("abort", end);
  }
}

/** Asks for the rest, and makes sure that it is the rest of the same file. */
async function resume(
  services: RequestServices,
  opened: Pump,
  { from, wait }: { readonly from: number; readonly wait: number },
): Promise<OpenAnswer> {
  const { question, asked, first, bytes, stop } = opened;
  const headers = { ...question.headers, range: `bytes=${from}-`, ...ifSame(first) };
  let answer: OpenAnswer;
  try {
    await services.sleep(wait, stop);
    answer = await ask(services, { ...question, headers, signal: stop }, asked);
  } catch (error) {
    throw cut(question, asked, error);
  }
  if (isRest(answer, from, bytes) && isSameFile(first, answer)) return answer;
  answer.body.destroy();
  throw cut(question, asked, new Error(`resuming at ${from} answered ${answer.status}`));
}

/** Only a strong validator may stand here: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 */
function ifSame({ headers: { etag } }: OpenAnswer) {
  return etag === undefined || etag.startsWith("W/") ? {} : { "if-range": etag };
}

function isRest({ status, headers }: OpenAnswer, from: number, bytes: number): boolean {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers["content-range"] ?? "") ?? [];
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  return status === 206 && isPlain && Number(start) === from && Number(total) === bytes;
}

function isSameFile(first: OpenAnswer, answer: OpenAnswer): boolean {
  return ["etag", "last-modified"].every((name) => {
    const [before, now] = [first.headers[name], answer.headers[name]];
    return before === undefined || now === undefined || before === now;
  });
}

/** The stream's own failure. */
export function cut(question: Question, asked: Asked, cause?: unknown): NetworkError {
  return readFailure({ fault: "broken", left: true, cause }, question, asked);
}
