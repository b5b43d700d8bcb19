import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bot } from "../bot.ts";
import { type Config, readConfig } from "../config.ts";
import { ConfigError } from "../errors.ts";
import { createLog, createSecrets, type Log, type Secrets } from "../log.ts";
import { readOrMakeKeyFile } from "../store/index.ts";
import {
  type BackgroundOptions,
  type BackgroundServer,
  startBackground,
} from "./background/index.ts";
import { startBalancer } from "./balancer.ts";
import { connect, describeAddresses, listAccounts, reviveLinks } from "./connect.ts";
import { createHappenings } from "./happenings.ts";
import { type HubServer, startHub } from "./hub/index.ts";
import { type ReservedPort, reservePort } from "./listen.ts";
import { type ListHost, startListHost } from "./lists/index.ts";
import { type OAuthServer, startOAuth } from "./oauth/index.ts";
import {
  type GatewayEvent,
  type PageSource,
  type Platform,
  type RestExchange,
  servePage,
  startPlatform,
} from "./platform/index.ts";
import { createSandboxTime, type SandboxTime } from "./time.ts";
import type { Sandbox, VideoNews } from "./types.ts";
import {
  type SeenRequest,
  startAudienceComments,
  startVideo,
  type VideoServer,
} from "./video/index.ts";
import { keptWords, welcome } from "./welcome.ts";

export { startBackground } from "./background/index.ts";
export { startHub } from "./hub/index.ts";
export { startOAuth } from "./oauth/index.ts";
export { servePage, startPlatform } from "./platform/index.ts";
export type { OpenForm, OptionInput, PersonName, SandboxFile } from "./types.ts";

export { startVideo } from "./video/index.ts";

export interface SandboxOptions {
  /** Of the page and Discord's stand-in; any free one when absent. */
  readonly port?: number | undefined;
  /** Holds the store and its key file; a fresh folder, removed on close, when absent. */
  readonly dataDir?: string;
  /** Whether what an earlier sandbox left in that folder is removed first; no when absent. */
  readonly isFresh?: boolean;
  /** A STORE_URL; a SQLite file in the folder above when absent. */
  readonly store?: string;
  /** How many bots share the store; 1 when absent. Several need PostgreSQL. */
  readonly processes?: number;
  /** How interactions come: over the gateway when absent, or posted by HTTP. */
  readonly transport?: "gateway" | "http";
  /** Warnings to standard error when absent. */
  readonly log?: Log;
  readonly secrets?: Secrets;
  /** Answers `GET /` and its assets; the sandbox's own page when absent. */
  readonly page?: PageSource;
  readonly now?: () => number;
  readonly random?: () => number;
  /** How the bot measures the cost of rules. */
  readonly ruleCosts?: "steps";
  /** How the background stand-in differs from its defaults. */
  readonly background?: Pick<BackgroundOptions, "credits" | "freeCalls" | "matting">;
  /** Whether people who open a link's page sign in with Discord first (the default) or type a code. */
  readonly provesIdentity?: boolean;
  /** Further variables of the bots, such as DISCORD_REQUESTS_PER_SECOND. */
  readonly env?: Readonly<Record<string, string>>;
  /** Starts what the bots reach Discord's REST API through; they reach it directly when absent. */
  readonly startProxy?: (platformUrl: string) => Promise<DiscordProxy>;
  /** Whether sample users comment on the creator's newest videos every minute or so; no when absent. */
  readonly hasVisitors?: boolean;
  /** Observe Discord's traffic from the first request on. */
  readonly onExchange?: (exchange: RestExchange) => void;
  readonly onGatewayEvent?: (event: GatewayEvent) => void;
  /** Observes the requests to the video stand-in. */
  readonly onVideoRequest?: (seen: SeenRequest) => void;
}

