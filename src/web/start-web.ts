import { readFile } from "node:fs/promises";
import type { Server } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import { createPagesApp } from "./app.ts";
import { bodyLimitsAt } from "./bodies.ts";
import { createLinkCookies } from "./cookies.ts";
import { createDiscordPaths, type DiscordEndpoint } from "./endpoint/discord-endpoint.ts";
import { describeOwnFailure, type OwnFailure } from "./failure.ts";
import type { HubCallback } from "./hub.ts";
import { type CallEvery, type ConnectionLimits, callEvery } from "./listener/connections.ts";
import {
  type HttpListenerOptions,
  openHttpListener,
  type WebExchange,
} from "./listener/http-listener.ts";
import { defaultRequestLimits, type RequestLimits } from "./listener/request-limiter.ts";
import { type PageTranslators, translatorFor } from "./page-translator.ts";
import { messagePage } from "./pages/page-frame.ts";
import { portError } from "./port-error.ts";

export interface WebOptions {
  readonly links: Links;
  /** The address at which people's browsers reach this server; it may have a path. */
  readonly publicUrl: string;
  /** Addresses that a form sends people on to: the pages of the authorisation service and of Discord. */
  readonly goesTo: readonly string[];
  /** Discord's own site, e.g. `https://discord.com`. */
  readonly discordUrl: string;
  /** The pages' texts. */
  readonly words: PageTranslators;
  /** 0 takes any free port; a server that already listens hands its port over. */
  readonly port: number | Server;
  /** All addresses of this machine when absent, because the proxy may run elsewhere. */
  readonly host?: string | undefined;
  /** Answers the hub that announces new videos; without it there is no such path. */
  readonly hub?: HubCallback | undefined;
  /** Takes what Discord posts; without it there are no such paths. */
  readonly discord?: DiscordEndpoint | undefined;
  readonly log: Log;
  readonly now: () => number;
  /** Requests per minute; tests raise it. */
  readonly traffic?: RequestLimits;
  /** Connections and bodies at the same time; tests lower it. */
  readonly room?: Partial<ConnectionLimits>;
  /** Calls the check for slow bodies again and again; tests decide when. */
  readonly every?: CallEvery;
}

/** Closing it finishes requests that are under way, for some seconds. */
export type Web = Awaited<ReturnType<typeof openHttpListener>>;

/**
 * Starts the pages that people's browsers see while they link a channel.
 * @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function startWebServer(options: WebOptions): Promise<Web> {
  const { links, words, hub, log, now, port, host, traffic = defaultRequestLimits } = options;
  const [style, sign] = await Promise.all([asset("style.css"), asset("favicon.svg")]);
  const publicUrl = new URL(options.publicUrl);
  const isSecure = publicUrl.protocol === "https:";
  const [base = ""] = /^.*[^/]/u.exec(publicUrl.pathname) ?? [];
  const parts = {
    links,
    words,
    hub,
    cookies: createLinkCookies({ isSecure }),
    discordUrl: options.discordUrl,
    origin: publicUrl.origin,
    base,
    log,
    now,
  };
  const app = createPagesApp(parts, { style, sign });
  const formOrigins = options.goesTo.map((address) => new URL(address).origin);
  // The listener itself cuts off bodies that are not read, or the visitor would decide how long it waits for the rest.
  const listener = { overrideGlobalObjects: false, autoCleanupIncoming: false } as const;
  const { every = callEvery } = options;
  const direct = options.discord && createDiscordPaths(options.discord, { base, now, every, log });
  const has = { hasHub: hub !== undefined, hasDiscord: direct !== undefined };
  const web = await open(getRequestListener(app.fetch, listener), {
    port,
    host,
    traffic,
    now,
    room: options.room,
    every,
    direct,
    bodyLimitsFor: ({ method, url }) => bodyLimitsAt({ method, url, base, ...has }),
    headers: pageHeaders({ isSecure, formOrigins }),
    refuse: (exchange, failure) => refuseAtOnce(exchange, failure, { words, base }),
  });
  return { port: web.port, close: () => web.close().finally(() => direct?.close()) };
}

async function asset(name: string): Promise<string> {
  return readFile(new URL(`./pages/${name}`, import.meta.url), "utf8");
}

async function open(
  answer: Parameters<typeof openHttpListener>[0],
  options: HttpListenerOptions,
): Promise<Web> {
  try {
    return await openHttpListener(answer, options);
  } catch (error) {
    const more = "the pages behind PUBLIC_URL are there.";
    throw portError(error, { port: `${options.port}`, variable: "PORT", more });
  }
}

function refuseAtOnce(
  { request, response }: WebExchange,
  failure: OwnFailure,
  { words, base }: { readonly words: PageTranslators; readonly base: string },
): void {
  const translator = translatorFor(request.headers["accept-language"], words);
  const { status, message, headers } = describeOwnFailure(failure, translator);
  response.writeHead(status, { ...headers, "Content-Type": "text/html; charset=UTF-8" });
  response.end(
    request.method === "HEAD" ? undefined : `${messagePage({ translator, base }, message)}`,
  );
}

interface HeaderParts {
  readonly isSecure: boolean;
  /** Origins that a form may send people on to: browsers also check the redirect after a form against this list. */
  readonly formOrigins: readonly string[];
}

/** Headers of every answer: a page loads only its own style, can't be framed, and is never cached. */
function pageHeaders({ isSecure, formOrigins }: HeaderParts): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(formOrigins)].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    ...(isSecure && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}
