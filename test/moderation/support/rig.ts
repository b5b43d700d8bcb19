import { onTestFinished } from "vitest";
import { createSpending } from "../../../src/budget/index.ts";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { ConnectError } from "../../../src/errors.ts";
import { createHttp, type Http } from "../../../src/http/index.ts";
import { createJobs, type Jobs } from "../../../src/jobs/index.ts";
import type { Log } from "../../../src/log.ts";
import type { HeldComment, ItemRef } from "../../../src/moderation/index.ts";
import {
  createModeration,
  type ModerationDeps,
  openRuleEngine,
  type RuleEngine,
  type ServerModeration,
  type WatchSettings,
} from "../../../src/moderation/index.ts";
import { createModerationRecords, toItemRef } from "../../../src/moderation/records/index.ts";
import {
  type SeenRequest,
  startVideo,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import type { ServerSettings } from "../../../src/store/index.ts";
import { createVideoClient } from "../../../src/video/index.ts";
import { createFence } from "./fence.ts";
import { createRecordedMessages } from "./recorded-messages.ts";
import { createStillClock, lookEveryMs, type StillClock } from "./still-clock.ts";

export const guildId = "111111111111111111";
export const channelId = "222222222222222222";
export const ann = { userId: "300000000000000001", userName: "Ann" };
export const minute = 60_000;
export const hour = 60 * minute;
/** 17:00 UTC on a summer's day: ten in the morning in Los Angeles, well inside YouTube's quota day. */
export const start = Date.UTC(2026, 6, 1, 17);

export type Rig = Awaited<ReturnType<typeof openRig>>;
export type Process = ReturnType<Rig["process"]>;

/** Longer than a closing process waits for running work. */
const closeMs = 5_000;
const token = "owner-token";
/** The token of the author who writes the comments, unless another is given. */
const writer = "writer-token";

/** Moderation with stand-ins for YouTube and Discord, a database in memory, and a clock that the test moves. */
export async function openRig(at = start, url = "sqlite::memory:") {
  const clock = createStillClock(at);
  const { now } = clock;
  let writerId = "";
  const asked: SeenRequest[] = [];
  const warnings: string[] = [];
  const notifications: { readonly name: string; readonly facts: unknown }[] = [];
  const video: VideoServer = await startVideo({
    now,
    identify: (given) => {
      const channels: Readonly<Record<string, string>> = {
        [token]: video.ownChannelId,
        [writer]: writerId,
      };
      const id = channels[given];
      return id === undefined ? undefined : { channelId: id, scopes: ["youtube.force-ssl"] };
    },
    onRequest: (seen) => asked.push(seen),
  });
  await clearQueue(video);
  const http = createHttp({ random: () => 0 });
  const held: Http = { ...http, request: (request) => clock.hold(http.request(request)) };
  const database = await openDatabase({ url, now });
  const records = createModerationRecords(database, noJobs);
  const spending = createSpending({ database, clock, secret: new Uint8Array(32) });
  const discord = createRecordedMessages(now);
  onTestFinished(async () => {
    await http.close();
    await spending.close();
    await database.close();
    await video.close();
  });

  const state: {
    settings: ServerSettings;
    /** While set, it is thrown instead of returning a video client. */
    linkError: Error | undefined;
    /** Whether the channel is linked, and whether the server has a key. */
    isLinked: boolean;
    hasKey: boolean;
    /** What lists are fetched with. */
    fetchPublic: ModerationDeps["fetchPublic"];
    random: () => number;
  } = {
    random: () => 0.5,
    settings: {},
    linkError: undefined,
    isLinked: true,
    hasKey: false,
    fetchPublic: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
  };
  return Object.assign(state, {
    video,
    /** Shared by all processes; queries made here are the test's own. */
    database,
    records,
    clock,
    discord,
    spending,
    /** Requests to YouTube, in order. */
    asked,
    notifications,
    warnings,
    /** A new process on the same store. */
    process(options: Partial<ModerationDeps> & { readonly stepsToLive?: number } = {}) {
      const { stepsToLive, database: given, ...change } = options;
      const random = () => state.random();
      const fence = createFence({ random, ...(stepsToLive !== undefined && { stepsToLive }) });
      clock.watch(fence.isBusy);
      const spender = {
        guildId,
        userId: guildId,
        command: "watch",
        purpose: "moderation",
      } as const;
      const meter = spending.account("p".repeat(32), spender);
      const client = createVideoClient({
        baseUrl: video.url,
        http: held,
        token,
        now,
        units: meter,
      });
      const { key } = video;
      const byKey = createVideoClient({ baseUrl: video.url, http: held, key, now, units: meter });
      const left = () => clock.hold(meter.left().then(({ units }) => units));
      const own = {
        database: given ?? fence.database(database),
        clock: fence.clock(clock),
        random,
      };
      const log = fence.log(keeping(warnings));
      const jobs = createJobs({ ...own, log, lookEveryMs });
      const moderation = createModeration({
        ...own,
        jobs,
        log,
        channelMessages: fence.around(discord),
        takeForDecisions: async () => true,
        linkedAt: async () => (state.isLinked ? 0 : undefined),
        publicView: async () =>
          state.hasKey
            ? { video: { ...byKey, call: fence.around({ call: byKey.call }).call }, left }
            : undefined,
        video: async () => {
          if (state.linkError !== undefined) throw state.linkError;
          if (!state.isLinked) throw new ConnectError("not linked", { code: "channel_missing" });
          return { ...client, call: fence.around({ call: client.call }).call };
        },
        left,
        settings: async () => state.settings,
        channelName: async () => undefined,
        fetchPublic: (request) => clock.hold(state.fetchPublic(request)),
        notify: async (notification) => notifications.push(notification),
        engine: heldEngine(clock),
        ...change,
      });
      onTestFinished(async () => {
        if (fence.isDead()) return;
        const closed = jobs.close();
        // Otherwise pending waits would never end.
        await clock.pass(closeMs);
        await closed;
      });
      const server = moderation.of(guildId);
      jobs.start();
      return {
        moderation,
        jobs,
        server,
        fence,
        /** Starts a watch of the channel and lets the first poll happen. */
        async watch(setting?: Partial<WatchSettings>) {
          const watch = await putWatch(server, settingOf(video, setting));
          await clock.pass(1_000);
          return watch;
        },
      };
    },
    /** Adds a held comment and returns its id. */
    hold(text: string, more: Parameters<VideoServer["addComment"]>[0] | object = {}): string {
      const { id, authorChannelId } = video.addComment({ text, status: "heldForReview", ...more });
      if (!("author" in more)) writerId = authorChannelId;
      return id;
    },
    /** Edits a comment from `hold` as its author. */
    async editComment(id: string, textOriginal: string): Promise<void> {
      const author = createVideoClient({ baseUrl: video.url, http, token: writer });
      const body = { id, snippet: { textOriginal } };
      await author.call("comments.update", { part: ["snippet"], body });
    },
    items: (watchId?: string) => itemsIn(database, watchId, guildId),
  });
}

/** The rig and one process of it. */
export async function openProcess(change?: Partial<ModerationDeps>) {
  const rig = await openRig();
  const process = rig.process(change);
  return { ...process, rig, process };
}

/** Refers to the oldest comment. */
export async function firstRef({ items }: Rig): Promise<ItemRef> {
  const [item] = await items();
  if (item === undefined) throw new Error("there is no comment");
  return toItemRef(item);
}

/** Every comment of one watch or of all, in any state, oldest first; only one server's when `ofGuild` is given. */
export async function itemsIn(
  { db, servers }: Database,
  watchId?: string,
  ofGuild?: string,
): Promise<readonly HeldComment[]> {
  let all = db.selectFrom("held_comments").select("data").orderBy("published_at").orderBy("id");
  if (watchId !== undefined) all = all.where("watch_id", "=", watchId);
  if (ofGuild !== undefined) all = all.where("server_id", "=", (await servers.find(ofGuild)) ?? 0);
  return (await all.execute()).map(({ data }) => JSON.parse(data) as HeldComment);
}

/** For records that a test writes itself, which need no cards. */
export const noJobs: Pick<Jobs, "put"> = { put: async () => undefined };

/** Starting a thread takes longer than most tests, so all of them share one. */
const current = { clock: { now: () => 0 }, users: 0 };
const engine = openRuleEngine({ now: () => current.clock.now(), costs: "steps" });

/** The rule engine, whose thread works while time stands still; the cost of a rule is the same on every machine. */
export function heldEngine(clock: StillClock): RuleEngine {
  current.clock = clock;
  current.users += 1;
  // Keeps apart what the rules of different rigs have cost, though their server is the same.
  const prefix = `${current.users}:`;
  return {
    check: (guildId, ...asked) => clock.hold(engine.check(prefix + guildId, ...asked)),
    readTexts: (guildId, ...asked) => clock.hold(engine.readTexts(prefix + guildId, ...asked)),
    runTests: (guildId, ...asked) => clock.hold(engine.runTests(prefix + guildId, ...asked)),
    forget: (guildId) => engine.forget(prefix + guildId),
    close: async () => undefined,
  };
}

export function settingOf(video: VideoServer, change: Partial<WatchSettings> = {}): WatchSettings {
  return {
    channelId,
    source: video.ownChannelId,
    states: ["heldForReview", "likelySpam"],
    paceMs: minute,
    digestFrom: 6,
    ...change,
  };
}

/** Replaces the watch's settings with these. */
export function putWatch({ watches }: Pick<ServerModeration, "watches">, setting: WatchSettings) {
  return watches.put(setting, () => setting, ann.userId);
}

/** Removes the comments that are held when the stand-in starts. */
async function clearQueue(video: VideoServer): Promise<void> {
  // Their ids are the same in every stand-in.
  waitingAtStart ??= await listWaiting(video);
  for (const id of waitingAtStart) video.withdrawComment(id);
}

let waitingAtStart: readonly string[] | undefined;

async function listWaiting(video: VideoServer): Promise<readonly string[]> {
  const http = createHttp({ random: () => 0 });
  const client = createVideoClient({ baseUrl: video.url, http, token });
  const found: string[] = [];
  for (const moderationStatus of ["heldForReview", "likelySpam"] as const) {
    const threads = client.pages("commentThreads.list", {
      part: ["snippet", "replies"],
      allThreadsRelatedToChannelId: video.ownChannelId,
      moderationStatus,
      maxResults: 100,
    });
    for await (const { items } of threads) {
      for (const { snippet, replies } of items) {
        const all = [...(replies?.comments ?? []), snippet?.topLevelComment];
        for (const comment of all) {
          if (comment?.snippet?.moderationStatus === moderationStatus) found.push(comment.id ?? "");
        }
      }
    }
  }
  video.quota.refill();
  await http.close();
  return found;
}

/** A log that keeps its warnings, with the messages of their errors. */
export function keeping(warnings: string[]): Log {
  const keep = (message: string, fields?: Readonly<Record<string, unknown>>) => {
    const { error } = fields ?? {};
    warnings.push(error instanceof Error ? `${message}: ${error.message}` : message);
  };
  const quiet = () => undefined;
  const log: Log = { debug: quiet, info: quiet, warn: keep, error: keep, child: () => log };
  return log;
}
