import { randomUUID } from "node:crypto";
import type { methods } from "../../../video/index.ts";
import type { UploadedMedia } from "../call.ts";
import { ApiRefusal } from "../refusal.ts";
import { type ApiReply, toFailure } from "../reply.ts";
import type { ApiRequest } from "../video-request.ts";
import type { UploadSink } from "./sink.ts";

/** Every chunk but the last is a multiple of it: docs/services/youtube.md#uploads */
const chunkMultiple = 262_144;

/** A resumable upload that was opened. */
interface ResumableSession {
  readonly method: keyof typeof methods;
  readonly sink: UploadSink;
  /** Bytes of the whole file, once they are known. */
  total: number | undefined;
  readonly openedAt: number;
  /** Does the method's work with the whole file. */
  readonly complete: (media: UploadedMedia, received: number) => ApiReply;
  /** Bytes that requests carried, stored or not. */
  received: number;
  /** Only the latest request may write. An earlier one whose connection broke may still deliver bytes. */
  turn: number;
  /** The answer of the finished upload; later requests get it again. */
  outcome: ApiReply | undefined;
}

/** One request to a session: a question, a chunk, or the whole file. */
export async function continueUpload(
  session: ResumableSession,
  request: ApiRequest,
): Promise<ApiReply> {
  session.turn += 1;
  const { turn } = session;
  if (session.outcome !== undefined) return session.outcome;
  const range = readContentRange(request.headers["content-range"]);
  checkTotal(session, range);
  if (range?.kind === "query") return isWhole(session) ? finish(session) : resumeAt(session);
  checkLength(range, request);
  const expected = session.sink.size();
  // Bytes that overlap or leave a gap are not stored: the answer says where to continue.
  if ((range?.first ?? 0) !== expected) return resumeAt(session);
  session.total ??= range?.total;
  try {
    await store(session, request, turn);
  } finally {
    session.received += request.received();
  }
  if (range === undefined) session.total ??= session.sink.size();
  return isWhole(session) ? finish(session) : resumeAt(session);
}

async function store(session: ResumableSession, request: ApiRequest, turn: number): Promise<void> {
  for await (const chunk of request.chunks()) {
    if (session.turn !== turn || session.outcome !== undefined) return;
    if (session.sink.size() + chunk.length > (session.total ?? Number.POSITIVE_INFINITY)) {
      throw badRange("The request carries more bytes than the file has.");
    }
    session.sink.write(chunk);
  }
}

function isWhole({ sink, total }: ResumableSession): boolean {
  return total !== undefined && sink.size() === total;
}

function finish(session: ResumableSession): ApiReply {
  try {
    session.outcome = session.complete(session.sink.finish(), session.received);
  } catch (error) {
    session.outcome = toFailure(error);
  }
  return session.outcome;
}

/** 308 with what is stored; no `Range` when that is nothing. */
function resumeAt({ sink }: ResumableSession): ApiReply {
  const stored = sink.size();
  const range = stored > 0 ? { Range: `bytes=0-${stored - 1}` } : {};
  return { status: 308, headers: range, body: undefined };
}

function checkTotal({ total }: ResumableSession, range: ContentRange | undefined): void {
  if (total === undefined || range?.total === undefined || range.total === total) return;
  throw badRange(`The file was said to have ${total} bytes, not ${range.total}.`);
}

function checkLength(range: ContentRange | undefined, { headers }: ApiRequest): void {
  if (range?.kind !== "bytes") return;
  const { first, last, total } = range;
  const length = last - first + 1;
  const declared = headers["content-length"];
  if (declared !== undefined && Number(declared) !== length) {
    throw badRange(`The range has ${length} bytes and the body ${declared}.`);
  }
  if (last + 1 !== total && length % chunkMultiple !== 0) {
    throw badRange(`A chunk that is not the last must be a multiple of ${chunkMultiple} bytes.`);
  }
}

/** What one request to a session says of the bytes it carries. */
type ContentRange =
  /** `bytes` `*` `/TOTAL`: asks what is stored. */
  | { readonly kind: "query"; readonly total: number | undefined }
  /** `total` is undefined while the client does not know it. */
  | {
      readonly kind: "bytes";
      readonly first: number;
      readonly last: number;
      readonly total: number | undefined;
    };

/** Undefined when there is no such header: the request carries the whole file. */
function readContentRange(header: string | undefined): ContentRange | undefined {
  if (header === undefined) return undefined;
  const found = /^bytes (?:\*|(\d{1,15})-(\d{1,15}))\/(\*|\d{1,15})$/.exec(header.trim());
  if (found === null) throw badRange(`Failed to parse the Content-Range header '${header}'.`);
  const total = found[3] === "*" ? undefined : Number(found[3]);
  if (found[1] === undefined) return { kind: "query", total };
  const [first, last] = [Number(found[1]), Number(found[2])];
  if (first > last) throw badRange(`The range ${first}-${last} ends before it starts.`);
  if (total !== undefined && last >= total) throw unsatisfiable(last, total);
  return { kind: "bytes", first, last, total };
}

function badRange(message: string): ApiRefusal {
  return new ApiRefusal(400, { reason: "badRequest", message });
}

function unsatisfiable(last: number, total: number): ApiRefusal {
  const message = `Byte ${last} lies beyond the ${total} bytes of the file.`;
  return new ApiRefusal(416, { reason: "requestedRangeNotSatisfiable", message });
}

/** How long a session can be continued; the service states none. */
const lifeMs = 24 * 3_600_000;

/** Resumable uploads by id. */
export interface ResumableSessions {
  /** Gives the new session's id. */
  open(session: ResumableSession): string;
  /** Undefined when there is none, or not any more. */
  find(id: string): ResumableSession | undefined;
}

export function createResumableSessions(now: () => number): ResumableSessions {
  const sessions = new Map<string, ResumableSession>();
  const isOver = ({ openedAt }: ResumableSession): boolean => now() - openedAt >= lifeMs;

  return {
    open(session) {
      for (const [id, other] of sessions) if (isOver(other)) sessions.delete(id);
      const id = randomUUID();
      sessions.set(id, session);
      return id;
    },
    find(id) {
      const session = sessions.get(id);
      return session === undefined || isOver(session) ? undefined : session;
    },
  };
}
