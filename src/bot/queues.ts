import { createFeeds } from "../announcements/index.ts";
import type { BilledTo } from "../budget/index.ts";
import type { ChannelMessages } from "../channel-messages.ts";
import { createTimerClock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Discord } from "../discord/index.ts";
import { ConnectError } from "../errors.ts";
import type { ServiceClients, VideoAccess } from "../features/index.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { type CostKind, createModeration, openRuleEngine } from "../moderation/index.ts";
import { type GuildSettings, type Store, valueOfRead } from "../store/index.ts";
import type { Metrics } from "../web/index.ts";
import type { createNotificationJobs } from "./notification-jobs.ts";

interface QueuesDeps {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly notify: ReturnType<typeof createNotificationJobs>["notify"];
  readonly http: Http;
  readonly clients: ServiceClients;
  /** Connected later, because handlers need what is made here. */
  readonly discord: Promise<Discord>;
  readonly metrics: Pick<Metrics, "poll" | "decision">;
  readonly now: () => number;
  readonly random: () => number;
  readonly ruleCosts?: CostKind | undefined;
  readonly log: Log;
}

const watching = { command: "watch", purpose: "moderation" } as const;
/** No person asked for these calls, so they must not use up the last units of the day. */
const announcing = { command: "announce", isSpare: true } as const;

/** Opens what works by itself in the background: moderation and announcements. */
export function openQueues(config: Config, deps: QueuesDeps) {
  const { store, jobs, http, clients, metrics, random, log } = deps;
  const shared = {
    store,
    random,
    channelMessages: whenConnected(deps.discord),
    clock: createTimerClock(deps.now),
    notify: deps.notify,
  };
  const leftOf = async (access: VideoAccess, by: BilledTo) =>
    (await clients.left(access, by)).units;
  const { now, ruleCosts } = deps;
  const engine = openRuleEngine({ now, ...(ruleCosts && { costs: ruleCosts }) });
  const moderation = createModeration({
    ...shared,
    database: store.database,
    jobs,
    engine,
    settings: (guildId) => settingsOf(guildId, store),
    log: log.child({ room: "moderation" }),
    video: async (guildId, channelId) =>
      clients.video({ channelOf: guildId, channelId }, await billedTo(guildId, watching, deps)),
    left: async (guildId, channelId) =>
      leftOf({ channelOf: guildId, channelId }, await billedTo(guildId, watching, deps)),
    takeForDecisions: async (guildId, channelId, wanted) =>
      clients.takeForDecisions(
        { channelOf: guildId, channelId },
        await billedTo(guildId, watching, deps),
        wanted,
      ),
    onPoll: metrics.poll,
    onRecord: metrics.decision,
  });
  const feeds = createFeeds({
    database: store.database,
    jobs: deps.jobs,
    oneTimeTokens: store.oneTimeTokens,
    channelMessages: shared.channelMessages,
    clock: shared.clock,
    notify: shared.notify,
    random,
    http,
    log: log.child({ room: "announcements" }),
    video: async (guildId) =>
      clients.video(await accessOf(guildId, store), await billedTo(guildId, announcing, deps)),
    left: async (guildId) =>
      leftOf(await accessOf(guildId, store), await billedTo(guildId, announcing, deps)),
    project: async (guildId) => clients.projectOf(await accessOf(guildId, store)),
    hub: {
      url: config.hubUrl,
      callbackUrl: config.publicUrl && `${config.publicUrl}/hub`,
    },
  });
  return {
    moderation,
    feeds,
    close: () => engine.close(),
  };
}

async function settingsOf(guildId: string, { settings }: Store): Promise<GuildSettings> {
  return valueOfRead(await settings.read(guildId)) ?? {};
}

/** The bot itself pays, and no person's budget limits it. */
async function billedTo(
  guildId: string,
  task: Pick<BilledTo, "command" | "purpose" | "isSpare">,
  { discord, store }: QueuesDeps,
): Promise<BilledTo> {
  const { applicationId } = await discord;
  const { quota, reserve } = await settingsOf(guildId, store);
  return { guildId, userId: applicationId, limits: { quota, reserve }, ...task };
}

/** The guild's key where there is one, because it costs the shared project nothing. */
async function accessOf(guildId: string, { credentials }: Store): Promise<VideoAccess> {
  const key = valueOfRead(await credentials.read(guildId, "video-key"));
  if (key !== undefined) return { key: key.secret };
  const channel = valueOfRead(await credentials.read(guildId, "channel"));
  if (channel !== undefined) return { channelOf: guildId, channelId: channel.channelId };
  throw new ConnectError("guild has neither a key nor a linked channel", {
    code: "video_key_missing",
    facts: { command: "connect key", isOwner: true },
  });
}

function whenConnected(discord: Promise<Discord>): ChannelMessages {
  return {
    post: async (...args) => (await discord).channelMessages.post(...args),
    edit: async (...args) => (await discord).channelMessages.edit(...args),
    close: async (...args) => (await discord).channelMessages.close(...args),
    remove: async (...args) => (await discord).channelMessages.remove(...args),
    find: async (...args) => (await discord).channelMessages.find(...args),
  };
}
