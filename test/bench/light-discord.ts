/**
 * A load generator: as much of Discord as a bot needs for commands, without any checks, in a process of its own. The
 * sandbox's stand-in checks everything, which takes longer than what is measured. Its argument is LightDiscordOptions.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { MessageFlags, PermissionFlagsBits } from "discord-api-types/v10";
import { type WebSocket, WebSocketServer } from "ws";
import { guildWithEveryRole } from "../support/guild-roles.ts";
import { applicationId, command } from "../support/raw-interactions.ts";
import type {
  LightApplication,
  LightDiscordOptions,
  LoadQuestion,
  LoadResult,
  Percentiles,
} from "./light-discord-protocol.ts";
import { serveParent } from "./service.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as LightDiscordOptions;
const { transport, activeGuilds, idleGuilds, shards } = options;
/** In each server. */
const people = 50;
/** How long answers may take after the last interaction was sent. */
const settleMs = 20_000;
/** As long as an interaction can be answered. */
const filesMs = 15 * 60_000;
const apartMs = 5;
const pageSize = 200;

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const verifyKey = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
const token = `${Buffer.from(applicationId).toString("base64url")}.light.${"t".repeat(27)}`;

/** The ids are consecutive in the part that chooses the shard. */
const firstGuild = 166_000_000_000n;
const guildIds = Array.from({ length: activeGuilds + idleGuilds }, (_, n) =>
  String((firstGuild + BigInt(n)) << 22n),
);
const shardOf = (guild: number, count: number) => (Number(firstGuild) + guild) % count;

/** What became of each interaction, by its number; times in ms, 0 for never. */
let sentAt: number[] = [];
let acknowledgedAt: number[] = [];
let answeredAt: number[] = [];
let refused: Record<string, number> = {};
/** Interactions of an earlier load, whose answers come too late to count, have lower numbers. */
let base = 0;
/** Whether answers without a file only report progress. */
let onlyFiles = false;

const epoch = 1_420_070_400_000;
/** An interaction's id says when it was sent, and the bot reads that. */
let lastId = 0n;

/** As long as Discord's tokens are. */
const tokenOf = (n: number) => `${n}.${"k".repeat(180)}`;
const numberIn = (interactionToken: string) => Number.parseInt(interactionToken, 10);

const marks = { guildId: "111111111111111111", userId: "222222222222222222" };
const templateOf = (
  path: string,
  permissions: bigint,
  {
    options = {},
    change = {},
  }: { readonly options?: Parameters<typeof command>[2]; readonly change?: object } = {},
) =>
  JSON.stringify({
    ...command(path, { ...marks, permissions }, options),
    ...change,
    id: "INTERACTION_ID",
    token: "INTERACTION_TOKEN",
  });
/** Both read the store and need no other service. The owner's also needs the server's roles. */
const ofOwner = templateOf("connect disconnect", PermissionFlagsBits.Administrator);
const ofMember = templateOf("usage", 0n);

function interactionOf(
  n: number,
  guild: number,
  template = guild < activeGuilds ? ofOwner : ofMember,
): string {
  const firstOfNow = BigInt(Date.now() - epoch) << 22n;
  lastId = lastId < firstOfNow ? firstOfNow : lastId + 1n;
  const userId = String(800_000_000_000_000_000n + BigInt(guild * people + (n % people)));
  return template
    .replace("INTERACTION_ID", String(lastId))
    .replace("INTERACTION_TOKEN", tokenOf(n))
    .replaceAll(marks.guildId, guildIds[guild] ?? "")
    .replaceAll(marks.userId, userId);
}

// ---- The REST side

let registered: unknown = [];
const server = createServer((incoming, response) => void serve(incoming, response));
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  const isFile = incoming.headers["content-type"]?.startsWith("multipart/") === true;
  incoming.on("data", (chunk: Buffer) => isFile || chunks.push(chunk));
  incoming.on("end", () => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
    const at = pathname.replace(/^\/api\/v10/u, "");
    const body = Buffer.concat(chunks).toString();
    const answer = answerTo({ method: incoming.method ?? "GET", at, body, isFile, searchParams });
    if (answer === undefined) return void response.writeHead(204).end();
    const text = JSON.stringify(answer);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      ...limitHeaders,
    });
    response.end(text);
  });
}

/** Discord sends these headers with every route but callbacks, and libraries keep a record for each route. */
const limitHeaders = {
  "x-ratelimit-bucket": "80c17d2f203122d936070c88c8d10f33",
  "x-ratelimit-limit": "5",
  "x-ratelimit-remaining": "4",
  "x-ratelimit-reset-after": "1.000",
};