/** Stands before Discord's REST API, below `/api`. */
interface DiscordProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** The running sandbox with its complete stand-ins: tests use their faults, keys and observers. */
export interface RunningSandbox extends Sandbox {
  readonly video: VideoServer;
  readonly background: BackgroundServer;
  readonly oauth: OAuthServer;
  /** Notifies subscribers of videos that channels publish. */
  readonly hub: HubServer;
  /** Where lists of spam are fetched. */
  readonly lists: ListHost;
  readonly platform: Platform;
  /** Of the stand-ins and of the bots. */
  readonly time: SandboxTime;
  /** Where the bot reports its health. */
  readonly health: {
    readonly url: string;
    /** Of every bot; the first one's is the one above. */
    readonly urls: readonly string[];
  };
}

/** What a sandbox keeps in its folder. A bot's own database has another name, so both can be in one folder. */
const dataFiles = { store: "sandbox.sqlite", keys: "master.key", clock: "ahead" } as const;

type Closer = () => Promise<unknown>;

/**
 * Starts the stand-ins and the bots on 127.0.0.1; resolves when they answer. On first use of a data folder the
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
  const { random = Math.random } = options;
  const dataDir = options.dataDir ?? (await temporaryFolder(closers));
  if (options.isFresh) await removeSandboxData(dataDir);
  const time = createSandboxTime(options.now ?? Date.now, join(dataDir, dataFiles.clock));
  const { now } = time;
  const timing = { now, random };
  const secrets = options.secrets ?? createSecrets();
  const log = options.log ?? createLog({ level: "warn", secrets, write: toStandardError });
  const standIns = await startStandIns({ ...options, ...timing }, closers);
  const { video, background, oauth, lists } = standIns;
  const page = options.page ?? (await opened(closers, servePage()));
  const { onExchange, onGatewayEvent } = options;
  const observed = { ...timing, page, onExchange, onGatewayEvent };
  const platform = await opened(closers, startPlatformAt(options.port, observed));
  const ports = await Promise.all(
    Array.from({ length: options.processes ?? 1 }, () => opened(closers, reservePort())),
  );
  const publicUrl = await openPublicUrl(closers, ports);
  platform.allowRedirect(`${publicUrl}/discord/callback`);
  oauth.allowRedirect(`${publicUrl}/oauth/callback`);
  const keyFile = readOrMakeKeyFile(join(dataDir, dataFiles.keys));
  const proxy = options.startProxy && (await opened(closers, options.startProxy(platform.url)));
  const env = {
    ...describeAddresses(standIns),
    ...describeCredentials(platform, options),
    ...(options.env?.BACKGROUND_ENGINE === "rembg" && { BACKGROUND_API_URL: background.rembgUrl }),
    DISCORD_API_URL: `${proxy?.url ?? platform.url}/api`,
    PUBLIC_URL: publicUrl,
    STORE_URL: options.store ?? `sqlite:${join(dataDir, dataFiles.store)}`,
    SECRET_KEYS: keyFile.keys
      .map(({ id, key }) => `${id}:${Buffer.from(key).toString("base64")}`)
      .join(","),
    ...options.env,
  };
  const read = readConfig(env);
  // Several sandboxes on one machine must not compete for a port.
  const config: Config = {
    ...read,
    healthPort: 0,
    background: { ...read.background, hasStandIns: true },
    discord: { ...read.discord, siteUrl: platform.url },
  };
  const interactionsUrl = `${publicUrl}/discord/interactions`;
  // The bots warn when they find none; here it can be tried only once they are there.
  if (options.transport === "http") platform.startWithInteractionsUrl(interactionsUrl);
  const { startBot } = await import("../bot.ts");
  const bots: Bot[] = [];
  for (const { listener } of ports) {
    const isFirst = bots.length === 0;
    const starting = startBot(config, {
      ...timing,
      log,
      secrets,
      listener,
      ruleCosts: options.ruleCosts,
      publicStandIn: lists.url,
      // Only once per data folder: a server that was disconnected stays so after a restart.
      onStore: async ({ credentials }) => {
        if (!isFirst) return;
        const services = { guildId: platform.guildId, credentials, oauth };
        if (!keyFile.made) return reviveLinks(services);
        const owned = { addedBy: platform.ownerId, addedAt: now() };
        // With the operator's rembg, a key would be one for the real remove.bg.
        const isRembg = config.background.rembgUrl !== undefined;
        return connect({ ...services, ...owned, video, ...(!isRembg && { background }) });
      },
    });
    bots.push(await opened(closers, starting));
  }
  if (options.transport === "http") {
    await platform.setInteractionsUrl(interactionsUrl);
    await platform.setEventsUrl(`${publicUrl}/discord/events`);
  }
  // Those that did not get the interaction, or left it to another, have finished with it at once.
  platform.useSettled(async (id) => void (await Promise.all(bots.map((bot) => bot.settled(id)))));
  if (options.hasVisitors) closers.push(startAudienceComments(video, random).close);
  const { id } = await welcome(platform.people("owner"), {
    video: video.key,
    background: background.key,
    rembg: background.rembgUrl,
    channel: video.channels.get(video.ownChannelId)?.title ?? "",
    mention: platform.mention,
  });
  platform.useWelcome(id);
  const isKept = !keyFile.made;
  if (isKept) await platform.people("owner").say(keptWords);

  platform.useHappenings(createHappenings({ video, background, oauth, platform, time }));
  const healthUrls = bots.map((bot) => bot.healthUrl);
  return {
    ...standIns,
    url: platform.url,
    platform,
    time,
    pages: { url: publicUrl },
    health: { url: healthUrls[0] ?? "", urls: healthUrls },
    user: platform.people,
    close: () => closeAll(closers),
  };
}

/** Where browsers and Discord find the bots: the only one itself, or a balancer before several. */
async function openPublicUrl(closers: Closer[], ports: readonly ReservedPort[]): Promise<string> {
  const [first, second] = ports;
  if (first !== undefined && second === undefined) return first.url;
  const balancer = await opened(closers, startBalancer());
  balancer.use(ports.map(({ url }) => url));
  return balancer.url;
}

