import type { VideoState } from "./data/index.ts";
import type { JsonBody } from "./json-body.ts";
import type { ApiQuery } from "./query.ts";

/** What was uploaded; only what can be shown again is kept. */
export interface UploadedMedia {
  readonly type: string;
  readonly size: number;
  /** Hexadecimal SHA-256. */
  readonly hash: string;
  /** Undefined for videos, which may be larger than memory. */
  readonly bytes: Uint8Array | undefined;
}

/** One request, checked and let in. */
export interface ApiCall {
  readonly state: VideoState;
  readonly query: ApiQuery;
  /** Empty when the request has none. */
  readonly body: JsonBody;
  /** The id that the query or the body names; empty when there is none. */
  readonly id: string;
  /** Undefined when no file, or an empty one, was sent. */
  readonly media: UploadedMedia | undefined;
  /** The token's channel; undefined with a key alone. */
  readonly viewer: string | undefined;
  /** The etag that a write expects, as the header has it. */
  readonly ifMatch: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where pictures are served. */
  readonly origin: string;
  /** How far behind lists of comments are. */
  readonly lateMs: number;
}

/** Does a method's work and gives the body of its answer: bytes are a file, undefined is a 204. */
export type Handler = (call: ApiCall) => object | undefined;
