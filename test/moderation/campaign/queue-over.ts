import type { REST } from "discord.js";
import type { ChannelMessages } from "../../../src/channel-messages.ts";
import type { Database } from "../../../src/database/index.ts";
import type { Routes } from "../../../src/discord/declare/routes.ts";
import { createChannelMessages } from "../../../src/discord/run/channel-messages/create-channel-messages.ts";
import { createNotificationRenderer } from "../../../src/discord/run/channel-messages/notification-renderer.ts";
import { createServerInfoCache } from "../../../src/discord/run/channel-messages/server-info-cache.ts";
import type { Services } from "../../../src/discord/run/services.ts";
import type { Http } from "../../../src/http/index.ts";
import type { Jobs } from "../../../src/jobs/index.ts";
import type { Languages } from "../../../src/language/index.ts";
import type { Log } from "../../../src/log.ts";
import {
  createModeration,
  type Moderation,
  type ModerationDeps,
  openRuleEngine,
  type RuleEngine,
} from "../../../src/moderation/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { createVideoClient } from "../../../src/video/index.ts";

/** All connections of one process with the outside. */
export interface Wires
  extends Pick<ModerationDeps, "clock" | "left" | "random">,
    Partial<Pick<ModerationDeps, "onPoll">> {
  readonly store: Store;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly rest: REST;
  readonly http: Http;
  readonly videoUrl: string;
  readonly botId: string;
  readonly routes: Routes;
  readonly languages: Languages;
  readonly log: Log;
  /** A random number for the waits between attempts to post, which take real time. */
  readonly soon: () => number;
  /** Starts a new thread when absent. */
  readonly engine?: RuleEngine;
  /** Wraps the channel messages before the queue gets them. */
  readonly around?: (channelMessages: ChannelMessages) => ChannelMessages;
}

/** The token that YouTube's stand-in accepts as the creator's. */
export const token = "token-of-the-campaign";

/** The queue with the bot's own channel messages and YouTube client, wired as in `src/bot`. */
export function queueOver(wires: Wires): Moderation {
  const { store, database, jobs, rest, http, videoUrl, botId, routes, clock, log, soon } = wires;
  const { now } = clock;
  const services = {
    store,
    languages: wires.languages,
    commandIds: new Map(),
    random: soon,
    now,
    log,
  } as unknown as Services; // what channel messages use
  const channelMessages = createChannelMessages({
    drawing: createNotificationRenderer({
      routes,
      services,
      botId,
      features: { openNotification: (context) => context },
    }),
    services,
    rest,
    botId,
    settleMs: 0,
    serverInfo: createServerInfoCache(rest, now),
  });
  const { around = (one) => one, left, random, onPoll } = wires;
  return createModeration({
    database,
    jobs,
    clock,
    random,
    log,
    left,
    channelMessages: around(channelMessages),
    video: async () => createVideoClient({ baseUrl: videoUrl, token, http, now }),
    engine: wires.engine ?? openRuleEngine({ now }),
    takeForDecisions: async () => true,
    linkedAt: async () => 0,
    publicView: async () => undefined,
    settings: async () => ({}),
    channelName: async () => undefined,
    fetchPublic: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
    notify: async () => undefined,
    ...(onPoll && { onPoll }),
  });
}
