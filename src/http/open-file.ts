import { Readable } from "node:stream";
import { NetworkError } from "../errors.ts";
import {
  attachmentError,
  attachmentTooLarge,
  attachmentUnavailable,
  attachmentUrl,
} from "./attachment.ts";
import {
  composeMiddleware,
  type OutgoingRequest,
  prepareRequest,
  type Send,
} from "./middleware.ts";
import { repeatAttempts } from "./repeat.ts";
import { retryWait } from "./retry.ts";
import { AttemptError, type OpenHttpAnswer, sendOpen } from "./send.ts";
import type { Http, HttpTools } from "./types.ts";

/** Only an uncompressed file has a length of its own, and positions to resume at. */
const headers = { "accept-encoding": "identity" } as const;

/** Opens what a person attached, from the named hosts and nowhere else. `end` cuts what is still open. */
export function createOpenFile(tools: HttpTools) {
  /** With what ends each of them. */
  const bodies = new Map<Readable, () => NetworkError>();
  let isEnded = false;
  const repeat = repeatAttempts<OpenHttpAnswer>(tools, {
    reasonFor: ({ status }) => (status === 429 ? "throttled" : undefined),
    discard: ({ body }) => void body.destroy(),
  });
  const send = composeMiddleware([repeat], (request) => sendOpen(tools, request));
  const open: Http["open"] = async ({ url, hosts, maxBytes, signal }) => {
    const request = prepareRequest({
      method: "GET",
      url: attachmentUrl(url, hosts).href,
      headers,
      retry: "read",
      signal,
    });
    const first = await send(request);
    try {
      const bytes = checkedLength(first, request.url);
      if (bytes > maxBytes) throw attachmentTooLarge(maxBytes);
      const body = resumedBody({ tools, send, request, first, bytes });
      const end = () => streamCut(request);
      bodies.set(body, end);
      body.once("close", () => bodies.delete(body));
      if (isEnded) body.destroy(end());
      return { bytes, body };
    } catch (error) {
      first.body.destroy();
      throw error;
    }
  };
  const end = () => {
    isEnded = true;
    for (const [body, reason] of bodies) body.destroy(reason());
  };
  return { open, end };
}

function checkedLength({ status, headers }: OpenHttpAnswer, url: URL): number {
  if (status !== 200) throw attachmentError(status, url);
  const { "content-length": length = "", "content-encoding": coding = "identity" } = headers;
  if (/^\d{1,15}$/.test(length) && coding === "identity") return Number(length);
  throw attachmentUnavailable(`attachment on ${url.host} has no length`, {
    status,
    host: url.host,
  });
}

interface OpenedFile {
  readonly tools: HttpTools;
  readonly send: Send<OpenHttpAnswer>;
  readonly request: OutgoingRequest;
  readonly first: OpenHttpAnswer;
  readonly bytes: number;
}

/** One stream that reads from several connections, one after the other, if the first ones are cut. */
function resumedBody(file: OpenedFile): Readable {
  const { signal } = file.request;
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
  // It may fail before anybody listens; whoever reads it afterwards still gets the error.
  body.on("error", () => {});

  const push = async (chunk: Buffer) => {
    if (body.push(chunk) || body.destroyed) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  void pump({ ...file, stop: stop.signal, push }).then(
    () => body.push(null),
    (error: Error) => body.destroy(error),
  );
  return body;
}

interface FilePump extends OpenedFile {
  /** Aborted when the stream is destroyed. */
  readonly stop: AbortSignal;
  /** Resolves when there is room for more. */
  readonly push: (chunk: Buffer) => Promise<void>;
}

/** After so many bytes the failures are counted anew, because a long file may be cut more often than a short one. */
const forgivingBytes = 1024 * 1024;

/** Resolves when every byte has been pushed. */
async function pump(file: FilePump): Promise<void> {
  const { request, bytes, tools } = file;
  const { progress } = request;
  let answer = file.first;
  let received = 0;
  progress.failures = 0;
  for (;;) {
    const { drained, cause } = await drain(answer, file, bytes - received);
    received += drained;
    if (received === bytes || file.stop.aborted) return;
    if (drained >= forgivingBytes) progress.failures = 0;
    progress.failures += 1;
    const failed = { reason: "cut", failures: progress.failures } as const;
    const waitMs = retryWait("read", failed, tools.random);
    if (waitMs === undefined) throw streamCut(request, cause);
    answer = await resume(file, { from: received, waitMs }).catch((error: unknown) => {
      throw streamCut(request, error);
    });
  }
}

/** Pushes the bytes of an answer until it ends or fails. More bytes than announced count as a failure. */
async function drain({ body }: OpenHttpAnswer, { stop, push }: FilePump, maxBytes: number) {
  const end = () => body.destroy();
  stop.addEventListener("abort", end, { once: true });
  let drained = 0;
  try {
    for await (const chunk of body) {
      const bytes = chunk as Buffer; // undici's chunks
      if (drained + bytes.length > maxBytes) throw new Error("more bytes than announced");
      drained += bytes.length;
      await push(bytes);
    }
    return { drained };
  } catch (cause) {
    return { drained, cause };
  } finally {
    stop.removeEventListener("abort", end);
  }
}

/** Requests the rest, and makes sure that it is the rest of the same file. */
async function resume(
  { tools, send, request, first, bytes, stop }: FilePump,
  { from, waitMs }: { readonly from: number; readonly waitMs: number },
): Promise<OpenHttpAnswer> {
  await tools.sleep(waitMs, stop);
  const { etag } = first.headers;
  // Only a strong validator is allowed here: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5
  const isStrong = etag !== undefined && !etag.startsWith("W/");
  const range = { range: `bytes=${from}-`, ...(isStrong && { "if-range": etag }) };
  const headers = { ...request.headers, ...range };
  const answer = await send({ ...request, headers, signal: stop });
  if (isRest(answer, from, bytes) && isSameFile(first, answer)) return answer;
  answer.body.destroy();
  throw new Error(`resuming at ${from} answered ${answer.status}`);
}

function isRest({ status, headers }: OpenHttpAnswer, from: number, bytes: number): boolean {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers["content-range"] ?? "") ?? [];
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  return status === 206 && isPlain && Number(start) === from && Number(total) === bytes;
}

function isSameFile(first: OpenHttpAnswer, answer: OpenHttpAnswer): boolean {
  return ["etag", "last-modified"].every((name) => {
    const [before, now] = [first.headers[name], answer.headers[name]];
    return before === undefined || now === undefined || before === now;
  });
}

/** The error of the stream itself. A read changes nothing, whatever became of it. */
function streamCut(request: OutgoingRequest, cause?: unknown): NetworkError {
  const { message, code, facts } = new AttemptError(request, { isSent: true });
  const { sent: attempts } = request.progress;
  return new NetworkError<string>(message, { code, facts: { ...facts, attempts }, cause });
}
