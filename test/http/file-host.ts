import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What goes wrong with one request for the file. */
export interface Fault {
  /** Answered instead of the file. */
  readonly status?: number;
  /** The connection breaks after this many bytes of the answer; 0 means before its headers. */
  readonly cutAfter?: number;
  /** Sent instead of the correct headers; an empty one is omitted. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with the whole file although a range was requested. */
  readonly ignoresRange?: boolean;
}

export interface FileHost {
  readonly url: string;
  readonly host: string;
  /** The headers of each request, in order. */
  readonly asked: IncomingMessage["headers"][];
  /** How many connections are open. */
  sockets(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A loopback host of one file that supports ranges. `fault` gets a request's number and decides what goes wrong with
 * it.
 */
export async function startFileHost(
  file: Buffer,
  fault: (request: number) => Fault = () => ({}),
): Promise<FileHost> {
  const asked: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    give(file, request, response, fault(asked.length));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/video.mp4?ex=1`,
    host,
    asked,
    sockets: () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const tag = '"one"';

function give(file: Buffer, request: IncomingMessage, response: ServerResponse, fault: Fault) {
  const { cutAfter = Infinity } = fault;
  if (cutAfter === 0) return request.socket.destroy();
  if (fault.status !== undefined) {
    return response.writeHead(fault.status, { location: "/elsewhere" }).end("no");
  }
  const from = fault.ignoresRange ? undefined : startOf(request);
  const part = file.subarray(from ?? 0);
  const headers = {
    "content-length": String(part.length),
    etag: tag,
    ...(from !== undefined && {
      "content-range": `bytes ${from}-${file.length - 1}/${file.length}`,
    }),
    ...fault.headers,
  };
  const sent = Object.entries(headers).filter(([, value]) => value !== "");
  response.writeHead(from === undefined ? 200 : 206, Object.fromEntries(sent));
  if (cutAfter >= part.length) return response.end(part);
  response.write(part.subarray(0, cutAfter), () => request.socket.destroy());
}

function startOf({ headers }: IncomingMessage): number | undefined {
  const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
  const isOther = headers["if-range"] !== undefined && headers["if-range"] !== tag;
  return start === undefined || isOther ? undefined : Number(start);
}
