import { createHash } from "node:crypto";
import { type BilledTo, createSpending, type SpendingMeter } from "../../../src/budget/index.ts";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { createJobs } from "../../../src/jobs/index.ts";
import type { Watch } from "../../../src/moderation/index.ts";
import { createModeration, type Moderation } from "../../../src/moderation/index.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import { startWatchJobs } from "../../../src/moderation/watch-jobs.ts";
import {
  type Comment,
  type CommentThread,
  methods,
  type VideoClient,
} from "../../../src/video/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { createFence } from "./fence.ts";
import { createRecordedMessages } from "./recorded-messages.ts";
import { ann, heldEngine, keeping, noJobs } from "./rig.ts";
import { createStillClock, lookEveryMs, type StillClock } from "./still-clock.ts";

/** How one server behaves during the day. */
export interface Habits {
  readonly paceMs: number;
  readonly commentsAnHour: number;
  /** How often people decide about everything that waits. */
  readonly decidesEveryMs: number;
}

export interface Day {
  /** Intervals between polls, by server. */
  readonly intervals: ReadonlyMap<string, readonly number[]>;
  /** How many comments were decided, by server. */
  readonly decided: ReadonlyMap<string, number>;
  /** How long each decision took to reach YouTube, by server. */
  readonly waits: ReadonlyMap<string, readonly number[]>;
  readonly units: number;
  /** Calls that were refused because no units were left. */
  readonly refused: number;
}

const minute = 60_000;
const hour = 60 * minute;
const project = "f".repeat(32);
/** Midnight in Los Angeles, in summer. */
const midnight = Date.UTC(2026, 6, 1, 7);

/** Lives through a day of servers that share one project, on its own clock. */
export async function liveDay(servers: ReadonlyMap<string, Habits>, hours = 24): Promise<Day> {
  const clock = createStillClock(midnight + 6 * minute);
  const { now } = clock;
  const database = await openDatabase({ url: "sqlite::memory:", now });
  const spending = createSpending({ database, clock, secret: new Uint8Array(32) });
  const channels = new Map(
    [...servers.keys()].map((guildId) => [guildId, createFakeChannel(clock)]),
  );
  let refused = 0;
  const accountOf = (guildId: string) => spending.account(project, billedToOf(guildId));
  // Time stands still during queries.
  const fence = createFence({ random: seeded(seed) });
  clock.watch(fence.isBusy);
  const own = { database: fence.database(database), clock, random: seeded(seed), log: keeping([]) };
  const jobs = createJobs({ ...own, lookEveryMs });
  const moderation = createModeration({
    ...own,
    jobs,
    channelMessages: createRecordedMessages(now),
    video: async (guildId) =>
      metered(channels.get(guildId) as FakeChannel, accountOf(guildId), clock, () => {
        refused += 1;
      }),
    left: (guildId) =>
      clock.hold(
        accountOf(guildId)
          .left()
          .then((left) => left.units),
      ),
    takeForDecisions: (guildId, _, wanted) =>
      clock.hold(accountOf(guildId).takeForDecisions(wanted)),
    linkedAt: async () => 0,
    publicView: async () => undefined,
    engine: heldEngine(clock),
    settings: async () => ({}),
    channelName: async () => undefined,
    fetchPublic: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
    notify: async () => undefined,
  });
  const { watches } = createModerationRecords(database, noJobs);
  for (const [n, [guildId, habits]] of [...servers].entries()) {
    const watch = watchOf(n, habits, now());
    await watches.change(guildId, watch.id, () => watch);
    await startWatchJobs(jobs, { guildId, watchId: watch.id });
  }
  jobs.start();
  const asked = new Map<string, number>();
  for (let at = 0; at < hours * hour - 10 * minute; at += minute) {
    for (const [guildId, { commentsAnHour }] of servers) {
      const due = Math.floor(((at + minute) * commentsAnHour) / hour);
      const channel = channels.get(guildId);
      for (let have = asked.get(guildId) ?? 0; have < due; have += 1) channel?.write();
      asked.set(guildId, due);
    }
    await clock.pass(minute);
    for (const [guildId, { decidesEveryMs }] of servers) {
      if ((at + minute) % decidesEveryMs === 0) await decideAll(moderation, database, guildId);
    }
  }
  const [first = ""] = servers.keys();
  const { used } = (await accountOf(first).left()).units;
  const closed = jobs.close();
  await clock.pass(minute);
  await closed;
  await spending.close();
  await database.close();
  const of = <T>(pick: (channel: FakeChannel) => T) =>
    new Map([...channels].map(([guildId, channel]) => [guildId, pick(channel)]));
  return {
    intervals: of(({ polls }) => polls.slice(1).map((time, n) => time - (polls[n] ?? 0))),
    decided: of(({ decided }) => decided.length),
    waits: of(({ decided }) => decided),
    units: used,
    refused,
  };
}

