import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import { mark, marksIn } from "./marks.ts";
import { type Pictures, smallPictures } from "./pictures.ts";

/** A credential, and whose marks its answers contain. */
export interface Known {
  readonly secret: string;
  /** A server, or a key that servers share. */
  readonly owner: string;
  /** Whose words may be sent with it. */
  readonly writers: readonly string[];
}

export interface Services {
  readonly url: string;
  /** Every YouTube stand-in has the same channel id, but different texts. */
  readonly ownChannelId: string;
  /** Descriptions of requests that sent one owner's content with another owner's credential. */
  readonly strays: readonly string[];
  readonly requests: number;
  close(): Promise<void>;
}

const scopes = [
  "youtube",
  "youtube.force-ssl",
  "youtube.upload",
  "youtube.channel-memberships.creator",
];
/** Fields that people read get marks; fields that programs read stay as they are. */
const read = new Set([
  "title",
  "description",
  "textDisplay",
  "channelTitle",
  "authorDisplayName",
  "displayName",
  "videoOwnerChannelTitle",
]);

/**
 * Stand-ins for YouTube, remove.bg and Google's token endpoint at one address. Each credential has a YouTube of its
 * own, in which every text has its owner's mark. Marks in requests are removed again, and must be the owner's.
 */
export async function startServices(
  known: readonly Known[],
  { now }: { readonly now: () => number },
): Promise<Services> {
  const videoServers = new Map<string, Promise<VideoServer>>();
  const strays: string[] = [];
  let requests = 0;
  const pictures: Pictures = await smallPictures();

  const serverOf = (owner: string): Promise<VideoServer> => {
    const found = videoServers.get(owner) ?? openVideoServer(now);
    videoServers.set(owner, found);
    return found;
  };

  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response).catch((error: unknown) => {
      strays.push(`the services failed: ${error}`);
      response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://services");
    const body = await bytesOf(request);
    if (url.pathname.startsWith("/pictures/")) {
      response.writeHead(200, { "content-type": "image/png" }).end(pictures.png);
      return;
    }
    if (url.pathname === "/token") {
      token(new URLSearchParams(body.toString()), response);
      return;
    }
    const credential = known.find(({ secret }) => isShown(secret, request, url));
    if (credential === undefined) {
      strays.push(`an unknown credential at ${url.pathname}`);
      response.writeHead(401).end("{}");
      return;
    }
    look(credential, `${decodeURIComponent(url.search)} ${body.toString("latin1")}`, url.pathname);
    if (url.pathname.startsWith("/v1.0")) picture(credential, url, response);
    else await video(credential, { request, url, body, response });
  }

  /** Records content that does not belong to the credential's owner. */
  function look({ owner, writers }: Known, text: string, where: string): void {
    const foreign = [...marksIn(text)].filter((each) => each !== owner && !writers.includes(each));
    if (foreign.length > 0)
      strays.push(`${foreign} went to ${where} with the credential of ${owner}`);
  }

  function token(form: URLSearchParams, response: ServerResponse): void {
    const found = known.find(({ secret }) => secret === form.get("refresh_token"));
    const access = found && `access-of-${found.secret}`;
    const granted = { access_token: access, expires_in: 3_600, token_type: "Bearer" };
    const scope = scopes.map((each) => `https://www.googleapis.com/auth/${each}`).join(" ");
    send(response, found ? 200 : 400, found ? { ...granted, scope } : { error: "invalid_grant" });
  }

  function picture({ owner }: Known, url: URL, response: ServerResponse): void {
    if (url.pathname.endsWith("/account")) {
      const credits = { total: 100, subscription: 0, payg: 100, enterprise: 0 };
      send(response, 200, {
        data: { attributes: { credits, api: { free_calls: 50, sizes: "all" } } },
      });
      return;
    }
    response.writeHead(200, {
      "content-type": "application/zip",
      "x-credits-charged": "1",
      "x-type": mark(owner),
      "content-length": pictures.zip.byteLength,
    });
    response.end(pictures.zip);
  }

  async function video(
    { owner }: Known,
    {
      request,
      url,
      body,
      response,
    }: { request: IncomingMessage; url: URL; body: Buffer; response: ServerResponse },
  ): Promise<void> {
    const video = await serverOf(owner);
    const isKey = owner.startsWith("K");
    const headers = new Headers();
    const type = request.headers["content-type"];
    if (type !== undefined) headers.set("content-type", type);
    if (isKey) headers.set("x-goog-api-key", video.key);
    else headers.set("authorization", "Bearer channel");
    const own = mark(owner);
    const plain = isText(type) ? Buffer.from(body.toString().replaceAll(`${own} `, "")) : body;
    const search = new URLSearchParams(
      [...url.searchParams]
        .filter(([name]) => name !== "key")
        .map(([name, value]): [string, string] => [name, value.replaceAll(`${own} `, "")]),
    );
    const origin = new URL(video.url).origin;
    const answered = await fetch(`${origin}${url.pathname}?${search}`, {
      method: request.method ?? "GET",
      headers,
      ...(plain.byteLength > 0 && { body: new Uint8Array(plain) }),
    });
    const text = await answered.text();
    const contentType = answered.headers.get("content-type") ?? "application/json";
    const isJson = contentType.includes("json") && text !== "";
    const marked = isJson ? JSON.stringify(withMark(JSON.parse(text), own)) : text;
    response.writeHead(answered.status, { "content-type": contentType }).end(marked);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ownChannelId: (await serverOf("A")).ownChannelId,
    strays,
    get requests() {
      return requests;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...videoServers.values()].map(async (video) => (await video).close()));
    },
  };
}

async function openVideoServer(now: () => number): Promise<VideoServer> {
  const video: VideoServer = await startVideo({
    now,
    identify: () => ({ channelId: video.ownChannelId, scopes }),
  });
  // A campaign needs more than a day's quota, and limiting it is the bot's task.
  Object.assign(video.quota, { spend: () => undefined });
  return video;
}

function isShown(secret: string, { headers }: IncomingMessage, url: URL): boolean {
  const bearer = headers.authorization?.replace(/^Bearer /u, "");
  const shown = [
    headers["x-goog-api-key"],
    headers["x-api-key"],
    url.searchParams.get("key"),
    bearer,
  ];
  return shown.includes(secret) || shown.includes(`access-of-${secret}`);
}

function isText(type: string | undefined): boolean {
  return type === undefined || /json|text|urlencoded/u.test(type);
}

function withMark(value: unknown, own: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withMark(each, own));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isRead = read.has(name) && typeof each === "string" && each !== "";
      return [name, isRead && !each.startsWith(own) ? `${own} ${each}` : withMark(each, own)];
    }),
  );
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
