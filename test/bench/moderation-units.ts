import { type Database, openDatabase } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import type { Log } from "../../src/log.ts";
import { handleSendQueue } from "../../src/moderation/decide/send-decisions.ts";
import type { DecisionKind, HeldComment, ItemRef } from "../../src/moderation/index.ts";
import { toItemId } from "../../src/moderation/index.ts";
import { createQueue } from "../../src/moderation/queue.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { createVideoClient, type VideoClient } from "../../src/video/index.ts";
import { createDecisionRoom } from "../moderation/support/decision-room.ts";
import { createStillClock, type StillClock } from "../moderation/support/still-clock.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "moderation.units": () => units() };

const decisions = 1_000;
/** The presses are spread over this time. */
const spreadMs = 30_000;
const guildId = "111111111111111111";
const watchId = "a".repeat(16);
const by = { userId: "300000000000000001", userName: "Ann" };
const token = "owner-token";
const start = Date.UTC(2026, 10, 21, 12);

/** What goes wrong shows in the figures. */
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

/** A stand-in for YouTube that does everything at once. */
const idle = { call: async () => undefined } as unknown as VideoClient;

interface Team {
  readonly video: VideoServer;
  readonly client: VideoClient;
  readonly database: Database;
  readonly clock: StillClock;
  /** The number of deciding calls for each kind of decision. */
  readonly calls: Map<string, number>;
}

interface Spent {
  readonly unitsEach: number;
  readonly callsOfKind: number;
  readonly cpuUsEach: number;
}

/** What YouTube charges for decisions that a team makes by single presses, compared with one call for each. */
async function units(): Promise<readonly BenchRow[]> {
  const peer = await withTeam(oneByOne);
  const mixed = await withTeam((team) => together(team, ["approve", "reject", "ban", "hold"]));
  const same = await withTeam((team) => together(team, ["approve"]));
  const callsOfKind = Math.max(mixed.callsOfKind, same.callsOfKind);
  // YouTube's stand-in shares this process, so its CPU must not be counted: here the calls do nothing.
  const own = await withTeam((team) => together({ ...team, client: idle }, ["approve"]));
  return [
    {
      name: "moderation.units",
      unit: "units",
      peer,
      goal: 1.5,
      ...judged(Math.max(mixed.unitsEach, same.unitsEach), 1.5),
    },
    { name: "moderation.units.calls", unit: "calls", goal: 20, ...judged(callsOfKind, 20) },
    { name: "moderation.units.cpu", unit: "us", goal: 500, ...judged(own.cpuUsEach, 500) },
  ];
}

function judged(value: number, goal: number): Pick<BenchRow, "value" | "ok"> {
  return { value, ok: value <= goal };
}

async function oneByOne({ video, client }: Team): Promise<number> {
  const some = 20;
  for (let n = 0; n < some; n += 1) {
    const id = [held(video, n)];
    await client.call("comments.setModerationStatus", { id, moderationStatus: "published" });
  }
  return video.quota.spent("units") / some;
}

async function together(team: Team, kinds: readonly DecisionKind[]): Promise<Spent> {
  const { video, client, database, clock, calls } = team;
  const refs: ItemRef[] = [];
  const source = video.ownChannelId;
  for (let n = 0; n < decisions; n += 1) {
    refs.push(await queued(database, source, held(video, n)));
  }
  const jobs = createJobs({ database, clock, random: () => 0.5, log });
  const own = async () => holding(client, clock);
  const room = createDecisionRoom({ database, jobs, clock, log, video: own });
  handleSendQueue(room);
  const decider = createQueue(room, guildId);
  jobs.start();

  const before = process.cpuUsage();
  for (const [n, ref] of refs.entries()) {
    const kind = kinds[n % kinds.length] ?? "hold";
    await decider.decide({ items: [ref], kind, by, from: "card" });
    await clock.pass(spreadMs / decisions);
  }
  await clock.pass(60_000);
  const { user, system } = process.cpuUsage(before);

  await jobs.close();
  const ended = database.db.selectFrom("held_comments").select("id").where("ended_at", ">", 0);
  const over = (await ended.execute()).length;
  if (over !== decisions) throw new Error(`${decisions - over} decisions are not carried out`);
  return {
    unitsEach: video.quota.spent("units") / decisions,
    callsOfKind: Math.max(0, ...calls.values()),
    cpuUsEach: (user + system) / decisions,
  };
}

/** A client that stops the clock while a call is under way. */
function holding({ call, pages }: VideoClient, clock: StillClock): VideoClient {
  const held = (...given: Parameters<typeof call>) => clock.hold(call(...given));
  return { call: held as typeof call, pages };
}

async function withTeam<T>(work: (team: Team) => Promise<T>): Promise<T> {
  const clock = createStillClock(start);
  const calls = new Map<string, number>();
  const video: VideoServer = await startVideo({
    identify: (given) =>
      given === token
        ? { channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }
        : undefined,
    onRequest: ({ method, query }) => {
      if (method !== "comments.setModerationStatus") return;
      const kind = `${query.get("moderationStatus")} ${query.get("banAuthor")}`;
      calls.set(kind, (calls.get(kind) ?? 0) + 1);
    },
  });
  const database = await openDatabase({ url: "sqlite::memory:", now: clock.now });
  const source = video.ownChannelId;
  const { watches } = createModerationRecords(database, noJobs);
  await watches.change(guildId, watchId, () => ({
    id: watchId,
    channelId: "4".repeat(18),
    source,
    paceMs: 60_000,
    digestFrom: 8,
    states: ["heldForReview"],
    addedBy: by.userId,
    addedAt: start,
  }));
  try {
    const client = createVideoClient({ baseUrl: video.url, token });
    return await work({ video, client, database, clock, calls });
  } finally {
    await database.close();
    await video.close();
  }
}

function held(video: VideoServer, n: number): string {
  return video.addComment({ text: `Held ${n}`, status: "heldForReview" }).id;
}

const noJobs = { put: async () => undefined };

async function queued(database: Database, source: string, commentId: string): Promise<ItemRef> {
  const itemId = toItemId(commentId);
  const times = { publishedAt: start, updatedAt: start };
  const item: HeldComment = {
    id: itemId,
    watchId,
    source,
    seenAt: start,
    readAt: start,
    status: "open",
    revision: 1,
    comment: { id: commentId, text: "First!", likes: 0, ...times, state: "heldForReview" },
    card: { state: "posted", handle: "h".repeat(22), since: start },
  };
  await createModerationRecords(database, noJobs).comments.addAll(guildId, [item]);
  return { watchId, itemId };
}
