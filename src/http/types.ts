import type { Readable } from "node:stream";
import type { Agent } from "undici";

/** Says after which failures a call may be repeated; the rules are in `retry.ts`. */
export type RetryClass =
  | "read"
  | "set"
  | "delete"
  | "keyed"
  | "create"
  | "paid"
  | "upload"
  | "token";

/**
 * Why an answer that is no success may be tried again. `throttled`: it says "too fast", so it was not done. `failed`: a
 * failure that passes, a 5xx above all; it may have been done. `doubtful`: a failure that may pass, or a refusal; only
 * reads repeat it.
 */
export type AnswerRetryReason = "throttled" | "failed" | "doubtful";

/** Or why there was no answer. `unsent`: not a byte was sent. `cut`: it was sent, and no complete answer came. */
export type RetryReason = AnswerRetryReason | "unsent" | "cut";

/** A file of a form; its name may hold anything. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Fields in order, sent as multipart/form-data. Not a `FormData`, whose files are Blobs that are copied twice before a
 * byte leaves.
 */
export type MultipartForm = readonly (readonly [name: string, value: string | FormFile])[];

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A form is encoded once, so that a retry sends the same bytes. */
  readonly body?: Uint8Array | string | MultipartForm | undefined;
  readonly retry: RetryClass;
  /** `public`: only to public hosts, for addresses that come from a server in Discord. Anywhere when absent. */
  readonly reach?: "public" | undefined;
  /** For the whole call including waits; the class decides when absent. */
  readonly deadlineMs?: number | undefined;
  /**
   * Longest silence of the service before an attempt counts as cut, from when the request starts to leave. A large body
   * needs more. The class decides when absent.
   */
  readonly silenceMs?: number | undefined;
  /** Attempts in all, fewer than the class has; the class decides when absent. 1 is for callers that repeat by themselves, with `backOff`. */
  readonly tries?: number | undefined;
  /** Most bytes of the answer before the call fails with `answer_too_large`; 64 MiB when absent. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Why a 4xx answer may be tried again; undefined if it is final. Every 429 is `throttled` when absent. */
  readonly retryReason?: ((answer: HttpAnswer) => AnswerRetryReason | undefined) | undefined;
  /** No attempt begins later than this after the first; the deadline when absent. */
  readonly lastStartMs?: number | undefined;
  /**
   * Runs around every attempt, for calls that take turns. After a throttled attempt it is what waits. An error of its own
   * ends the call.
   */
  readonly around?: ((send: () => Promise<HttpAnswer>) => Promise<HttpAnswer>) | undefined;
}

/** One attempt's answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpResponse extends HttpAnswer {
  /** How often the request was sent; failed connections are not counted. */
  readonly attempts: number;
  /** How many of them a gateway answered because it did not reach the service. */
  readonly unreached?: number;
  /** Set when an attempt was cut or failed at the service, so that it may have been carried out nevertheless. */
  readonly maybeDone?: true;
}

export interface HttpBackOffOptions {
  /** The wait that the service asked for; the wait is never shorter. */
  readonly retryAfterMs?: number | undefined;
  /** Longest wait that makes sense; the deadline of the class when absent. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** One connection pool with TLS 1.2 as its floor. */
export interface Http {
  /**
   * Sends, and repeats as the retry class allows. Any status resolves; the caller translates it. `create` and `upload` are
   * repeated only when they were certainly not done, `paid` and `token` never after a cut.
   * @throws NetworkError `unreachable`, `timeout`, `cut` or `answer_too_large`, with `attempts` among its facts; the
   * signal's reason when aborted.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Downloads a file that a person attached: exact host, https (http only for loopback hosts), no redirects, size checked
   * by header and by count.
   * @throws InputError `attachment_host` or `attachment_too_large`; NetworkError; ServiceError `attachment_gone`.
   */
  download(request: DownloadRequest): Promise<Buffer>;
  /**
   * Opens what `download` would fetch as a stream, by the same rules, for files larger than memory. Resolves when the
   * headers are here. The connection waits while nobody reads. A cut connection is resumed where it broke off, as long as
   * the host still has the same file. Whoever opens the stream reads it to its end or destroys it, which ends the request.
   * @throws what `download` throws, and ServiceError `attachment_unavailable` when the host does not state the length; the
   * stream fails with NetworkError `cut`, or with the signal's reason when aborted.
   */
  open(request: DownloadRequest): Promise<OpenFile>;
  /**
   * Fetches a file of the public internet whose address a person typed: https at its usual port, no login, at most three
   * redirects that are checked in the same way, and never an address of a private network or of this machine, as it is
   * connected to. Compressed answers are counted unpacked. Any status resolves.
   * @throws InputError `public_address`; NetworkError as `request`
   */
  fetchPublic(request: PublicFileRequest): Promise<HttpAnswer>;
  /**
   * Waits as long as the class does after this many failures in a row. Resolves with `false`, without a wait, when there must be
   * no further try: the tries are used up, or the wait would be too long.
   */
  backOff(retry: RetryClass, failures: number, options?: HttpBackOffOptions): Promise<boolean>;
  /** Loads in advance what the first request would otherwise wait for. */
  warm(): Promise<void>;
  /** Waits for the requests that are under way; files that are still open are cut. */
  close(): Promise<void>;
}

export interface DownloadRequest {
  readonly url: string;
  /** `host` or `host:port`, compared whole. */
  readonly hosts: readonly string[];
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface PublicFileRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly maxBytes: number;
  /** For all of it, redirects included. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenFile {
  /** The whole length, at most `maxBytes`; the stream gives exactly this many bytes or fails. */
  readonly bytes: number;
  readonly body: Readable;
}

export interface HttpTools {
  /** Loaded when first needed: undici would take a fifth of the start, which does not need it yet. */
  readonly agent: (reach?: HttpRequest["reach"]) => Promise<Agent>;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
