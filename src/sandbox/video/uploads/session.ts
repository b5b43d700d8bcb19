import { randomUUID } from "node:crypto";
import { ApiError } from "../api-error.ts";
import type { UploadedMedia } from "../call.ts";
import { toFailure } from "../reply.ts";
import type { ApiRequest, MethodName } from "../video-request.ts";
import type { UploadSink } from "./receive.ts";

/** Every chunk but the last is a multiple of it: docs/services/youtube.md#uploads */
const chunkMultiple = 262_144;

/** A resumable upload that was opened. */
interface ResumableSession {
  readonly method: MethodName;
  readonly sink: UploadSink;
  /** Bytes of the whole file, once they are known. */
  total: number | undefined;
  readonly openedAt: number;
  /** Does the method's work with the whole file. */
  readonly complete: (media: UploadedMedia | undefined, received: number) => Response;
  /** Bytes that requests carried, stored or not. */
  received: number;
  /** Only the latest request may write. An earlier one whose connection broke may still deliver bytes. */
  turn: number;
  /** The answer of the finished upload; later requests get it again. */
  outcome: Response | undefined;
}

/** One request to a session: a question, a chunk, or the whole file. */
export async function continueUpload(
  session: ResumableSession,
  request: ApiRequest,
): Promise<Response> {
  session.turn += 1;
  const { turn, sink } = session;
  if (session.outcome !== undefined) return session.outcome.clone();
  const range = readContentRange(request, session.total);
  const first = range === undefined ? 0 : range.first;
  // Bytes that overlap or leave a gap are not stored: the answer says where to continue.
  if (first === sink.size()) {
    session.total ??= range?.total;
    try {
      await store(session, request, turn);
    } finally {
      session.received += request.received();
    }
    if (range === undefined) session.total ??= sink.size();
  }
  const stored = sink.size();
  if (session.total !== stored) {
    const headers = new Headers(stored > 0 ? { Range: `bytes=0-${stored - 1}` } : {});
    return new Response(null, { status: 308, headers });
  }
  try {
    session.outcome = session.complete(sink.finish(), session.received);
  } catch (error) {
    session.outcome = toFailure(error);
  }
  return session.outcome.clone();
}

async function store(session: ResumableSession, request: ApiRequest, turn: number): Promise<void> {
  for await (const chunk of request.chunks()) {
    if (session.turn !== turn || session.outcome !== undefined) return;
    if (session.sink.size() + chunk.length > (session.total ?? Infinity)) {
      throw badRange("The request carries more bytes than the file has.");
    }
    session.sink.write(chunk);
  }
}

/** What one request to a session says of the bytes it carries. */
interface ContentRange {
  /** Undefined for `bytes` `*` `/TOTAL`, which asks what is stored. */
  readonly first: number | undefined;
  /** Undefined while the client does not know it. */
  readonly total: number | undefined;
}

/** Undefined when there is no such header: the request carries the whole file. */
function readContentRange(
  { headers }: ApiRequest,
  known: number | undefined,
): ContentRange | undefined {
  const header = headers["content-range"];
  if (header === undefined) return undefined;
  const found = /^bytes (?:\*|(\d{1,15})-(\d{1,15}))\/(\*|\d{1,15})$/.exec(header.trim());
  if (found === null) throw badRange(`Failed to parse the Content-Range header '${header}'.`);
  const total = found[3] === "*" ? undefined : Number(found[3]);
  const [first, last] = [Number(found[1]), Number(found[2])];
  const isQuery = found[1] === undefined;
  if (!isQuery && first > last) throw badRange(`The range ${first}-${last} ends before it starts.`);
  if (!isQuery && total !== undefined && last >= total) {
    const message = `Byte ${last} lies beyond the ${total} bytes of the file.`;
    throw new ApiError(416, { reason: "requestedRangeNotSatisfiable", message });
  }
  if (known !== undefined && total !== undefined && total !== known) {
    throw badRange(`The file was said to have ${known} bytes, not ${total}.`);
  }
  if (isQuery) return { first: undefined, total };
  const length = last - first + 1;
  const declared = headers["content-length"];
  if (declared !== undefined && Number(declared) !== length) {
    throw badRange(`The range has ${length} bytes and the body ${declared}.`);
  }
  if (last + 1 !== total && length % chunkMultiple !== 0) {
    throw badRange(`A chunk that is not the last must be a multiple of ${chunkMultiple} bytes.`);
  }
  return { first, total };
}

function badRange(message: string): ApiError {
  return new ApiError(400, { reason: "badRequest", message });
}

/** How long a session can be continued; YouTube states no limit. */
const lifeMs = 24 * 3_600_000;

/** Resumable uploads by id. */
export type ResumableSessions = ReturnType<typeof createResumableSessions>;

export function createResumableSessions(now: () => number) {
  const sessions = new Map<string, ResumableSession>();
  return {
    /** Gives the new session's id. */
    open(session: ResumableSession): string {
      for (const [id, { openedAt }] of sessions) {
        if (now() - openedAt >= lifeMs) sessions.delete(id);
      }
      const id = randomUUID();
      sessions.set(id, session);
      return id;
    },
    /** Undefined when there is none, or not any more. */
    find(id: string): ResumableSession | undefined {
      const session = sessions.get(id);
      return session !== undefined && now() - session.openedAt < lifeMs ? session : undefined;
    },
  };
}
