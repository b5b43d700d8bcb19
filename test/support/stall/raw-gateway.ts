import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { applicationId } from "../raw-interactions.ts";

/** The parts of a bot's answer with which people could continue. */
export interface Answer {
  readonly form?: { readonly customId: string; readonly fields: readonly string[] };
  readonly customIds: readonly string[];
}

/** Discord's gateway and REST API without rules: it sends anything it is given and accepts anything it gets. */
export type RawGateway = Awaited<ReturnType<typeof startRawGateway>>;

export interface RawGatewayOptions {
  readonly guildId: string;
  readonly ownerId: string;
}

const answerWithinMs = 5_000;
/** Types of callbacks that promise a later answer: `thinking…`, and its counterpart for a press. */
const deferred: ReadonlySet<unknown> = new Set([5, 6]);

type Json = Readonly<Record<string, unknown>>;

export async function startRawGateway({ guildId, ownerId }: RawGatewayOptions) {
  const token = `${Buffer.from(applicationId).toString("base64url")}.stall.${"t".repeat(27)}`;
  const waiting = new Map<string, (answer: Answer) => void>();
  const hosted = new Map<string, Uint8Array>();
  let last = 950_000_000_000_000_000n;
  let tell: (event: string, data: unknown) => void = () => undefined;

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    let sequence = 0;
    const send = (op: number, d: unknown, t: string | null = null) => {
      if (t !== null) sequence += 1;
      socket.send(JSON.stringify({ op, d, t, s: t === null ? null : sequence }));
    };
    socket.on("message", (raw) => {
      const { op } = JSON.parse(String(raw)) as { readonly op: number };
      if (op === 1) send(11, null);
      if (op !== 2) return;
      send(0, ready(guildId, url()), "READY");
      tell = (event, data) => send(0, data, event);
    });
    send(10, { heartbeat_interval: 30_000 });
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = (request.url ?? "").replace(/^\/api\/v10/u, "").split("?")[0] ?? "";
    const file = hosted.get(path);
    if (file !== undefined) {
      response.writeHead(200, { "content-length": file.byteLength }).end(file);
      return;
    }
    const body = jsonIn(Buffer.concat(chunks));
    note(path, body);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answerTo(request.method ?? "GET", path, body)));
  }

  /** Reports what was answered to the caller that waits for it. */
  function note(path: string, body: Json): void {
    const [, interaction] = /^\/(?:interactions\/\d+|webhooks\/\d+)\/([^/]+)/u.exec(path) ?? [];
    const isCallback = path.startsWith("/interactions/");
    if (interaction === undefined || (isCallback && deferred.has(body.type))) return;
    waiting.get(interaction)?.(answerIn(body));
  }

  function answerTo(method: string, path: string, body: Json): unknown {
    last += 1n;
    const id = String(last);
    if (path === "/gateway/bot") {
      const limit = { total: 1000, remaining: 999, reset_after: 1, max_concurrency: 1 };
      return { url: url().replace("http", "ws"), shards: 1, session_start_limit: limit };
    }
    if (path === "/token") return granted;
    if (path.endsWith("/commands")) return method === "GET" ? [] : body;
    if (path === "/users/@me/guilds") return [guildOf(guildId, ownerId)];
    if (/\/(?:messages|emojis|stickers|roles)$/u.test(path) && method === "GET") return [];
    if (/^\/guilds\/\d+$/u.test(path)) return guildOf(guildId, ownerId);
    if (path.includes("/members/")) return { user: userOf(ownerId), roles: [], permissions: "8" };
    if (path === "/users/@me" || path.endsWith("/applications/@me")) return userOf(applicationId);
    if (path.includes("/threads/active")) return { threads: [], members: [] };
    return { id, channel_id: "1", type: 0, name: "general", guild_id: guildId, attachments: [] };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    /** `http://…`; attachments are served here too. */
    url: url(),
    token,
    /** Resolves with the last answer, or with an empty one if none came in time. */
    deliver(interaction: { readonly id: string; readonly token: string }) {
      const answered = new Promise<Answer>((resolve) => {
        const late = setTimeout(resolve, answerWithinMs, { customIds: [] });
        waiting.set(interaction.token, (answer) => {
          clearTimeout(late);
          resolve(answer);
        });
      });
      tell("INTERACTION_CREATE", interaction);
      return answered.finally(() => waiting.delete(interaction.token));
    },
    /** Serves bytes and returns their address. */
    host(name: string, data: Uint8Array) {
      hosted.set(`/files/${name}`, data);
      return `${url()}/files/${name}`;
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const granted = {
  access_token: "access",
  expires_in: 3_600,
  token_type: "Bearer",
  scope: ["youtube", "youtube.force-ssl", "youtube.upload", "youtube.channel-memberships.creator"]
    .map((scope) => `https://www.googleapis.com/auth/${scope}`)
    .join(" "),
};

function ready(guildId: string, url: string): object {
  return {
    v: 10,
    user: userOf(applicationId),
    guilds: [{ id: guildId, unavailable: true }],
    session_id: "stall",
    resume_gateway_url: url.replace("http", "ws"),
    application: { id: applicationId, flags: 0 },
  };
}

function userOf(id: string) {
  return { id, username: "someone", discriminator: "0", global_name: null, avatar: null, flags: 0 };
}

function guildOf(id: string, ownerId: string) {
  const everyone = { id, name: "@everyone", permissions: "8", position: 0 };
  return { id, name: "Stall", owner_id: ownerId, roles: [everyone], features: [], owner: true };
}

function jsonIn(body: Buffer): Json {
  const text = body.toString("utf8");
  try {
    // The first part of a multipart form is its JSON payload.
    const start = text.indexOf("{");
    const end = text.indexOf("\r\n--", start);
    return JSON.parse(text.startsWith("--") ? text.slice(start, end) : text) as Json;
  } catch {
    return {};
  }
}

function answerIn(body: Json): Answer {
  const data = (body.data ?? body) as Json;
  const text = JSON.stringify(data);
  const customIds = [...text.matchAll(/"custom_id":"(g1:[^"]+)"/gu)].map(([, id = ""]) => id);
  if (body.type !== 9) return { customIds };
  const fields = [...text.matchAll(/"custom_id":"([a-z_A-Z]+)"/gu)].map(([, name = ""]) => name);
  return { customIds: [], form: { customId: String(data.custom_id), fields } };
}
