import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of an upload: for a session, for its state, or to store a chunk. */
export interface Step {
  readonly kind: "begin" | "ask" | "chunk";
  readonly headers: IncomingMessage["headers"];
  readonly url: URL;
  /** The request's body. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly total: number;
  /** Bytes of the session that were stored before this step. */
  readonly stored: number;
}

/** What goes wrong at a step. An empty fault changes nothing. */
export interface Fault {
  /** How many of the chunk's bytes are stored; all when absent. */
  readonly keep?: number;
  /** The session loses its bytes and says so. */
  readonly forget?: true;
  /** The session is gone. */
  readonly expire?: true;
  /** The status of the response instead of the true one, after the bytes were stored. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection is cut instead of a response. */
  readonly cut?: true;
  /** No response at all. */
  readonly hang?: true;
}

export interface UploadService {
  readonly url: string;
  readonly steps: Step[];
  /** Finished uploads; empty ones with `discards`. */
  readonly videos: Buffer[];
  /** All bytes of chunks that arrived, stored or not. */
  readonly receivedBytes: number;
  close(): Promise<void>;
}

interface Session {
  readonly total: number;
  stored: Buffer[];
  size: number;
  isDone: boolean;
}

export interface UploadServiceOptions {
  readonly fault?: (step: Step, count: number) => Fault | undefined;
  /** Counts bytes but stores none. */
  readonly discards?: boolean;
}

/** A stand-in on loopback for resumable uploads and nothing else. */
export async function startUploadService({
  fault = () => undefined,
  discards = false,
}: UploadServiceOptions = {}): Promise<UploadService> {
  const sessions = new Map<string, Session>();
  const steps: Step[] = [];
  const videos: Buffer[] = [];
  let receivedBytes = 0;
  let url = "";

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        if (!discards) chunks.push(chunk);
        if (request.method === "PUT") receivedBytes += chunk.byteLength;
      }
    } catch {
      return; // The client hung up.
    }
    const asked = new URL(request.url ?? "/", url);
    const id = asked.searchParams.get("upload_id");
    const session = id === null ? undefined : sessions.get(id);
    const step = stepOf(request, { asked, session, bytes: Buffer.concat(chunks) });
    steps.push(step);
    const wrong = fault(step, steps.length) ?? {};
    if (id === null) return begin(response, step, wrong);
    if (wrong.expire) sessions.delete(id);
    if (session === undefined || wrong.expire) return void response.writeHead(404).end();
    store(session, step, wrong, Number(request.headers["content-length"] ?? 0));
    if (wrong.hang) return;
    if (wrong.cut) return void response.socket?.destroy();
    if (wrong.status !== undefined) {
      return void response.writeHead(wrong.status, wrong.headers).end(wrong.body);
    }
    answer(response, session);
  });

  function begin(response: ServerResponse, step: Step, wrong: Fault): void {
    const id = String(sessions.size + 1);
    if (!wrong.cut && wrong.status === undefined) {
      sessions.set(id, { total: step.total, stored: [], size: 0, isDone: false });
    }
    if (wrong.hang) return;
    if (wrong.cut) return void response.socket?.destroy();
    const location = `${url}/session?upload_id=${id}`;
    response.writeHead(wrong.status ?? 200, { location, ...wrong.headers }).end(wrong.body);
  }

  function store(session: Session, step: Step, wrong: Fault, length: number): void {
    if (wrong.forget) {
      session.stored = [];
      session.size = 0;
      return;
    }
    // Chunks that overlap or leave a gap are not stored.
    if (step.kind !== "chunk" || session.isDone || step.from !== session.size) return;
    const size = Math.min(wrong.keep ?? length, length);
    if (!discards) session.stored.push(step.bytes.subarray(0, size));
    session.size += size;
    if (session.size < session.total) return;
    session.isDone = true;
    videos.push(Buffer.concat(session.stored));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    steps,
    videos,
    get receivedBytes() {
      return receivedBytes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function stepOf(
  { method, headers }: IncomingMessage,
  { asked, session, bytes }: { asked: URL; session: Session | undefined; bytes: Buffer },
): Step {
  const [, from, total = ""] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(
    headers["content-range"] ?? "",
  ) ?? [undefined, undefined, headers["x-upload-content-length"]];
  const isBegin = method !== "PUT" || asked.pathname !== "/session";
  return {
    kind: isBegin ? "begin" : from === undefined ? "ask" : "chunk",
    headers,
    url: asked,
    bytes,
    from: Number(from ?? 0),
    total: Number(total),
    stored: session?.size ?? 0,
  };
}

function answer(response: ServerResponse, { isDone, size }: Session): void {
  if (!isDone) {
    const range = size === 0 ? {} : { range: `bytes=0-${size - 1}` };
    return void response.writeHead(308, range).end();
  }
  response.writeHead(201, { "content-type": "application/json; charset=UTF-8" });
  response.end(JSON.stringify({ kind: "youtube#video", id: "the-video" }));
}
