import type { Server } from "node:net";
import type { Config } from "../config.ts";
import { type Languages, locales } from "../language/index.ts";
import type { Log } from "../log.ts";
import type { Links } from "../oauth/index.ts";
import { type HubDoor, startWeb, type Web } from "../web/index.ts";

interface PagesDeps {
  readonly links: Links;
  readonly languages: Languages;
  readonly hub: HubDoor;
  readonly log: Log;
  readonly now: () => number;
  /** Holds the port already. */
  readonly listener?: Server | undefined;
}

const defaultPort = 8080;

/**
 * Starts the link's pages; undefined where nobody could reach them.
 * @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function openPages(config: Config, deps: PagesDeps): Promise<Web | undefined> {
  const { publicUrl, discord, oauth, port = defaultPort } = config;
  if (publicUrl === undefined) return undefined;
  const { links, languages, hub, log, now, listener } = deps;
  return startWeb({
    links,
    hub,
    publicUrl,
    goesTo: [oauth.authorizeUrl, ...(discord.clientSecret === undefined ? [] : [discord.apiUrl])],
    words: { locales, of: languages.of },
    port: listener ?? port,
    host: hostFor(publicUrl),
    log: log.child({ room: "web" }),
    now,
  });
}

/** What only this machine may reach listens nowhere else; a proxy may run on another one. */
function hostFor(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:") return undefined;
  return hostname === "[::1]" ? "::1" : "127.0.0.1";
}
