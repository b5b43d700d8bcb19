import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/database/index.ts";
import { createHttp } from "../../../src/http/index.ts";
import { createJobs } from "../../../src/jobs/index.ts";
import type { Watch } from "../../../src/moderation/index.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import { startWatchJobs } from "../../../src/moderation/watch-jobs.ts";
import type { InjectedFault } from "../../../src/sandbox/faults.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import {
  type SeenRequest,
  startVideo,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { createVideoClient, warmVideoClient } from "../../../src/video/index.ts";
import { keeping, noJobs } from "../support/rig.ts";
import { token } from "./queue-over.ts";

export type Services = Awaited<ReturnType<typeof openServices>>;

export interface ServicesOptions {
  readonly now: () => number;
  readonly random: () => number;
  /** The share of requests to YouTube and Discord that fail, with a 5xx or a cut connection. */
  readonly faults?: number;
  /** How `http` waits between its attempts. */
  readonly sleep?: () => Promise<void>;
  /** The address of an empty database; a new file when absent. */
  readonly databaseUrl?: string | undefined;
}

export const keys = [{ id: "k1", key: new Uint8Array(32).fill(3) }];

/** Stand-ins reached over the network, and a database in a file. */
export async function openServices(options: ServicesOptions) {
  const { now, random, faults = 0, sleep } = options;
  const folder = mkdtempSync(join(memoryFolder(), "greenroom-campaign-"));
  const asked: SeenRequest[] = [];
  const video: VideoServer = await startVideo({
    random,
    now,
    identify: (given) =>
      given === token
        ? { channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }
        : undefined,
    onRequest: (seen) => asked.push(seen),
  });
  const platform = await startPlatform({ random, now, hasLimits: false });
  const storeUrl = `sqlite:${join(folder, "bot.sqlite")}`;
  const store = await openStore({ url: storeUrl, keys, now });
  const { databaseUrl = `sqlite:${join(folder, "queue.sqlite")}` } = options;
  const database = await openDatabase({ url: databaseUrl, now });
  const records = createModerationRecords(database, noJobs);
  const http = createHttp({ now, random, ...(sleep && { sleep }) });
  // Loaded in advance, because a campaign's clock does not stand still while code is loaded.
  await Promise.all([http.warm(), warmVideoClient()]);
  for (const one of [video, platform]) {
    for (const fault of faultsOf(faults)) one.faults.add(fault);
  }
  return {
    now,
    video,
    platform,
    /** Settings and the state of buttons, for the channel messages. */
    store,
    storeUrl,
    http,
    /** The requests to YouTube's stand-in, in the order of its answers. */
    asked,
    /** Shared by all processes; tests query it too. */
    database,
    databaseUrl,
    records,
    guildId: platform.guildId,
    /** Acts as the creator. */
    client: createVideoClient({ baseUrl: video.url, token, http, now }),
    close: async () => {
      await http.close();
      await store.close();
      await database.close();
      await Promise.all([video.close(), platform.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A folder in memory: only processes are killed here and never the machine, so a hundred thousand writes need not wait
 * for a disk.
 */
function memoryFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** Half of the faults are 5xx answers; the rest are cuts before and after the work. */
function faultsOf(share: number): readonly InjectedFault[] {
  if (share === 0) return [];
  return [
    { kind: "answer", status: 503, rate: share / 2 },
    { kind: "cut-before", rate: share / 4 },
    { kind: "cut-after", rate: share / 4 },
  ];
}

/** Creates a watch in the stand-in's channel, or in another one. */
export async function putWatch(place: Services, change: Partial<Watch> = {}): Promise<Watch> {
  const { database, records, guildId, now } = place;
  const watch: Watch = {
    id: "a1".repeat(8),
    channelId: place.platform.channelId,
    source: place.video.ownChannelId,
    states: ["heldForReview"],
    paceMs: 60_000,
    digestFrom: 5,
    addedBy: place.platform.ownerId,
    addedAt: now(),
    mayBePublic: true,
    ...change,
  };
  const clock = { now, after: () => () => undefined };
  const jobs = createJobs({ database, clock, random: () => 0, log: keeping([]) });
  await records.watches.change(guildId, watch.id, () => watch);
  await startWatchJobs(jobs, { guildId, watchId: watch.id });
  return watch;
}

/** A message or post as it was when it was created. */
export interface LeftMessage {
  readonly text: string;
  readonly at: number;
}

/** Records every message that is created in Discord, once, by its id. */
export function messagesOn(
  platform: Platform,
  now: () => number,
): ReadonlyMap<string, LeftMessage> {
  const left = new Map<string, LeftMessage>();
  platform.onExchange(({ method, path, status, responseBody }) => {
    if (method !== "POST" || !/\/channels\/\d+\/(messages|threads)$/.test(path)) return;
    if (status < 200 || status >= 300) return;
    const { id } = responseBody as { readonly id: string };
    if (!left.has(id)) left.set(id, { text: JSON.stringify(responseBody), at: now() });
  });
  return left;
}
