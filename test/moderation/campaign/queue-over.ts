import type { REST } from "discord.js";
import type { Database } from "../../../src/database/index.ts";
import type { Desk } from "../../../src/desk.ts";
import type { Routes } from "../../../src/discord/declare/routes.ts";
import type { Services } from "../../../src/discord/run/context.ts";
import { createDesk } from "../../../src/discord/run/desk.ts";
import { createServerInfoCache } from "../../../src/discord/run/server-info-cache.ts";
import type { Http } from "../../../src/http/index.ts";
import type { Jobs } from "../../../src/jobs/index.ts";
import type { Languages } from "../../../src/language/index.ts";
import type { Log } from "../../../src/log.ts";
import {
  createModeration,
  type Moderation,
  type ModerationOptions,
  openRuleEngine,
  type RuleEngine,
} from "../../../src/moderation/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { createVideoClient } from "../../../src/video/index.ts";

/** Everything of one process that leads out of it. */
export interface Wires
  extends Pick<ModerationOptions, "clock" | "left" | "random">,
    Partial<Pick<ModerationOptions, "onPoll">> {
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
  /** Jitter of the desk's own waits, which are real ones. */
  readonly soon: () => number;
  /** A thread of its own where absent. */
  readonly engine?: RuleEngine;
  /** The desk as the queue is to have it. */
  readonly around?: (desk: Desk) => Desk;
}

/** What the video stand-in takes for the creator. */
export const token = "token-of-the-campaign";

/** The queue with the bot's own desk and client of the video service, as `bot.ts` makes it. */
export function queueOver(wires: Wires): Moderation {
  const { store, database, jobs, rest, http, videoUrl, botId, routes, clock, log, soon } = wires;
  const { now } = clock;
  const services = {
    ...{ store, languages: wires.languages, random: soon, now, log },
  } as unknown as Services; // what a desk uses of them
  const desk = createDesk({
    ...{ routes, services, rest, botId, settleMs: 0 },
    places: createServerInfoCache(rest, now),
  });
  const { around = (one) => one, left, random, onPoll } = wires;
  return createModeration({
    ...{ database, jobs, desk: around(desk), clock, random, log, left },
    video: async () => createVideoClient({ baseUrl: videoUrl, token, http, now }),
    engine: wires.engine ?? openRuleEngine({ now }),
    settings: async () => ({}),
    tell: async () => [],
    ...(onPoll && { onPoll }),
  });
}
