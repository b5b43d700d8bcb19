import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type HttpBindings, serve } from "@hono/node-server";
import type { Hono } from "hono";

/** A server that runs on 127.0.0.1. */
export interface Listening {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Breaks connections that are still open. */
  close(): Promise<void>;
}

/** Serves an app; port 0 is any free one. Rejects with Node's own error when the port is taken. */
export async function listen(
  app: Pick<Hono<{ Bindings: HttpBindings }>, "fetch">,
  port: number,
): Promise<Listening> {
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port });
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}