interface RestCall {
  readonly method: string;
  readonly at: string;
  /** Empty for a form with files. */
  readonly body: string;
  readonly isFile: boolean;
  readonly searchParams: URLSearchParams;
}

function answerTo({ method, at, body, isFile, searchParams }: RestCall): unknown {
  const [, room, id = "", rest = ""] = at.split("/");
  if (room === "interactions") {
    note(numberIn(rest), typeIn(body));
    return undefined;
  }
  if (room === "webhooks") {
    const isAnswer = method === "PATCH" || method === "POST";
    if (isAnswer && (isFile || !onlyFiles)) noteAnswer(numberIn(rest));
    // The bot asks in order to know whether its answer was acknowledged.
    if (method === "GET") return { ...message, flags: MessageFlags.Loading };
    return method === "DELETE" ? undefined : message;
  }
  if (at === "/gateway/bot") {
    const limit = { total: 1000, remaining: 999, reset_after: 1, max_concurrency: 16 };
    return { url: url().replace("http", "ws"), shards, session_start_limit: limit };
  }
  if (at.endsWith("/commands")) {
    if (method === "PUT") registered = JSON.parse(body);
    return registered;
  }
  if (at === "/users/@me/guilds") return guildsAfter(searchParams.get("after") ?? "0");
  if (at === "/users/@me") return user;
  if (at.endsWith("applications/@me")) return application();
  if (room === "guilds") return guildWithEveryRole(id);
  return message;
}

const user = { id: applicationId, username: "bot", discriminator: "0", bot: true, avatar: null };
const message = {
  id: "990000000000000001",
  channel_id: "111111111111111112",
  type: 0,
  content: "",
  author: user,
  attachments: [],
  embeds: [],
  components: [],
  mentions: [],
  flags: 64,
};

function application() {
  const endpoint = transport === "http" ? "https://bot.example/discord/interactions" : null;
  return {
    id: applicationId,
    name: "bot",
    bot: user,
    flags: 0,
    verify_key: verifyKey.toString("hex"),
    interactions_endpoint_url: endpoint,
  };
}

function guildsAfter(after: string) {
  // The ids are in order.
  const from = guildIds.findIndex((id) => BigInt(id) > BigInt(after));
  if (from === -1) return [];
  return guildIds
    .slice(from, from + pageSize)
    .map((id) => ({ id, name: "Server", owner: false, permissions: "0", features: [] }));
}

/** "Thinking…", and its counterpart for a press: the answer follows. */
const deferred: ReadonlySet<number> = new Set([5, 6]);

function typeIn(body: string): number {
  return (JSON.parse(body.slice(body.indexOf("{"))) as { readonly type: number }).type;
}

function note(n: number, type: number): void {
  if (n < base) return;
  const now = performance.now();
  acknowledgedAt[n - base] ||= now;
  if (!deferred.has(type)) answeredAt[n - base] ||= now;
}

function noteAnswer(n: number): void {
  if (n >= base) answeredAt[n - base] ||= performance.now();
}

// ---- The gateway

const sockets = new Map<number, WebSocket>();
/** Sequence numbers of each connection. */
const sequences = new WeakMap<WebSocket, number>();
let shardCount = 1;

function dispatch(socket: WebSocket, event: string, data: string): void {
  const s = (sequences.get(socket) ?? 0) + 1;
  sequences.set(socket, s);
  socket.send(`{"op":0,"t":"${event}","s":${s},"d":${data}}`);
}

const gateway = new WebSocketServer({ server });
gateway.on("connection", (socket) => {
  socket.on("error", () => undefined);
  socket.on("message", (raw) => {
    const { op, d } = JSON.parse(String(raw));
    if (op === 1) socket.send('{"op":11}');
    if (op === 6) dispatch(socket, "RESUMED", "{}");
    if (op !== 2) return;
    const [shard, count] = (d.shard ?? [0, 1]) as [number, number];
    shardCount = count;
    sockets.set(shard, socket);
    const guilds = guildIds.filter((_, n) => shardOf(n, count) === shard);
    const ready = {
      v: 10,
      user,
      session_id: `s${shard}`,
      application: { id: applicationId, flags: 0 },
      resume_gateway_url: url().replace("http", "ws"),
      shard: [shard, count],
      guilds: guilds.map((id) => ({ id, unavailable: true })),
    };
    dispatch(socket, "READY", JSON.stringify(ready));
  });
  socket.send('{"op":10,"d":{"heartbeat_interval":30000}}');
});

// ---- Sending interactions

let targets: readonly URL[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 1024 });

function send(n: number, guild: number): void {
  const body = interactionOf(n, guild);
  sentAt[n - base] = performance.now();
  if (transport === "http") post(n, body);
  else push(guild, body);
}

