/**
 * YouTube's stand-in behind a failing proxy: 20 % of all requests get a 5xx and 10 % are cut, half of each after the
 * work was done. `node faults-service.ts SEED`.
 */
import { Agent, createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { seeded } from "../support/random.ts";
import { serveParent } from "./service.ts";

/** What this process reports. */
export interface FaultsReport {
  /** Requests that the proxy received. */
  readonly requests: number;
  /** Requests that were failed or cut. */
  readonly struck: number;
  /** The stand-in itself, without the proxy. */
  readonly directUrl: string;
  readonly ownChannelId: string;
}

const scopes = ["youtube", "youtube.force-ssl"];
const random = seeded(Number(process.argv[2]));
const agent = new Agent({ keepAlive: true });
let requests = 0;
let struck = 0;

const video: VideoServer = await startVideo({
  identify: () => ({ channelId: video.ownChannelId, scopes }),
});
// Ten thousand calls exceed a day's budget, which is not what is tested here.
Object.assign(video.quota, { spend: () => undefined });

const faults = [
  { below: 0.1, isDone: false, isCut: false },
  { below: 0.2, isDone: true, isCut: false },
  { below: 0.25, isDone: false, isCut: true },
  { below: 0.3, isDone: true, isCut: true },
] as const;

const server = createServer(async (request, response) => {
  requests += 1;
  const body = await read(request);
  const draw = random();
  const fault = faults.find(({ below }) => draw < below);
  if (fault) struck += 1;
  const answer = fault?.isDone === false ? undefined : await work(request, body);
  if (fault?.isCut) return void response.socket?.destroy();
  if (fault) return void response.writeHead(random() < 0.5 ? 503 : 500).end("<h1>Sorry</h1>");
  const { statusCode = 500, headers } = answer?.message ?? {};
  response.writeHead(statusCode, { "content-type": headers?.["content-type"] ?? "text/plain" });
  response.end(answer?.body);
});

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Worked {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

function work(request: IncomingMessage, body: Buffer): Promise<Worked> {
  const { method, url, headers } = request;
  return new Promise((resolve, reject) => {
    const { origin } = new URL(video.url);
    const { host: _, connection: __, ...rest } = headers;
    const ahead = forward(`${origin}${url}`, { method, headers: rest, agent });
    ahead.on("error", (error: NodeJS.ErrnoException) => {
      // The stand-in closed an idle connection just as it was used again: the request was not read.
      const isStale = ahead.reusedSocket && error.code === "ECONNRESET";
      if (isStale) work(request, body).then(resolve, reject);
      else reject(error);
    });
    ahead.on("response", async (message) => resolve({ message, body: await read(message) }));
    ahead.end(body);
  });
}

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  serveParent(`http://127.0.0.1:${port}/youtube/v3`, (): FaultsReport => {
    return { requests, struck, directUrl: video.url, ownChannelId: video.ownChannelId };
  });
});
