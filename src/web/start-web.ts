import { readFile } from "node:fs/promises";
import type { Server } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import { createApp } from "./app.ts";
import { bodyLimitsAt } from "./bodies.ts";
import { createBrowsers } from "./browser.ts";
import type { Every, RoomLimits } from "./door/connections.ts";
import { type Door, type DoorOptions, listen, type WebExchange } from "./door/listen.ts";
import { type TrafficLimits, usualTraffic } from "./door/traffic.ts";
import { type Refusal, refuse } from "./failure.ts";
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
  /** Most connections and bodies at once; tests lower it. */
  readonly room?: Partial<RoomLimits>;
  /** How often what comes slowly is looked at; tests decide when. */
  readonly every?: Every;
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
  // The door ends what is not read; waiting for the rest of it would be the visitor's to decide.
  const listener = { overrideGlobalObjects: false, autoCleanupIncoming: false } as const;
  return open(getRequestListener(app.fetch, listener), {
    ...{ port, host, traffic, now, room: options.room, every: options.every },
    bodyLimitsOf: ({ method, url }) =>
      bodyLimitsAt({ method, url, base, hasHub: hub !== undefined }),
    headers: headersOf({ isSecure, formOrigins }),
    refuse: (exchange, refusal) => refuseAtOnce(exchange, refusal, { words, base }),
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

function refuseAtOnce(
  { request, response }: WebExchange,
  refusal: Refusal,
  { words, base }: { readonly words: Speeches; readonly base: string },
): void {
  const speech = speechFor(request.headers["accept-language"], words);
  const { status, message, headers } = refuse(refusal, speech);
  response.writeHead(status, { ...headers, "Content-Type": "text/html; charset=UTF-8" });
  response.end(request.method === "HEAD" ? undefined : `${messagePage({ speech, base }, message)}`);
}