function push(guild: number, body: string): void {
  const socket = sockets.get(shardOf(guild, shardCount));
  if (socket === undefined) refuse("no connection");
  else dispatch(socket, "INTERACTION_CREATE", body);
}

function post(n: number, body: string): void {
  const { hostname, port, pathname } = targets[n % targets.length] as URL;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString("hex");
  const outgoing = request({
    agent,
    hostname,
    port,
    path: pathname,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-signature-ed25519": signature,
      "x-signature-timestamp": timestamp,
    },
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => refuse(error.code ?? error.message));
  outgoing.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      text += chunk;
    });
    response.on("end", () => {
      if (response.statusCode === 200) note(n, typeIn(text));
      else refuse(String(response.statusCode));
    });
  });
  outgoing.end(body);
}

function refuse(why: string): void {
  refused[why] = (refused[why] ?? 0) + 1;
}

/** Sends on time whatever the answers do: a slow bot gets no fewer. */
async function load(
  perSecond: number,
  count: number,
  guildOf: (n: number) => number,
): Promise<LoadResult> {
  forget();
  const startedAt = performance.now();
  let lateMs = 0;
  for (let n = 0; n < count; ) {
    const now = performance.now();
    const due = Math.min(count, Math.ceil(((now - startedAt) / 1000) * perSecond));
    if (n < due) lateMs = Math.max(lateMs, now - startedAt - (n / perSecond) * 1000);
    for (; n < due; n += 1) send(base + n, guildOf(n));
    await wait(1);
  }
  const tookMs = performance.now() - startedAt;
  await settled(count, settleMs);
  return { ...result(count), perSecond: (count / tookMs) * 1000, lateMs };
}

async function files(question: LoadQuestion & { readonly kind: "files" }): Promise<LoadResult> {
  forget();
  onlyFiles = true;
  const { path, attachmentBytes, each } = question;
  for (const [n, { guild, options }] of each.entries()) {
    const template = templateOf(path, PermissionFlagsBits.Administrator, {
      options,
      change: { attachment_size_limit: attachmentBytes },
    });
    sentAt[n] = performance.now();
    push(guild, interactionOf(base + n, guild, template));
    // Interactions that arrive together would also be read together.
    await wait(apartMs);
  }
  await settled(each.length, filesMs);
  onlyFiles = false;
  return { ...result(each.length), perSecond: 0, lateMs: 0 };
}

async function settled(count: number, ms: number): Promise<void> {
  for (const from = performance.now(); performance.now() - from < ms; await wait(20)) {
    if (times(answeredAt).length === count) break;
  }
}

async function first(): Promise<LoadResult> {
  forget();
  let count = 0;
  for (; times(acknowledgedAt).length === 0; await wait(25)) {
    send(base + count, count % activeGuilds);
    count += 1;
  }
  return { ...result(count), perSecond: 0, lateMs: 0 };
}

function forget(): void {
  base += sentAt.length;
  [sentAt, acknowledgedAt, answeredAt, refused] = [[], [], [], {}];
}

function result(sent: number): Omit<LoadResult, "perSecond" | "lateMs"> {
  const acknowledged = times(acknowledgedAt);
  const answered = times(answeredAt);
  const firstMs = Math.min(...acknowledgedAt.filter((at) => at > 0).slice(0, 100));
  return {
    sent,
    acknowledged: acknowledged.length,
    answered: answered.length,
    refused,
    acknowledgeMs: percentiles(acknowledged),
    answerMs: percentiles(answered),
    firstAt: performance.timeOrigin + firstMs,
  };
}

/** The time that each arrival took since its interaction was sent. */
function times(arrivals: readonly number[]): readonly number[] {
  return arrivals.flatMap((at, n) => (at > 0 ? [at - (sentAt[n] ?? 0)] : []));
}

function percentiles(all: readonly number[]): Percentiles {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? Number.NaN };
}

function answerParent(question: LoadQuestion): Promise<LoadResult> | LightApplication | undefined {
  switch (question.kind) {
    case "application":
      return { token, publicKey: verifyKey.toString("hex") };
    case "targets":
      targets = question.urls.map((one) => new URL(`${one}/discord/interactions`));
      return undefined;
    case "load": {
      const { perSecond, seconds } = question;
      return load(perSecond, Math.round(perSecond * seconds), (n) => n % activeGuilds);
    }
    case "idle":
      return load(question.perSecond, question.count, (n) => activeGuilds + (n % idleGuilds));
    case "files":
      return files(question);
    case "first":
      return first();
  }
}

server.listen(0, "127.0.0.1", () => {
  serveParent(url(), (question) => answerParent(question as LoadQuestion));
});
