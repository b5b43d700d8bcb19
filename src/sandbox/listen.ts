import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type HttpBindings, serve } from "@hono/node-server";
import type { Hono } from "hono";

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly server: HttpServer;
  /** Breaks connections that are still open. */
  close(): Promise<void>;
}

/** Serves an app; port 0 is any free one. Rejects with Node's own error when the port is taken. */
export async function listenOnLoopback(
  app: Pick<Hono<{ Bindings: HttpBindings }>, "fetch">,
  port: number,
): Promise<LoopbackServer> {
  // Without options for other protocols this is a plain HTTP server.
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }) as HttpServer;
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A free port on 127.0.0.1, held until somebody listens there. */
export interface ReservedPort {
  readonly url: string;
  /** Listening on it takes the port over; the port is never free in between. */
  readonly listener: Server;
  close(): Promise<void>;
}

export async function reservePort(): Promise<ReservedPort> {
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    listener,
    close: async () => {
      const closed = once(listener, "close");
      listener.close();
      await closed;
    },
  };
}
