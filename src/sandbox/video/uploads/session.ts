import { randomUUID } from "node:crypto";
import type { methods } from "../../../video/index.ts";
import type { UploadedMedia } from "../call.ts";
import type { Incoming } from "../incoming.ts";
import { Refusal } from "../refusal.ts";
import { type Reply, toFailure } from "../reply.ts";
import type { Sink } from "./sink.ts";

/** Every chunk but the last is a multiple of it (facts/video-api.json, limits.upload). */
const chunkMultiple = 262_144;

/** A resumable upload that was opened. */
export interface Session {
  readonly method: keyof typeof methods;
  readonly sink: Sink;
  /** Bytes of the whole file, once they are known. */
  total: number | undefined;
  readonly openedAt: number;
  /** Does the method's work with the whole file. */
  readonly complete: (media: UploadedMedia, received: number) => Reply;
  /** Bytes that requests carried, stored or not. */
  received: number;
  /** Which request may write: the latest. One whose connection broke may still be on its way in. */
  turn: number;
  /** The answer of the finished upload, given again to whoever asks. */
  outcome: Reply | undefined;
}

/** One request to a session: a question, a chunk, or the whole file. */
export async function continueUpload(session: Session, incoming: Incoming): Promise<Reply> {
  session.turn += 1;
  const { turn } = session;
  if (session.outcome !== undefined) return session.outcome;
  const range = readContentRange(incoming.headers["content-range"]);
  checkTotal(session, range);
  if (range?.kind === "query") return isWhole(session) ? finish(session) : resumeAt(session);
  checkLength(range, incoming);
  const expected = session.sink.size();
  // What overlaps or leaves a gap is not stored: the answer tells where to go on.
  if ((range?.first ?? 0) !== expected) return resumeAt(session);
  session.total ??= range?.total;
  try {
    await store(session, incoming, turn);
  } finally {
    session.received += incoming.received();
  }
  if (range === undefined) session.total ??= session.sink.size();
  return isWhole(session) ? finish(session) : resumeAt(session);
}

async function store(session: Session, incoming: Incoming, turn: number): Promise<void> {
  for await (const chunk of incoming.chunks()) {
    if (session.turn !== turn || session.outcome !== undefined) return;
    if (session.sink.size() + chunk.length > (session.total ?? Number.POSITIVE_INFINITY)) {
      throw badRange("The request carries more bytes than the file has.");
    }
    session.sink.write(chunk);
  }
}

function isWhole({ sink, total }: Session): boolean {
  return total !== undefined && sink.size() === total;
}

function finish(session: Session): Reply {
  try {
    session.outcome = session.complete(session.sink.finish(), session.received);
  } catch (error) {
    session.outcome = toFailure(error);
  }
  return session.outcome;
}

/** 308 with what is stored; no `Range` when that is nothing. */
function resumeAt({ sink }: Session): Reply {
  const stored = sink.size();
  const range = stored > 0 ? { Range: `bytes=0-${stored - 1}` } : {};
  return { status: 308, headers: range, body: undefined };
}

function checkTotal({ total }: Session, range: ContentRange | undefined): void {
  if (total === undefined || range?.total === undefined || range.total === total) return;
  throw badRange(`The file was said to have ${total} bytes, not ${range.total}.`);
}

function checkLength(range: ContentRange | undefined, { headers }: Incoming): void {
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

export function sessionGone(): Refusal {
  const message = "The upload session does not exist any more. Start the upload again.";
  return new Refusal(404, { reason: "notFound", message });
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

function badRange(message: string): Refusal {
  return new Refusal(400, { reason: "badRequest", message });
}

function unsatisfiable(last: number, total: number): Refusal {
  const message = `Byte ${last} lies beyond the ${total} bytes of the file.`;
  return new Refusal(416, { reason: "requestedRangeNotSatisfiable", message });
}

/** How long a session can be continued; the service states none. */
const lifeMs = 24 * 3_600_000;

/** Resumable uploads by id. */
export interface Sessions {
  /** Gives the new session's id. */
  open(session: Session): string;
  /** Undefined when there is none, or not any more. */
  find(id: string): Session | undefined;
}

export function createSessions(now: () => number): Sessions {
  const sessions = new Map<string, Session>();
  const isOver = ({ openedAt }: Session): boolean => now() - openedAt >= lifeMs;

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
