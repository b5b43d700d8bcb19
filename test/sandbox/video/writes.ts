import sharp from "sharp";
import {
  startVideo,
  type VideoOptions,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { methods } from "../../../src/video/index.ts";

/** The scopes of a token that may do everything. */
export const everyScope: readonly string[] = [
  ...new Set(Object.values(methods).flatMap((row): readonly string[] => row.scopes)),
];

/** Any answer: each test looks only at the fields that it is about. */
// biome-ignore lint/suspicious/noExplicitAny: an open resource, compared by value right away
export type Loose = Record<string, any>;

/** A stand-in with two people who may do everything: its creator, and the owner of another channel. */
export interface Stage extends VideoServer {
  readonly otherChannelId: string;
  /** These call as the owner, unless another token is given; `send` can do everything else. */
  get(path: string, query?: Query, token?: "owner" | "other"): Promise<Answer>;
  post(path: string, body?: Sending["body"], query?: Query): Promise<Answer>;
  put(path: string, body?: Sending["body"], query?: Query): Promise<Answer>;
  delete(path: string, query?: Query, token?: "owner" | "other"): Promise<Answer>;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

export async function open(options: VideoOptions = {}): Promise<Stage> {
  const channels: Record<string, string> = {};
  const server = await startVideo({
    identify: (token) => {
      const channelId = channels[token];
      return channelId === undefined ? undefined : { channelId, scopes: everyScope };
    },
    ...options,
  });
  channels.owner = server.ownChannelId;
  const found = await send(server, "GET", "/channels", {
    query: { part: "id", forHandle: "@orbitnotes" },
    token: undefined,
  });
  const otherChannelId = String(found.body.items?.[0]?.id);
  channels.other = otherChannelId;
  return {
    ...server,
    otherChannelId,
    get: (path, query = {}, token = "owner") => send(server, "GET", path, { query, token }),
    post: (path, body, query = {}) => send(server, "POST", path, { query, body }),
    put: (path, body, query = {}) => send(server, "PUT", path, { query, body }),
    delete: (path, query = {}, token = "owner") => send(server, "DELETE", path, { query, token }),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Loose;
  readonly bytes: Buffer;
}

export interface Sending {
  readonly query?: Query;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The owner's when absent; if undefined, the key is sent instead. */
  readonly token?: string | undefined;
}

/** Sends to a method's path, or to a whole address. */
export async function send(
  server: VideoServer,
  verb: string,
  path: string,
  sending: Sending = {},
): Promise<Answer> {
  const { query = {}, body, headers = {} } = sending;
  const token = "token" in sending ? sending.token : "owner";
  const url = new URL(path.startsWith("http") ? path : server.url + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  if (token === undefined && !url.searchParams.has("key")) url.searchParams.set("key", server.key);
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: verb,
    redirect: "manual",
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isRaw && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const parsed = isJson ? (JSON.parse(bytes.toString()) as Loose) : {};
  return { status: response.status, headers: response.headers, body: parsed, bytes };
}

/** Status and reason of a failed request, and its location if there is one. */
export function refused({ status, body }: Answer): unknown[] {
  const [first] = body.error?.errors ?? [];
  return [status, first?.reason, ...(first?.location === undefined ? [] : [first.location])];
}

export function items({ body }: Answer): Loose[] {
  return body.items ?? [];
}

/** A picture in one colour. */
export function picture(
  width: number,
  height: number,
  { format = "jpeg", color = "red" }: { format?: "jpeg" | "png" | "webp"; color?: string } = {},
): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: color };
  return sharp({ create }).toFormat(format).toBuffer();
}

/** The body and the header of a multipart upload. */
export function related(
  resource: object,
  media: Uint8Array | string,
  type: string,
): { body: Buffer; headers: Record<string, string> } {
  const head = [
    "--two",
    "Content-Type: application/json; charset=UTF-8",
    "",
    JSON.stringify(resource),
    "--two",
    `Content-Type: ${type}`,
    "",
    "",
  ].join("\r\n");
  const body = Buffer.concat([Buffer.from(head), Buffer.from(media), Buffer.from("\r\n--two--")]);
  return { body, headers: { "Content-Type": "multipart/related; boundary=two" } };
}

/** Uploads a small video in one request and returns its resource. */
export async function uploadVideo(server: VideoServer, resource: Loose = {}): Promise<Loose> {
  const snippet = { title: "Made here", categoryId: "22", ...resource.snippet };
  const status = { privacyStatus: "public", ...resource.status };
  const sent = related({ ...resource, snippet, status }, Buffer.alloc(1000, 7), "video/mp4");
  const { body } = await send(server, "POST", `${server.uploadUrl}/videos`, {
    query: { part: "snippet,status", uploadType: "multipart" },
    ...sent,
  });
  return body;
}
