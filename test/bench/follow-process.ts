/**
 * A process that follows videos for twenty minutes of its own clock, and prints what that took. Arguments: the database's address,
 * YouTube's, when that begins, how many videos, and whether it only makes the same requests and statements (`floor`).
 */
import type { Announcement, Feed } from "../../src/announcements/index.ts";
import { createFeeds } from "../../src/announcements/index.ts";
import { describeNotice } from "../../src/announcements/streams/wanted.ts";
import { openDatabase, sql } from "../../src/database/index.ts";
import { createHttp } from "../../src/http/index.ts";
import type { JobHandler } from "../../src/jobs/index.ts";
import type { Log } from "../../src/log.ts";
import { createVideoClient } from "../../src/video/index.ts";
import type { FollowFigures } from "./follow.ts";

const [url = "", youtube = "", begin = "0", amount = "0", way = ""] = process.argv.slice(2);
const count = Number(amount);
const perServer = 25;
const hourMs = 3_600_000;
/** Twice as long as the wait between two looks at what is live. */
const spanMs = 20 * 60_000;
const from = Number(begin);
let now = from;
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const database = await openDatabase({ url, now: () => now });
const http = createHttp({ now: Date.now, random: Math.random });
const client = createVideoClient({ baseUrl: youtube, http, now: Date.now, key: "key" });
const handlers = new Map<string, JobHandler>();
const unused = async (): Promise<never> => {
  throw new Error("nothing is to be posted");
};
createFeeds({
  database,
  http,
  log,
  random: Math.random,
  clock: { now: () => now, after: () => () => undefined },
  hub: { url: "http://127.0.0.1:9", callbackUrl: undefined },
  jobs: {
    handle: (queue: string, _: unknown, work: JobHandler) => void handlers.set(queue, work),
    put: async ({ dueAt = now }: { readonly dueAt?: number }) => dueAt,
    read: async () => undefined,
    remove: async () => false,
  } as never,
  oneTimeTokens: {} as never,
  channelMessages: { post: unused, edit: unused, find: unused } as never,
  scheduledEvents: { create: unused, change: unused, find: unused },
  video: async () => client,
  left: async () => {
    const resetsAt = new Date(now + 24 * hourMs);
    return { used: 0, limit: 1e9, left: 1e9, reserved: 0, blocked: false, resetsAt };
  },
  notify: unused,
});

/** A tenth is live, all others begin in 25 hours. */
const guildOf = (n: number) => String(100_000_000_000_000_000n + BigInt(Math.floor(n / perServer)));
const idOf = (n: number) => `${n % 10 === 0 ? "l" : "u"}${String(n).padStart(10, "0")}`;

async function fill(): Promise<void> {
  for (let first = 0; first < count; first += perServer) {
    await database.transaction(async () => {
      const server_id = await database.servers.need(guildOf(first));
      for (let n = first; n < first + perServer; n += 1) await fillOne(server_id, n);
    });
  }
}

async function fillOne(serverId: number, n: number): Promise<void> {
  const videoId = idOf(n);
  const source = `UC${videoId.slice(1, 23)}`.padEnd(24, "x");
  const place = { channelId: "300000000000000003" };
  const feed: Feed = {
    ...{ id: `f${n}`, source, title: "A channel", titleReadAt: from, uploads: "UU" },
    ...{ places: { live: place }, streams: { messages: "live" }, addedBy: "1", addedAt: 0 },
  };
  const isLive = videoId.startsWith("l");
  const startedAt = from - hourMs;
  const title = `The long night of ${videoId}`;
  const thumbnailUrl = `https://i.ytimg.com/vi/${videoId}/hq.jpg`;
  const video = {
    id: videoId,
    kind: "live",
    title,
    channelTitle: "A channel",
    thumbnailUrl,
  } as const;
  const stream = {
    stage: isLive ? "live" : "scheduled",
    readAt: from,
    ...(isLive ? { startedAt } : { startsAt: from + 25 * hourMs }),
    video: { ...video, publishedAt: startedAt },
  } as const;
  const shown = describeNotice({ what: "live", startedAt }, stream);
  const card = { state: "posted", as: "live", handle: "h", since: from, shown } as const;
  const row: Announcement = {
    ...{ feedId: feed.id, videoId, kind: "live", at: from, stream, lookAt: from },
    ...{ state: "followed", card: isLive ? card : undefined },
  };
  await sql`insert into feeds (server_id, id, source, added_at, data)
    values (${serverId}, ${feed.id}, ${source}, 0, ${JSON.stringify(feed)})`.execute(database.db);
  await sql`insert into announcements (server_id, feed_id, video_id, state, look_at, at, data)
    values (${serverId}, ${feed.id}, ${videoId}, 'followed', ${from}, ${from}, ${JSON.stringify(row)})`.execute(
    database.db,
  );
}

await fill();
const follow = handlers.get("feeds.follow");
if (follow === undefined) throw new Error("nothing follows");
const guilds = Array.from({ length: Math.ceil(count / perServer) }, (_, n) =>
  guildOf(n * perServer),
);
const signal = new AbortController().signal;
const due = new Map(guilds.map((guildId) => [guildId, from]));
/** Runs one server's look, and returns when the next one is due. */
const look = (guildId: string) =>
  follow({ key: guildId, guildId, data: null, dueAt: now, failures: 0, signal });
// The first looks also warm everything up.
for (const guildId of guilds) due.set(guildId, (await look(guildId)) ?? Number.POSITIVE_INFINITY);
globalThis.gc?.();
const before = process.memoryUsage().rss;
const cpu = process.cpuUsage();
let runs = 0;
while (true) {
  const [next] = [...due].sort(([, one], [, other]) => one - other);
  if (next === undefined || next[1] > from + spanMs) break;
  const [guildId, at] = next;
  now = Math.max(now, at);
  runs += 1;
  due.set(guildId, way === "floor" ? await byHand(guildId) : ((await look(guildId)) ?? 1e15));
}
const { user, system } = process.cpuUsage(cpu);
const peakMiB = (process.resourceUsage().maxRSS * 1_024 - before) / 2 ** 20;
const figures: FollowFigures = {
  cpuPercent: ((user + system) / 1_000 / spanMs) * 100,
  memoryMiB: Math.max(0, peakMiB),
  runs,
};
console.log(JSON.stringify(figures));
process.exit(0);

/** The least that a look takes: to find the rows, to ask for their videos, and to store when they are read again. */
async function byHand(guildId: string): Promise<number> {
  const serverId = await database.servers.find(guildId);
  const { rows } = await sql<{
    video_id: string;
    data: string;
  }>`select video_id, data from announcements
    where server_id = ${serverId} and look_at <= ${now} and state != 'due'`.execute(database.db);
  const ids = rows.map(({ video_id }) => video_id).join(",");
  const answer = await fetch(`${youtube}/videos?id=${ids}`);
  await answer.json();
  const next = now + 600_000;
  await database.transaction(async () => {
    for (const { video_id, data } of rows) {
      await sql`update announcements set look_at = ${next}, data = ${data}
        where server_id = ${serverId} and video_id = ${video_id}`.execute(database.db);
    }
  });
  return next;
}
