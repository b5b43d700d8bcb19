import { Hono } from "hono";
import sharp from "sharp";
import {
  type BackgroundClientOptions,
  createBackgroundClient,
  createKeyAllowance,
} from "../../src/background/index.ts";
import {
  type Answering,
  fakeTime,
  openHttp,
  type Received,
  serve as serveHttp,
} from "../http/server.ts";

const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: "#81d4fa" } });
export const png = await drawn.clone().png().toBuffer();
export const jpg = await drawn.clone().jpeg().toBuffer();
export const webp = await drawn.clone().webp().toBuffer();

/** A PNG whose header says that size; nothing here reads further than the header. */
export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

export const picture: Answering = (_received, response) => {
  response.writeHead(200, { "content-type": "image/png" }).end(png);
};

/** A stand-in that records its requests, and clients for it whose waits take no time. */
export async function serve(answer: Answering = picture) {
  const server = await serveHttp(answer);
  const time = fakeTime();
  const http = openHttp({ ...time, random: () => 0.5 });
  const allowance = createKeyAllowance(time);
  const client = (options: Partial<BackgroundClientOptions> = {}) =>
    createBackgroundClient({
      baseUrl: `${server.url}/v1.0`,
      apiKey: "the-key",
      http,
      now: time.now,
      allowance,
      ...options,
    });
  return { server, time, allowance, client, received: server.received };
}

/** The fields of a request, read by a web framework that knows nothing of the client. */
export async function fieldsOf(received: Received | undefined): Promise<Record<string, unknown>> {
  if (received === undefined) throw new Error("nothing arrived");
  const app = new Hono().post("/", async (context) => {
    const isJson = context.req.header("content-type") === "application/json";
    const body = isJson ? await context.req.json() : await context.req.parseBody();
    const entries = Object.entries(body).map(async ([name, value]) => [
      name,
      value instanceof File
        ? { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) }
        : value,
    ]);
    parsed = Object.fromEntries(await Promise.all(entries));
    return context.text("");
  });
  let parsed: Record<string, unknown> = {};
  const headers = { "content-type": received.headers["content-type"] ?? "" };
  await app.request("/", { method: "POST", headers, body: new Uint8Array(received.body) });
  return parsed;
}

export const account = (total: number, freeCalls = 0) => ({
  data: {
    attributes: {
      credits: { total, subscription: 0, payg: total, enterprise: 0 },
      api: { free_calls: freeCalls, sizes: "all" },
    },
  },
});
