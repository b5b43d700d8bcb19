import { createPublicKey } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../log.ts";
import { discordPaths, maxPostBytes, pathBelow } from "../bodies.ts";
import type { CallEvery } from "../listener/connections.ts";
import type { DirectExchange, DirectPaths } from "../listener/http-listener.ts";
import { createSenderReputation } from "./sender-reputation.ts";
import {
  arrivedHeader,
  describeArrival,
  doctorKeyFrom,
  doctorPing,
  isSignedBy,
  publicKeyFrom,
  type SignedRequest,
} from "./signature.ts";

/** Takes what Discord posts to PUBLIC_URL/discord/interactions and PUBLIC_URL/discord/events. */
export interface DiscordEndpoint {
  /** The application's, 64 hexadecimal digits in lower case. */
  readonly publicKey: string;
  /**
   * Takes an interaction. `send` sends the first answer as the HTTP response and resolves with whether all of it left; only the
   * first call counts. Answers when Discord sent what was taken, by our clock. What is `malformed` is answered with 400, because
   * proxies take a 503 to the next process; 503 is for `refused`, where nothing new is begun now.
   */
  take(
    interaction: unknown,
    send: (answer: object) => Promise<boolean>,
  ): number | "malformed" | "refused";
  /** A webhook event of Discord, e.g. APPLICATION_DEAUTHORIZED. */
  onEvent(type: string, data: unknown): void;
  /** A master key; whoever knows it may send a PING, as the doctor does. */
  readonly doctorSecret?: Uint8Array | undefined;
  /** How each request ended; refused ones may be anybody's. */
  readonly onRequest?: ((result: DiscordRequestResult) => void) | undefined;
}

/**
 * `wrong_time`: signed rightly, too long ago; `flood`: not checked, after too many wrong signatures; `refused`: nothing new is
 * begun; `late`: no answer within Discord's 3 s; `lost`: the connection broke before the answer had left.
 */
export type DiscordRequestResult =
  | "answered"
  | "ping"
  | "event"
  | "wrong_signature"
  | "wrong_time"
  | "flood"
  | "unreadable"
  | "refused"
  | "late"
  | "lost";

interface EndpointDeps {
  /** Path of the public address; a proxy may have removed it. */
  readonly base: string;
  readonly now: () => number;
  readonly every: CallEvery;
  readonly log: Pick<Log, "warn">;
}

/** Discord waits 3 s for the answer (https://discord.com/developers/docs/interactions/receiving-and-responding). */
const answerMs = 3_000;
const lookMs = 100;
/** How far a timestamp may be from our clock. */
const maxSkewMs = 60_000;
/** nginx keeps its idle connections for 60 s, Caddy for 120 s: they must not be closed here while a request is on its way. */
const keepAliveMs = 150_000;
const warnEveryMs = 60_000;
const maxPingBytes = Buffer.byteLength(doctorPing);

/** A request whose signature is right. */
interface DiscordPost {
  readonly response: ServerResponse;
  readonly body: Buffer;
}

