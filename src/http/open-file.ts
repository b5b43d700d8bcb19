import { Readable } from "node:stream";
import type { Agent } from "undici";
import type { NetworkError } from "../errors.ts";
import { splitUrl } from "./address.ts";
import {
  attachmentRefusal,
  attachmentTooLarge,
  attachmentUnavailable,
  attachmentUrl,
} from "./attachment.ts";
import { networkError } from "./failure.ts";
import { type RepeatProgress, type RequestDeps, repeatAttempts, startProgress } from "./repeat.ts";
import { retryPolicies, retryWait } from "./retry.ts";
import { AttemptError, type OpenHttpAnswer, sendOpenAttempt } from "./send.ts";
import type { Http } from "./types.ts";

/** Only an uncompressed file has a length of its own, and positions to resume at. */
const headers = { "accept-encoding": "identity" } as const;

/** Opens what a person attached, from the named hosts and nowhere else. `end` cuts what is still open. */
export function createOpenFile(services: RequestDeps) {
  const bodies = new Map<Readable, () => NetworkError>();
  let isEnded = false;
  const open: Http["open"] = async ({ url, hosts, maxBytes, signal }) => {
    const fileRequest: FileRequest = { url: attachmentUrl(url, hosts), headers, signal };
    const progress = startProgress();
    const first = await requestFile(services, fileRequest, progress).catch((error: unknown) => {
      throw error instanceof AttemptError ? readFailure(error, fileRequest, progress) : error;
    });
    try {
      const bytes = lengthOf(first, fileRequest.url);
      if (bytes > maxBytes) throw attachmentTooLarge(maxBytes);
      const body = resumedBody(services, { fileRequest, progress, first, bytes });
      bodies.set(body, () => streamCut(fileRequest, progress));
      body.once("close", () => bodies.delete(body));
      if (isEnded) body.destroy(streamCut(fileRequest, progress));
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

function lengthOf({ status, headers }: OpenHttpAnswer, url: URL): number {
  if (status !== 200) throw attachmentRefusal(status, url);
  const { "content-length": length = "", "content-encoding": coding = "identity" } = headers;
  if (/^\d{1,15}$/.test(length) && coding === "identity") return Number(length);
  throw attachmentUnavailable(`attachment on ${url.host} has no length`, {
    status,
    host: url.host,
  });
}

interface FileRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

interface OpenedFile {
  readonly fileRequest: FileRequest;
  readonly progress: RepeatProgress;
  readonly first: OpenHttpAnswer;
  readonly bytes: number;
}

/** After this many bytes the count of misses starts again, because a long file may be cut more often than a short one. */
const forgivingBytes = 1024 * 1024;

/**
 * Requests a file as often as a read may be repeated, and resolves with the last answer once its headers are here.
 * @throws AttemptError, or the signal's reason
 */
async function requestFile(
  services: RequestDeps,
  { url, headers, signal }: FileRequest,
  progress: RepeatProgress,
): Promise<OpenHttpAnswer> {
  const { deadlineMs, silenceMs } = retryPolicies.read;
  const prepared = { address: splitUrl(url.href), headers, silenceMs, signal };
  const call = {
    ...({ retry: "read", deadlineMs, signal } as const),
    send: (agent: Agent, timeoutMs: number) => sendOpenAttempt(agent, { ...prepared, timeoutMs }),
    discard: ({ body }: OpenHttpAnswer) => void body.destroy(),
  };
  const { answer, error } = await repeatAttempts(services, call, progress);
  if (answer === undefined) throw error;
  return answer;
}

/** The error of a read, which never changes anything. */
function readFailure(
  error: Pick<AttemptError, "fault" | "left" | "cause">,
  { url }: FileRequest,
  { sent }: RepeatProgress,
): NetworkError {
  return networkError(error, { method: "GET", url, outcome: "nothing", attempts: sent });
}

/** One stream that reads from several connections, one after the other, if the first ones are cut. */
function resumedBody(services: RequestDeps, opened: OpenedFile): Readable {
  const { signal } = opened.fileRequest;
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

  const waitForRoom = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const push = async (chunk: Buffer) => {
    if (!body.push(chunk) && !body.destroyed) await waitForRoom();
  };
  void pump(services, { ...opened, stop: stop.signal, push }).then(
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

/** Resolves when every byte has been pushed. */
async function pump(services: RequestDeps, opened: FilePump): Promise<void> {
  const { fileRequest, progress, bytes } = opened;
  let answer = opened.first;
  let received = 0;
  progress.misses = 0;
  for (;;) {
    const { drained, cause } = await drain(answer, opened, bytes - received);
    received += drained;
    if (received === bytes || opened.stop.aborted) return;
    if (drained >= forgivingBytes) progress.misses = 0;
    progress.misses += 1;
    const waitMs = retryWait(
      "read",
      { miss: "cut", tries: progress.misses, retryAfterMs: undefined },
      services.random,
    );
    if (waitMs === undefined) throw streamCut(fileRequest, progress, cause);
    answer = await resume(services, opened, { from: received, waitMs });
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
  services: RequestDeps,
  opened: FilePump,
  { from, waitMs }: { readonly from: number; readonly waitMs: number },
): Promise<OpenHttpAnswer> {
  const { fileRequest, progress, first, bytes, stop } = opened;
  const headers = { ...fileRequest.headers, range: `bytes=${from}-`, ...ifUnchanged(first) };
  let answer: OpenHttpAnswer;
  try {
    await services.sleep(waitMs, stop);
    answer = await requestFile(services, { ...fileRequest, headers, signal: stop }, progress);
  } catch (error) {
    throw streamCut(fileRequest, progress, error);
  }
  if (isRest(answer, from, bytes) && isSameFile(first, answer)) return answer;
  answer.body.destroy();
  throw streamCut(
    fileRequest,
    progress,
    new Error(`resuming at ${from} answered ${answer.status}`),
  );
}

/** Only a strong validator is allowed here: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 */
function ifUnchanged({ headers: { etag } }: OpenHttpAnswer) {
  return etag === undefined || etag.startsWith("W/") ? {} : { "if-range": etag };
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

/** The error of the stream itself. */
function streamCut(
  fileRequest: FileRequest,
  progress: RepeatProgress,
  cause?: unknown,
): NetworkError {
  return readFailure({ fault: "broken", left: true, cause }, fileRequest, progress);
}