type StandIns = Pick<RunningSandbox, "video" | "background" | "oauth" | "hub" | "lists">;

/** What the bot reaches beside Discord. */
async function startStandIns(
  options: SandboxOptions & Required<Pick<SandboxOptions, "now" | "random">>,
  closers: Closer[],
): Promise<StandIns> {
  const timing = { now: options.now, random: options.random };
  const seen = options.onVideoRequest && { onRequest: options.onVideoRequest };
  const hub = await opened(closers, startHub(timing));
  const onNews = (news: VideoNews) => void hub.publish(news).catch(() => undefined);
  // Tokens reach YouTube's stand-in only after all of this has started.
  const identify: OAuthServer["identify"] = (token) => oauth.identify(token);
  const lists = await opened(closers, startListHost());
  const [video, background] = await Promise.all([
    opened(closers, startVideo({ ...timing, ...seen, onNews, identify })),
    opened(closers, startBackground({ ...timing, ...options.background })),
  ]);
  const accounts = listAccounts(video);
  const oauth: OAuthServer = await opened(closers, startOAuth({ ...timing, accounts }));
  return { video, background, oauth, hub, lists };
}

/** How the bot signs in to Discord, and knows what Discord has signed. */
function describeCredentials(
  platform: Platform,
  { provesIdentity = true, transport }: SandboxOptions,
) {
  return {
    DISCORD_TOKEN: platform.token,
    ...(transport === "http" && { DISCORD_PUBLIC_KEY: platform.publicKey }),
    ...(provesIdentity && { DISCORD_CLIENT_SECRET: platform.clientSecret }),
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

async function removeSandboxData(dataDir: string): Promise<void> {
  const { store, ...others } = dataFiles;
  const names = [store, `${store}-wal`, `${store}-shm`, ...Object.values(others)];
  await Promise.all(names.map((name) => rm(join(dataDir, name), { force: true })));
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

function toStandardError(line: string): void {
  process.stderr.write(line);
}
