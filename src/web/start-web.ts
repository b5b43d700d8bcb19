import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import { createApp } from "./app.ts";
import { createBrowsers } from "./browser.ts";
import { type Door, type DoorOptions, listen } from "./door/listen.ts";
import { type TrafficLimits, usualTraffic } from "./door/traffic.ts";
import { refuse } from "./failure.ts";
import { headersOf } from "./headers.ts";
import type { HubDoor } from "./hub.ts";
import { createOutcomes } from "./outcome.ts";
import { messagePage } from "./pages/message-page.ts";
import { portFault } from "./port-fault.ts";
import { type Speeches, speechFor } from "./speech.ts";

export interface WebOptions {
  readonly links: Links;
  /** Where people's browsers reach this server, as it stands in the addresses of links; it may have a path. */
  readonly publicUrl: string;
  /** Addresses that people are sent on to from a form: the authorisation service's page and Discord's. */
  readonly goesTo: readonly string[];
  /** What pages say. */
  readonly words: Speeches;
  /** 0 takes any free one; a server that listens already hands its port over. */
  readonly port: number | Server;
  /** Every address of this machine when absent, because the proxy may run elsewhere. */
  readonly host?: string | undefined;
  /** Answers the hub that tells of new videos; nobody does when absent. */
  readonly hub?: HubDoor | undefined;
  readonly log: Log;
  readonly now: () => number;
  /** Most requests a minute; tests raise it. */
  readonly traffic?: TrafficLimits;
}

export interface Web {
  readonly port: number;
  /** Answers what is under way, for some seconds. */
  close(): Promise<void>;
}

/**
 * Starts the pages that people's browsers see while they link a channel.
 * @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function startWeb(options: WebOptions): Promise<Web> {
  const { links, words, hub, log, now, port, host, traffic = usualTraffic } = options;
  const [style, sign] = await Promise.all([asset("style.css"), asset("favicon.svg")]);
  const publicUrl = new URL(options.publicUrl);
  const isSecure = publicUrl.protocol === "https:";
  const [base = ""] = /^.*[^/]/u.exec(publicUrl.pathname) ?? [];
  const browsers = createBrowsers({ isSecure });
  const outcomes = createOutcomes({ isSecure });
  const told = { links, words, hub, browsers, outcomes };
  const parts = { ...told, origin: publicUrl.origin, base, log, now };
  const app = createApp(parts, { style, sign });
  const formOrigins = options.goesTo.map((address) => new URL(address).origin);
  return open(getRequestListener(app.fetch, { overrideGlobalObjects: false }), {
    port,
    host,
    traffic,
    now,
    headers: headersOf({ isSecure, formOrigins }),
    refuse: (request, response) => refuseFlood({ request, response }, { words, base }),
  });
}

async function asset(name: string): Promise<string> {
  return readFile(new URL(`./pages/${name}`, import.meta.url), "utf8");
}

async function open(answer: Parameters<typeof listen>[0], options: DoorOptions): Promise<Door> {
  try {
    return await listen(answer, options);
  } catch (error) {
    const more = "the pages behind PUBLIC_URL are there.";
    throw portFault(error, { port: `${options.port}`, variable: "PORT", more });
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function refuseFlood(
  { request, response }: Exchange,
  { words, base }: { readonly words: Speeches; readonly base: string },
): void {
  const speech = speechFor(request.headers["accept-language"], words);
  const { status, message, headers } = refuse("flood", speech);
  response.writeHead(status, { ...headers, "Content-Type": "text/html; charset=UTF-8" });
  response.end(request.method === "HEAD" ? undefined : `${messagePage({ speech, base }, message)}`);
}
