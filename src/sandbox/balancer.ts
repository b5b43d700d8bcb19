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

/** One address in front of several bots: what a load balancer of the operator does. */
export interface Balancer {
  readonly url: string;
  /** Takes the place of the addresses so far, while bots come and go. */
  use(targets: readonly string[]): void;
  close(): Promise<void>;
}

const keepAliveMs = 75_000;

/** Kept by a proxy for itself: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * Spreads requests over bots in turn, their bodies as they came. One that can't be reached, or begins nothing new (503),
 * passes the request on to the next.
 */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let targets: readonly string[] = [];
  let turn = 0;

  async function balance(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const at = turn++ % Math.max(1, targets.length);
    const [first, ...others] = [...targets.slice(at), ...targets.slice(0, at)];
    let answer = await forward(agent, first, { request, body });
    for (const target of others) {
      if (answer !== undefined && answer.statusCode !== 503) break;
      answer?.resume();
      answer = await forward(agent, target, { request, body });
    }
    if (answer === undefined) return void response.writeHead(502).end();
    response.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders));
    answer.pipe(response);
    // The client learns that the rest will not come.
    answer.on("error", () => response.destroy());
  }

  const server = createServer((request, response) => {
    balance(request, response).catch(() => response.destroy());
  });
  // Longer than Discord keeps an idle connection, so that none is reused in the moment it is closed.
  server.keepAliveTimeout = keepAliveMs;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => {
      targets = next;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/**
 * Undefined if the target can't be reached, or had already closed the idle connection that the request was sent over, as a
 * stopping process does. @throws if the target may have begun, because then nobody else may.
 */
async function forward(
  agent: Agent,
  target: string | undefined,
  { request, body }: ForwardedRequest,
): Promise<IncomingMessage | undefined> {
  if (target === undefined) return undefined;
  const sent = httpRequest(new URL(request.url ?? "/", target), {
    agent,
    method: request.method,
    headers: [
      ...passedOn(request.rawHeaders),
      ...["X-Forwarded-For", request.socket.remoteAddress ?? ""],
    ],
  });
  sent.end(body);
  try {
    const [answer] = await once(sent, "response");
    return answer as IncomingMessage;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // https://nodejs.org/api/http.html#requestreusedsocket
    if (code === "ECONNREFUSED" || (code === "ECONNRESET" && sent.reusedSocket)) return undefined;
    throw error;
  }
}

/** Names and values in turn, as Node takes them; the host stays the one that was asked for. */
function passedOn(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!ofConnection.includes(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