function billedToOf(guildId: string): BilledTo {
  const limits = { sharer: async () => ({ channelId: guildId, linkedBy: guildId }) };
  return { guildId, userId: guildId, command: "watch", purpose: "moderation", limits };
}

async function decideAll(moderation: Moderation, { db }: Database, guildId: string): Promise<void> {
  const { queue } = moderation.of(guildId);
  const open = await db
    .selectFrom("held_comments")
    .innerJoin("servers", "servers.id", "held_comments.server_id")
    .select(["watch_id", "held_comments.id as id"])
    .where("guild_id", "=", guildId)
    .where("status", "=", "open")
    .execute();
  const items = open.map(({ watch_id: watchId, id: itemId }) => ({ watchId, itemId }));
  await queue.decide({ items, kind: "approve", by: ann, from: "digest" });
}

function watchOf(n: number, { paceMs }: Habits, addedAt: number): Watch {
  return {
    id: n.toString(16).padStart(16, "0"),
    channelId: String(222_222_222_222_222_000 + n * 64),
    source: `UC${n}`,
    states: ["heldForReview", "likelySpam"],
    paceMs,
    digestFrom: 5,
    addedBy: ann.userId,
    addedAt,
  };
}

/** A YouTube channel with held comments. */
interface FakeChannel {
  write(): void;
  readonly waiting: Map<string, { readonly at: number }>;
  readonly polls: number[];
  readonly decided: number[];
}

function createFakeChannel({ now }: StillClock): FakeChannel {
  const waiting = new Map<string, { readonly at: number }>();
  let count = 0;
  return {
    write: () => {
      count += 1;
      waiting.set(`comment-${count}`, { at: now() });
    },
    waiting,
    polls: [],
    decided: [],
  };
}

/** A client whose calls are charged, as the table says, before they are answered. */
function metered(
  channel: FakeChannel,
  meter: SpendingMeter,
  clock: StillClock,
  onRefused: () => void,
): VideoClient {
  const call = async (method: keyof typeof methods, params: Readonly<Record<string, unknown>>) => {
    const { bucket, cost } = methods[method];
    const booking = await meter.book({ method, bucket, cost }).catch((error: unknown) => {
      onRefused();
      throw error;
    });
    await booking.settle({ attempts: 1, exhausted: false });
    if (method === "comments.setModerationStatus") return void decide(params.id as string[]);
    if (method !== "commentThreads.list") return { items: [] };
    if (params.moderationStatus !== "heldForReview") return { items: [] };
    if (params.pageToken === undefined) channel.polls.push(clock.now());
    const all = [...channel.waiting].reverse();
    const from = Number(params.pageToken ?? 0);
    const items = all.slice(from, from + 100).map(([id, { at }]) => threadOf(id, at));
    return { items, ...(all.length > from + 100 && { nextPageToken: String(from + 100) }) };
  };
  const decide = (ids: readonly string[]) => {
    for (const id of ids) {
      const one = channel.waiting.get(id);
      if (one !== undefined) channel.decided.push(clock.now() - one.at);
      channel.waiting.delete(id);
    }
  };
  return {
    call: (...given: never[]) => clock.hold(Reflect.apply(call, undefined, given)) as never,
    pages: () => {
      throw new TypeError("not asked");
    },
  };
}

function threadOf(id: string, at: number): CommentThread {
  const publishedAt = new Date(at).toISOString();
  const author = createHash("sha256").update(id).digest("hex").slice(0, 2);
  const top = {
    id,
    snippet: {
      videoId: "v",
      textDisplay: "Hello",
      moderationStatus: "heldForReview",
      authorDisplayName: author,
      authorChannelId: { value: `UC${author}` },
      publishedAt,
      updatedAt: publishedAt,
    },
  } as Comment;
  return { id, snippet: { topLevelComment: top, canReply: false, totalReplyCount: 0 } };
}
