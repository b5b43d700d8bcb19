import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { ConfigError } from "../errors.ts";
import { createLog, createSecrets, type Log, type Secrets } from "../log.ts";
import { readOrMakeKeyFile } from "../store/index.ts";
import { accountsOf } from "./accounts.ts";
import {
  type BackgroundOptions,
  type BackgroundServer,
  startBackground,
} from "./background/index.ts";
import { connect, reviveLinks } from "./connect.ts";
import { type HubServer, startHub } from "./hub/index.ts";
import { createLazyPage } from "./lazy-page.ts";
import { type OAuthServer, startOAuth } from "./oauth/index.ts";
import {
  type Exchange,
  type GatewayEvent,
  type Page,
  type Platform,
  startPlatform,
} from "./platform/index.ts";
import { reserve } from "./reserve.ts";
import type { Sandbox } from "./types.ts";
import { type Novelty, type SeenRequest, startVideo, type VideoServer } from "./video/index.ts";
import { startVisiting } from "./visiting.ts";
import { welcome } from "./welcome.ts";

export type {
  FieldInput,
  Locale,
  OpenForm,
  OptionInput,
  Person,
  PersonName,
  Post,
  Sandbox,
  SandboxFile,
} from "./types.ts";

export interface SandboxOptions {
  /** Of the page and the platform; any free one when absent. */
  readonly port?: number | undefined;
  /** Holds the store and its key file; a fresh folder, removed on close, when absent. */
  readonly dataDir?: string;
  /** Warnings to standard error when absent. */
  readonly log?: Log;
  readonly secrets?: Secrets;
  /** Answers `GET /` and its assets; the sandbox's own page when absent. */
  readonly page?: Page;
  readonly now?: () => number;
  readonly random?: () => number;
  /** How the bot counts what judging comments costs. */
  readonly ruleCosts?: "steps";
  /** How the background stand-in differs from its defaults. */
  readonly background?: Pick<BackgroundOptions, "credits" | "freeCalls" | "matting">;
  /** Whether who opens a link's page signs in at the platform first; else they compare a code. Yes when absent. */
  readonly provesIdentity?: boolean;
  /** Whether visitors comment on the creator's newest videos by themselves, every minute or so; not when absent. */
  readonly hasVisitors?: boolean;
  /** Observe the platform's traffic from the first request on. */
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onGatewayEvent?: (event: GatewayEvent) => void;
  /** Observes what the video stand-in is asked. */
  readonly onVideoRequest?: (seen: SeenRequest) => void;
}

/** The running sandbox with its stand-ins whole: their faults, keys and observers are for tests. */
export interface RunningSandbox extends Sandbox {
  readonly video: VideoServer;
  readonly background: BackgroundServer;
  readonly oauth: OAuthServer;
  /** Tells subscribers what channels bring out. */
  readonly hub: HubServer;
  readonly platform: Platform;
  /** Where the bot tells how it is. */
  readonly health: { readonly url: string };
}

type Closer = () => Promise<unknown>;

