import { Readable } from "node:stream";
import type { Agent } from "undici";
import type { NetworkError } from "../errors.ts";
import { addressOf } from "./address.ts";
import { networkError } from "./failure.ts";
import { type Progress, type RequestServices, repeat } from "./repeat.ts";
import { policies, retryWait } from "./retry.ts";
import { type AttemptError, type OpenAnswer, sendOpen } from "./send.ts";

export interface Question {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

export interface Opened {
  readonly question: Question;
  readonly progress: Progress;
  readonly first: OpenAnswer;
  readonly bytes: number;
}

/** After so many bytes a further cut is a new one: a long file may be cut more often than a short one. */
const worthwhileBytes = 1024 * 1024;

/**
 * Asks for a file as often as a read may be asked for, and resolves with the headers of the last answer.
 * @throws AttemptError, or the signal's reason
 */
export async function ask(
  services: RequestServices,
  { url, headers, signal }: Question,
  progress: Progress,
): Promise<OpenAnswer> {
  const { deadlineMs, silenceMs } = policies.read;
  const prepared = { address: addressOf(url.href), headers, silenceMs, signal };
  const call = {
    ...({ retry: "read", deadlineMs, signal } as const),
    send: (agent: Agent, timeoutMs: number) => sendOpen(agent, { ...prepared, timeoutMs }),
    discard: ({ body }: OpenAnswer) => void body.destroy(),
  };
  const { answer, error } = await repeat(services, call, progress);
  if (answer === undefined) throw error;
  return answer;
}

/** Nothing was changed by reading. */
export function readFailure(
  error: Pick<AttemptError, "fault" | "left" | "cause">,
  { url }: Question,
  { sent }: Progress,
): NetworkError {
  return networkError(error, { method: "GET", url, outcome: "nothing", attempts: sent });
}

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
  const { question, progress, bytes } = opened;
  let answer = opened.first;
  let received = 0;
  progress.misses = 0;
  for (;;) {
    const { got, cause } = await drain(answer, opened, bytes - received);
    received += got;
    if (received === bytes || opened.stop.aborted) return;
    if (got >= worthwhileBytes) progress.misses = 0;
    progress.misses += 1;
    const wait = retryWait(
      "read",
      { miss: "cut", tries: progress.misses, retryAfterMs: undefined },
      services.random,
    );
    if (wait === undefined) throw cut(question, progress, cause);
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
  const { question, progress, first, bytes, stop } = opened;
  const headers = { ...question.headers, range: `bytes=${from}-`, ...ifSame(first) };
  let answer: OpenAnswer;
  try {
    await services.sleep(wait, stop);
    answer = await ask(services, { ...question, headers, signal: stop }, progress);
  } catch (error) {
    throw cut(question, progress, error);
  }
  if (isRest(answer, from, bytes) && isSameFile(first, answer)) return answer;
  answer.body.destroy();
  throw cut(question, progress, new Error(`resuming at ${from} answered ${answer.status}`));
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
export function cut(question: Question, progress: Progress, cause?: unknown): NetworkError {
  return readFailure({ fault: "broken", left: true, cause }, question, progress);
}
