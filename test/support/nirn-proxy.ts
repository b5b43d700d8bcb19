import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * Does what nirn-proxy (https://github.com/germanoeich/nirn-proxy) does between bots and Discord: it delays requests so
 * that all clients together stay within Discord's limits. It does not change or repeat requests, and it passes on
 * Discord's answers. It has nothing to do with gateways.
 */
export type NirnProxy = Awaited<ReturnType<typeof startNirnProxy>>;

interface NirnProxyOptions {
  /** The address of Discord or its stand-in. */
  readonly discordUrl: string;
  /** How many requests a second one token may send. */
  readonly perSecond?: number;
}

interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface HeldRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

const usualPerSecond = 50;
// The default of REQUEST_TIMEOUT in nirn's documentation.
const timeoutMs = 5_000;
const windowMs = 1_000;
/** Cached, because bots request these at each start. */
const cached = /^\/api(\/v\d+)?\/(users\/@me|gateway|gateway\/bot)$/;

export async function startNirnProxy({ discordUrl, perSecond = usualPerSecond }: NirnProxyOptions) {
  const agent = new Agent({ keepAlive: true });
  const tokens = new Map<string, TokenQueue>();
  let refusals = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/nirn/healthz") return void response.writeHead(200).end();
    const body = await buffer(request);
    if (refusals > 0) {
      refusals -= 1;
      return send(response, ownRefusal);
    }
    // Requests without a token, which are those about interactions and webhooks, have no global limit.
    const token = request.headers.authorization ?? "";
    const queue =
      tokens.get(token) ?? createTokenQueue(token === "" ? Number.POSITIVE_INFINITY : perSecond);
    tokens.set(token, queue);
    send(response, await queue.run({ request, body }, (held) => forward(held)));
  }

  function forward({ request, body }: HeldRequest): Promise<ProxiedAnswer> {
    const { promise, resolve } = Promise.withResolvers<ProxiedAnswer>();
    const fail = (status: number, error: Error) =>
      resolve({ status, headers: {}, body: Buffer.from(error.message) });
    const sent = httpRequest(new URL(request.url ?? "/", discordUrl), {
      agent,
      method: request.method,
      headers: { ...request.headers, connection: "keep-alive", host: new URL(discordUrl).host },
      signal: AbortSignal.timeout(timeoutMs),
    });
    sent.on("error", (error) => fail(error.name === "TimeoutError" ? 408 : 500, error));
    sent.on("response", (response) => {
      buffer(response).then(
        (answered) =>
          resolve({
            status: response.statusCode ?? 500,
            headers: response.headers,
            body: answered,
          }),
        (error: Error) => fail(500, error),
      );
    });
    sent.end(body);
    return promise;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    /** To be followed by `/api` in DISCORD_API_URL. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Answers this many requests with a 429 of its own, as nirn does while a node of its cluster is away. */
    refuse: (times: number) => {
      refusals = times;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const queue of tokens.values()) queue.close();
      agent.destroy();
      await closed;
    },
  };
}

const ownRefusal: ProxiedAnswer = {
  status: 429,
  headers: {
    "content-type": "application/json",
    "generated-by-proxy": "true",
    "retry-after": "1",
    "x-ratelimit-limit": "1",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-scope": "user",
  },
  body: Buffer.from('{"global":false,"message":"You are being rate limited.","retry_after":1}'),
};

function send(response: ServerResponse, { status, headers, body }: ProxiedAnswer): void {
  const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...kept } = headers;
  response.writeHead(status, { ...kept, "content-length": body.length }).end(body);
}

type TokenQueue = ReturnType<typeof createTokenQueue>;

/** One request at a time in each bucket, in order of arrival, and no more a second than Discord allows. */
function createTokenQueue(perSecond: number) {
  const buckets = new Map<string, Promise<unknown>>();
  const kept = new Map<string, ProxiedAnswer>();
  const limit = createGlobalLimit(perSecond);

  async function serve(
    held: HeldRequest,
    forward: (held: HeldRequest) => Promise<ProxiedAnswer>,
  ): Promise<ProxiedAnswer> {
    const { method, url = "/" } = held.request;
    const [path = ""] = url.split("?", 1);
    const before = method === "GET" ? kept.get(path) : undefined;
    if (before !== undefined)
      return { ...before, headers: { ...before.headers, "x-cached": "true" } };
    const done = await limit.take();
    const answer = await forward(held);
    done(answer);
    if (answer.status === 200 && method === "GET" && cached.test(path)) kept.set(path, answer);
    return answer;
  }

  return {
    async run(held: HeldRequest, forward: (held: HeldRequest) => Promise<ProxiedAnswer>) {
      const bucket = bucketOf(held.request);
      const answering = (buckets.get(bucket) ?? Promise.resolve()).then(() => serve(held, forward));
      buckets.set(
        bucket,
        answering.then((answer) => limit.wait(emptyForMs(answer))),
      );
      return answering;
    },
    close: limit.close,
  };
}

/**
 * A place is free again one second after its answer. In nirn, a window begins with its first request, and windows of
 * two machines may overlap; this stricter limit never lets a test exceed Discord's.
 */
function createGlobalLimit(perSecond: number) {
  const waiting: (() => void)[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let left = perSecond;

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function free(): void {
    const next = waiting.shift();
    if (next === undefined) left += 1;
    else next();
  }

  return {
    /** Resolves when a request may be sent, with a function that must be called with the answer. */
    async take() {
      if (left > 0) left -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return (answer: ProxiedAnswer) => {
        const isGlobal = answer.headers["x-ratelimit-global"] === "true";
        later(windowMs + (isGlobal ? retryMs(answer) : 0), free);
      };
    },
    wait: (ms: number) =>
      ms <= 0 ? Promise.resolve() : new Promise<void>((resolve) => later(ms, resolve)),
    close: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function retryMs({ headers }: ProxiedAnswer): number {
  return Number(headers["x-ratelimit-reset-after"] ?? headers["retry-after"] ?? 0) * 1_000;
}

/** How long the bucket accepts no more requests. */
function emptyForMs(answer: ProxiedAnswer): number {
  const isEmpty = answer.headers["x-ratelimit-remaining"] === "0" || answer.status === 429;
  return isEmpty ? retryMs(answer) : 0;
}

/** The bucket as nirn guesses it: by the first id in the path. Later ids, emoji and tokens make no difference. */
function bucketOf({ method = "", url = "/" }: IncomingMessage): string {
  const [path = ""] = url.replace(/^\/api(\/v\d+)?/, "").split("?", 1);
  const [root = "", major = "", ...rest] = path.split("/").filter((part) => part !== "");
  if (root === "channels" && rest.length === 0) return "channels/!";
  if (root === "guilds" && rest.length === 1 && rest[0] === "channels") return "guilds/!/channels";
  const at = rest.indexOf("reactions");
  const shape = (at < 0 ? rest : rest.slice(0, at)).map((part) =>
    /^\d{17,20}$/.test(part) || part.length >= 64 ? "!" : part,
  );
  const isChanged = method === "PUT" || method === "DELETE";
  if (at >= 0) shape.push("reactions", isChanged ? "!modify" : "!");
  return [root, major, ...shape].join("/");
}
