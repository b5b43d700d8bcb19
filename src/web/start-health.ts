import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { withTimeout } from "../clock.ts";
import { ConfigError } from "../errors.ts";
import type { Log } from "../log.ts";
import { hasBody, limitConnections } from "./listener/connections.ts";
import type { Metrics } from "./metrics/create-metrics.ts";
import { portError } from "./port-error.ts";

export interface HealthOptions {
  readonly metrics: Pick<Metrics, "render">;
  /** An IP address of this machine, or 0.0.0.0 or :: for all of them. This machine only when absent. */
  readonly host?: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** Checks of what has to work before requests are sent here, by name. A check that takes more than 2 s has failed. */
  readonly ready: Readonly<Record<string, () => boolean | Promise<boolean>>>;
  readonly log: Pick<Log, "warn">;
}

export interface Health {
  /** Where this machine reaches it, e.g. `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Closes connections that are still open. */
  close(): Promise<void>;
}

interface HealthAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const readyTimeoutMs = 2_000;
// Only a few programs on this machine ask, with short requests.
const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const;
const maxConnections = 64;
const ownHost = "127.0.0.1";

/**
 * Serves `/healthz` (the process is alive), `/readyz` (work may be sent here; 503 names what is not ready) and
 * `/metrics`, to this machine only unless there is a host.
 * @throws ConfigError `port_taken`, `port_forbidden` or `host_unknown`
 */
export async function startHealth(options: HealthOptions): Promise<Health> {
  const server = createServer(limits, listener(options));
  limitConnections(server, {
    limits: { connections: maxConnections },
    now: Date.now,
    // No path takes a body, so we never wait for one.
    bodyLimitsFor: () => undefined,
  });
  const { host = ownHost } = options;
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: healthUrl(host, port),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Where this machine reaches health and metrics that listen on an IP address. */
export function healthUrl(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://${ownHost}:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function listener({ metrics, ready, log, host = ownHost }: HealthOptions): RequestListener {
  const pages: Readonly<Record<string, () => Promise<HealthAnswer>>> = {
    "/healthz": async () => json(200, { isAlive: true, program: "greenroom" }),
    "/readyz": () => readiness(ready),
    "/metrics": async () => {
      const { type, text } = await metrics.render();
      return { status: 200, type, body: text };
    },
  };

  const isOnlyOwn = /^(?:127\.|::1$)/.test(host);

  async function answer({ method, url = "", headers }: IncomingMessage): Promise<HealthAnswer> {
    if (isOnlyOwn && !isOwnHost(headers.host)) return plainText(403, "Only on this machine.");
    const [path = ""] = url.split("?");
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return plainText(404, "There is nothing here.");
    if (method !== "GET" && method !== "HEAD") return plainText(405, "Only to be read.");
    return page();
  }

  return (request, response) => {
    if (hasBody(request)) response.setHeader("Connection", "close");
    answer(request)
      .catch((error: unknown) => {
        log.warn("a health request failed", { error });
        return plainText(500, "This could not be told; the log says why.");
      })
      .then((page) => send(response, page));
  };
}

/** A web page whose host name was pointed at this address must not be able to read it. */
function isOwnHost(hostHeader: string | undefined): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i.test(hostHeader ?? "");
}

async function readiness(ready: HealthOptions["ready"]): Promise<HealthAnswer> {
  const parts = await Promise.all(
    Object.entries(ready).map(async ([name, stands]) => {
      const isReady = await withTimeout(async () => stands(), { timeoutMs: readyTimeoutMs }).catch(
        () => false,
      );
      return [name, isReady] as const;
    }),
  );
  const isReady = parts.every(([, stands]) => stands);
  return json(isReady ? 200 : 503, { isReady, parts: Object.fromEntries(parts) });
}

function json(status: number, value: unknown): HealthAnswer {
  return { status, type: "application/json; charset=utf-8", body: `${JSON.stringify(value)}\n` };
}

function plainText(status: number, text: string): HealthAnswer {
  return { status, body: `${text}\n` };
}

function send(response: ServerResponse, { status, type, body }: HealthAnswer): void {
  response.writeHead(status, {
    "content-type": type ?? "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 && { allow: "GET, HEAD" }),
  });
  response.end(body);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const more =
      "health and metrics are there, and another program on it may be another Greenroom.";
    if ((error as NodeJS.ErrnoException).code !== "EADDRNOTAVAIL") {
      throw portError(error, { port, variable: "HEALTH_PORT", more });
    }
    throw new ConfigError(`this machine has no address ${host} (HEALTH_HOST)`, {
      code: "host_unknown",
      hint: "Set HEALTH_HOST to an address of this machine, or to 0.0.0.0 for all of them.",
      cause: error,
    });
  }
}