/**
 * Starts the stand-ins and the bot on 127.0.0.1; resolves when the bot answers. On first use of a data folder the
 * server is connected with the stand-ins' keys and with the creator's channel.
 * @throws ConfigError `port_taken` or `port_forbidden`, or what the store and its key file refuse.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const closers: Closer[] = [];
  try {
    return await start(options, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function start(options: SandboxOptions, closers: Closer[]): Promise<RunningSandbox> {
  const { now = Date.now, random = Math.random } = options;
  const secrets = options.secrets ?? createSecrets();
  const log = options.log ?? createLog({ level: "warn", secrets, write: toStandardError });
  const parts = { now, random };

  const seen = options.onVideoRequest && { onRequest: options.onVideoRequest };
  const hub = await opened(closers, startHub(parts));
  const onNews = (novelty: Novelty) => void hub.publish(novelty).catch(() => undefined);
  const [video, background] = await Promise.all([
    // Tokens are shown to the service only after all of this has started.
    opened(
      closers,
      startVideo({ ...parts, ...seen, onNews, identify: (token) => oauth.identify(token) }),
    ),
    opened(closers, startBackground({ ...parts, ...options.background })),
  ]);
  const oauth: OAuthServer = await opened(
    closers,
    startOAuth({ ...parts, accounts: accountsOf(video) }),
  );
  const page = options.page ?? (await opened(closers, Promise.resolve(createLazyPage())));
  const { onExchange = ignore, onGatewayEvent = ignore } = options;
  const observed = { ...parts, page, onExchange, onGatewayEvent };
  const platform = await opened(closers, startPlatformAt(options.port, observed));
  const pages = await opened(closers, reserve());
  platform.allowRedirect(`${pages.url}/discord/callback`);
  oauth.allowRedirect(`${pages.url}/oauth/callback`);
  const dataDir = options.dataDir ?? (await temporaryFolder(closers));
  const keyFile = readOrMakeKeyFile(join(dataDir, "master.key"));

  const env = {
    DISCORD_TOKEN: platform.token,
    ...(options.provesIdentity !== false && { DISCORD_CLIENT_SECRET: platform.clientSecret }),
    DISCORD_API_URL: `${platform.url}/api`,
    VIDEO_API_URL: video.url,
    VIDEO_UPLOAD_URL: video.uploadUrl,
    BACKGROUND_API_URL: background.url,
    OAUTH_CLIENT_ID: oauth.clientId,
    OAUTH_CLIENT_SECRET: oauth.clientSecret,
    OAUTH_AUTHORIZE_URL: oauth.authorizeUrl,
    OAUTH_TOKEN_URL: oauth.tokenUrl,
    OAUTH_REVOKE_URL: oauth.revokeUrl,
    PUBLIC_URL: pages.url,
    WEBSUB_HUB_URL: hub.url,
    STORE_URL: `sqlite:${join(dataDir, "sandbox.sqlite")}`,
    SECRET_KEYS: keyFile.keys.map(({ id, key }) => `${id}:${toBase64(key)}`).join(","),
  };
  // Several sandboxes on one machine are not to fight for a port.
  const config: Config = { ...readConfig(env), healthPort: 0 };
  const { startBot } = await import("../bot.ts");
  const starting = startBot(config, {
    log,
    secrets,
    now,
    random,
    ruleCosts: options.ruleCosts,
    listener: pages.listener,
    // Once per data folder: who disconnects stays disconnected after a restart.
    onStore: ({ credentials }) => {
      const services = { guildId: platform.guildId, credentials, oauth };
      if (!keyFile.made) return reviveLinks(services);
      return connect({ ...services, video, background, addedBy: platform.ownerId, addedAt: now() });
    },
  });
  const bot = await opened(closers, starting);
  platform.useSettled(bot.settled);
  if (options.hasVisitors) await opened(closers, Promise.resolve(startVisiting(video, random)));
  await welcome(platform.people("owner"), {
    video: video.key,
    background: background.key,
    channel: video.channels.get(video.ownChannelId)?.title ?? "",
  });

  return {
    url: platform.url,
    video,
    background,
    oauth,
    hub,
    platform,
    pages: { url: pages.url },
    health: { url: bot.healthUrl },
    user: platform.people,
    close: () => closeAll(closers),
  };
}

async function opened<T extends { close(): Promise<unknown> }>(
  closers: Closer[],
  opening: Promise<T>,
): Promise<T> {
  const part = await opening;
  closers.push(() => part.close());
  return part;
}

/** Last opened, first closed; a part that fails to close does not keep the others open. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "the sandbox did not close cleanly");
}

async function temporaryFolder(closers: Closer[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenroom-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startPlatformAt(
  port: number | undefined,
  options: Parameters<typeof startPlatform>[0],
): Promise<Platform> {
  try {
    return await startPlatform({ ...options, ...(port === undefined ? {} : { port }) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    const isTaken = code === "EADDRINUSE";
    const why = isTaken ? "is used by another program" : "may not be used by this program's user";
    throw new ConfigError(`port ${port} (PORT) ${why}`, {
      code: isTaken ? "port_taken" : "port_forbidden",
      hint: `Set PORT to ${isTaken ? "another port" : "a port from 1024 on"}, or leave it out for any free one.`,
      cause: error,
    });
  }
}

function toBase64(key: Uint8Array): string {
  return Buffer.from(key).toString("base64");
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

function ignore(): void {
  // Nobody observes.
}
