import type { Server } from "node:net";
import type { Discord } from "../discord/index.ts";
import { type Languages, locales } from "../language/index.ts";
import { startWeb, type Web } from "../web/index.ts";
import type { Rooms } from "./rooms.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

const defaultPort = 8080;

interface ServePagesOptions {
  readonly languages: Languages;
  readonly discord: Pick<Discord, "take">;
  /** A server that already holds the port. */
  readonly listener: Server | undefined;
}

/**
 * Starts the pages of links, and what Discord posts to; undefined if nobody could reach them.
 * @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function servePages(
  { config, log, now }: RoomsDeps,
  rooms: Rooms,
  { languages, discord, listener }: ServePagesOptions,
): Promise<Web | undefined> {
  const { publicUrl, oauth, port = defaultPort } = config;
  if (publicUrl === undefined) return undefined;
  const { publicKey, clientSecret, siteUrl } = config.discord;

  function onEvent(type: string, data: unknown): void {
    // Somebody has taken the application's rights away; perhaps its servers too.
    if (type === "APPLICATION_DEAUTHORIZED") rooms.retention.reconcileSoon();
    if (type !== "APPLICATION_AUTHORIZED") return;
    // A person can add the commands to their own account as well; that names no server.
    const { guild } = Object(data) as { guild?: { id?: unknown } };
    if (typeof guild?.id !== "string") return;
    rooms
      .welcome(guild.id)
      .catch((error: unknown) => log.warn("a server was not welcomed", { error }));
  }

  return startWeb({
    links: rooms.links,
    hub: rooms.feeds.hub,
    ...(publicKey !== undefined && {
      discord: {
        publicKey,
        take: discord.take,
        onRequest: rooms.metrics.discordRequest,
        doctorSecret: config.store.keys[0]?.key,
        onEvent,
      },
    }),
    publicUrl,
    goesTo: [oauth.authorizeUrl, ...(clientSecret === undefined ? [] : [siteUrl])],
    discordUrl: siteUrl,
    words: { locales, of: languages.of },
    port: listener ?? port,
    host: hostFor(publicUrl),
    log: log.child({ room: "web" }),
    now,
  });
}

/** With a local address, only this machine can connect; with https, the proxy may run on another machine. */
function hostFor(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:") return undefined;
  return hostname === "[::1]" ? "::1" : "127.0.0.1";
}