/** What answers Discord's requests. It works on Node's own objects, because it has to answer a thousand a second. */
export function createDiscordPaths(endpoint: DiscordEndpoint, deps: EndpointDeps) {
  const { base, now, every, log } = deps;
  const { onRequest = () => undefined } = endpoint;
  const { publicKey, doctorSecret: masterKey } = endpoint;
  const key = publicKeyFrom(publicKey);
  const doctorKey = masterKey && createPublicKey(doctorKeyFrom({ masterKey, publicKey }));
  const senders = createSenderReputation(now);
  /** When Discord sent the interactions without an answer. */
  const unanswered = new Map<ServerResponse, number>();
  const stop = every(lookMs, endLate);
  let warnedAt = Number.NEGATIVE_INFINITY;

  const answerers: Readonly<Record<string, (exchange: DirectExchange) => void>> = {
    [discordPaths.interactions]: answerPosts(answerInteraction),
    [discordPaths.events]: answerPosts(answerEvent),
  };

  /** Reads a request, and calls `answer` if Discord sent it. */
  function answerPosts(answer: (post: DiscordPost) => void) {
    return (exchange: DirectExchange): void => {
      const { request, response, visitor } = exchange;
      if (senders.isBlocked(visitor)) return void refuse(exchange, 429, "flood");
      if (Number(request.headers["content-length"] ?? 0) > maxPostBytes) {
        return void refuse(exchange, 413, "unreadable");
      }
      const proof = readProof(request);
      if (proof === undefined) {
        senders.addWrong(visitor);
        response.setHeader(arrivedHeader, "none");
        return void refuse(exchange, 401, "wrong_signature");
      }
      exchange.welcome();
      collectBody(request, (body) => {
        if (body === undefined) return refuse(exchange, 413, "unreadable");
        const problem = findSignatureProblem({ ...proof, body });
        if (problem === undefined) {
          senders.addRight(visitor);
          exchange.exempt();
          response.once("finish", () => request.socket.setTimeout(keepAliveMs));
          return answer({ response, body });
        }
        senders.addWrong(visitor);
        onRequest(problem);
        // Only for what is as short as the doctor's, so that nobody has long bodies hashed.
        if (body.length < 2 * maxPingBytes) {
          response.setHeader(arrivedHeader, describeArrival({ ...proof, body }));
        }
        end(response, 401);
      });
    };
  }

  function refuse({ response }: DirectExchange, status: number, result: DiscordRequestResult) {
    onRequest(result);
    // Its body stays unread.
    response.setHeader("Connection", "close");
    if (status === 429) response.setHeader("Retry-After", "60");
    end(response, status);
  }

  function findSignatureProblem(signed: SignedRequest) {
    if (!isSigned(signed)) return "wrong_signature";
    const skewMs = now() - Number(signed.timestamp) * 1_000;
    if (Math.abs(skewMs) <= maxSkewMs) return undefined;
    // Discord signed it, so either our clock is wrong or somebody repeats an old request.
    if (now() - warnedAt >= warnEveryMs) {
      warnedAt = now();
      log.warn("a request of Discord was refused for its time; check this machine's clock", {
        seconds: Math.round(skewMs / 1_000),
      });
    }
    return "wrong_time";
  }

  function isSigned(signed: SignedRequest): boolean {
    if (isSignedBy(key, signed)) return true;
    if (doctorKey === undefined || signed.body.length > maxPingBytes) return false;
    return signed.body.toString() === doctorPing && isSignedBy(doctorKey, signed);
  }

  function answerInteraction({ body, response }: DiscordPost): void {
    const interaction = parseObject(body);
    if (interaction?.type === 1) {
      onRequest("ping");
      return void sendJson(response, { type: 1 });
    }
    const taken =
      interaction === undefined
        ? "malformed"
        : endpoint.take(interaction, async (answer) => {
            return !response.headersSent && sendJson(response, answer);
          });
    if (typeof taken === "string") {
      onRequest(taken === "malformed" ? "unreadable" : "refused");
      return void end(response, taken === "malformed" ? 400 : 503);
    }
    unanswered.set(response, taken);
    response.once("close", () => {
      const isAnswered = response.writableFinished && response.statusCode === 200;
      if (unanswered.delete(response)) onRequest(isAnswered ? "answered" : "lost");
    });
  }

  function answerEvent({ body, response }: DiscordPost): void {
    const posted = parseObject(body);
    const { type, data } = Object(posted?.event) as { type?: unknown; data?: unknown };
    end(response, posted === undefined ? 400 : 204);
    onRequest(posted === undefined ? "unreadable" : "event");
    if (posted?.type === 1 && typeof type === "string") endpoint.onEvent(type, data);
  }

  /** Later answers are of no use: Discord has told the person already that the bot did not answer. */
  function endLate(): void {
    const before = now() - answerMs;
    for (const [response, sentAt] of unanswered) {
      if (sentAt > before) continue;
      unanswered.delete(response);
      onRequest("late");
      if (response.headersSent) response.destroy();
      else end(response, 504);
    }
  }

  return {
    isTrusted: senders.isKnown,
    findAnswerer: ({ method, url }) => {
      if (method !== "POST") return undefined;
      const path = pathBelow(base, url);
      return Object.hasOwn(answerers, path) ? answerers[path] : undefined;
    },
    close: stop,
  } satisfies DirectPaths & { close(): void };
}

function readProof({ headers }: IncomingMessage): Omit<SignedRequest, "body"> | undefined {
  // Node joins a header that comes twice, which then has another form.
  const { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp } = headers;
  if (typeof signature !== "string" || !/^[0-9a-f]{128}$/iu.test(signature)) return undefined;
  if (typeof timestamp !== "string" || !/^\d{1,12}$/u.test(timestamp)) return undefined;
  return { signature, timestamp };
}

/** Calls `done` with the body, or with nothing once it is too long. If the connection breaks before, nobody is left to answer. */
function collectBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxPostBytes) return;
    request.off("data", collect).off("end", finish);
    done(undefined);
  };
  const finish = () => {
    const [first] = chunks;
    done(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
  };
  request.on("data", collect).on("end", finish);
}

/** Resolves with whether all of it left. */
function sendJson(response: ServerResponse, answer: object): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    response.once("close", () => resolve(response.writableFinished));
    const body = JSON.stringify(answer);
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  });
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 204 ? {} : { "Content-Length": 0 });
  response.end();
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
