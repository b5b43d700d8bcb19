import type { BilledTo } from "../budget/index.ts";
import { clockOf } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Desk } from "../desk.ts";
import type { Clients, Discord, VideoAccess } from "../discord/index.ts";
import { ConnectError } from "../errors.ts";
import { createFeeds } from "../feeds/index.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { type CostKind, createModeration, openRuleEngine } from "../moderation/index.ts";
import { found, type Store } from "../store/index.ts";
import type { Metrics } from "../web/index.ts";
import type { createNotices } from "./notices.ts";

export interface QueueParts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly notices: Pick<ReturnType<typeof createNotices>, "tell">;
  readonly http: Http;
  readonly clients: Clients;
  /** They are made before it, because it hands them on to handlers. */
  readonly discord: Promise<Discord>;
  readonly metrics: Pick<Metrics, "poll" | "decision">;
  readonly now: () => number;
  readonly random: () => number;
  readonly ruleCosts?: CostKind | undefined;
  readonly log: Log;
}

/** What works unasked: comments that wait, and announcements. */
export function openQueues(config: Config, parts: QueueParts) {
  const { store, jobs, http, clients, metrics, random, log } = parts;
  let connected: Discord | undefined;
  void parts.discord.then((discord) => {
    connected = discord;
  });
  const settings = async (guildId: string) => found(await store.settings.read(guildId)) ?? {};
  const billedToFor = async (
    guildId: string,
    task: Pick<BilledTo, "command" | "purpose" | "isSpare">,
  ) => {
    const { applicationId } = await parts.discord;
    const { quota, reserve } = await settings(guildId);
    // The bot itself spends it, whom no budget of a person limits.
    return { guildId, userId: applicationId, limits: { quota, reserve }, ...task };
  };
  const shared = {
    ...{ store, random, desk: deskOf(parts.discord), clock: clockOf(parts.now) },
    tell: parts.notices.tell,
    owns: (guildId: string) => connected?.owns(guildId) ?? false,
  };
  const watching = { command: "watch", purpose: "moderation" } as const;
  const channelOf = (guildId: string, source: string) => ({
    channelOf: guildId,
    channelId: source,
  });
  const { now, ruleCosts } = parts;
  const engine = openRuleEngine({ now, ...(ruleCosts && { costs: ruleCosts }) });
  const moderation = createModeration({
    ...{ ...shared, database: store.database, jobs, engine, settings },
    log: log.child({ room: "moderation" }),
    video: async (guildId, source) =>
      clients.video(channelOf(guildId, source), await billedToFor(guildId, watching)),
    left: async (guildId, source) =>
      (await clients.left(channelOf(guildId, source), await billedToFor(guildId, watching))).units,
    onPoll: metrics.poll,
    onRecord: metrics.decision,
  });
  // Nobody asked for these looks, so that the last of the day is not theirs.
  const announcing = { command: "announce", isSpare: true } as const;
  const feeds = createFeeds({
    ...{ database: store.database, jobs: parts.jobs, tickets: store.tickets },
    ...{ desk: shared.desk, clock: shared.clock, tell: shared.tell, random, http },
    log: log.child({ room: "feeds" }),
    video: async (guildId) =>
      clients.video(await accessOf(guildId, store), await billedToFor(guildId, announcing)),
    left: async (guildId) =>
      (await clients.left(await accessOf(guildId, store), await billedToFor(guildId, announcing)))
        .units,
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

/** The key where there is one, because it costs the shared project nothing. */
async function accessOf(guildId: string, { credentials }: Store): Promise<VideoAccess> {
  const key = found(await credentials.read(guildId, "video-key"));
  if (key !== undefined) return { key: key.secret };
  const channel = found(await credentials.read(guildId, "channel"));
  if (channel !== undefined) return { channelOf: guildId, channelId: channel.channelId };
  throw new ConnectError("guild has neither a key nor a linked channel", {
    code: "video_key_missing",
    hint: "Connect a key with /connect key, or a channel with /connect channel.",
    facts: { command: "connect key", isOwner: true },
  });
}

function deskOf(discord: Promise<Discord>): Desk {
  return {
    post: async (...given) => (await discord).desk.post(...given),
    edit: async (...given) => (await discord).desk.edit(...given),
    remove: async (...given) => (await discord).desk.remove(...given),
    find: async (...given) => (await discord).desk.find(...given),
  };
}
