import { startServer } from "../../http/server.ts";

/** A request as it arrived, parsed. */
export interface Captured {
  readonly verb: string;
  readonly path: string;
  /** Every value of each name, in the order of arrival. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly authorization: string | undefined;
  /** Media type and its parameters, but not the boundary. */
  readonly type: string | undefined;
  readonly uploadType: string | undefined;
  readonly uploadBytes: string | undefined;
  readonly body: Buffer;
  /** The parts of a `multipart/related` body. */
  readonly parts: readonly Part[];
}

export interface Part {
  readonly type: string | undefined;
  readonly body: Buffer;
}

export interface Capture {
  readonly origin: string;
  /** What arrived since the last call of `take`. */
  take(): readonly Captured[];
  close(): Promise<void>;
}

/** A loopback server that records every request and answers in a way that every client accepts. */
export async function startCapture(): Promise<Capture> {
  const server = await startServer(({ url }, response) => {
    if (url.searchParams.get("uploadType") === "resumable" && !url.searchParams.has("upload_id")) {
      const session = `${server.url}${url.pathname}?uploadType=resumable&upload_id=session-1`;
      response.writeHead(200, { location: session }).end();
    } else if (/\/captions\/./.test(url.pathname)) {
      response.writeHead(200, { "content-type": "text/plain" }).end("1\n");
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "youtube#any", id: "any", items: [] }));
    }
  });
  return {
    origin: server.url,
    take: () =>
      server.received.splice(0).map(({ method, url, headers, body }) => {
        const names = [...new Set(url.searchParams.keys())];
        const type = headers["content-type"];
        return {
          verb: method,
          path: url.pathname,
          query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
          authorization: headers.authorization,
          type: type?.replace(/; *boundary=.*$/, ""),
          uploadType: headers["x-upload-content-type"] as string | undefined,
          uploadBytes: headers["x-upload-content-length"] as string | undefined,
          body,
          parts: type?.startsWith("multipart/") ? partsOf(body, boundaryOf(type)) : [],
        };
      }),
    close: server.close,
  };
}

function boundaryOf(type: string): string {
  return /boundary="?([^";]+)/.exec(type)?.[1] ?? "";
}

/**
 * Parses a multipart body: each part lies between two delimiter lines and has headers, an empty line, and its bytes
 * (https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1).
 */
function partsOf(body: Buffer, boundary: string): Part[] {
  const pieces = `\r\n${body.toString("latin1")}`.split(`\r\n--${boundary}`);
  const [preamble, ...rest] = pieces;
  const last = rest.pop();
  if (preamble !== "" || last?.trim() !== "--") throw new Error("the multipart body is not closed");
  return rest.map((piece) => {
    const end = piece.indexOf("\r\n\r\n");
    const head = piece.slice(0, end);
    return {
      type: /^content-type: *(.+)$/im.exec(head)?.[1],
      body: Buffer.from(piece.slice(end + 4), "latin1"),
    };
  });
}
