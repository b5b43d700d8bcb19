import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { createHttp } from "../../../src/http/index.ts";
import { createJobs, type Jobs } from "../../../src/jobs/index.ts";
import { handleSendQueue } from "../../../src/moderation/decide/send-decisions.ts";
import { endSnooze } from "../../../src/moderation/decide/snooze.ts";
import type {
  AuditEntry,
  HeldComment,
  ItemRef,
  QueuedComment,
  Watch,
} from "../../../src/moderation/index.ts";
import { toItemId } from "../../../src/moderation/index.ts";
import { createQueue } from "../../../src/moderation/queue.ts";
import { createModerationRecords } from "../../../src/moderation/records/index.ts";
import type { ModerationRoom } from "../../../src/moderation/room.ts";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import { createVideoClient, type VideoClient } from "../../../src/video/index.ts";
import { createDecisionRoom, type DecisionPace } from "../support/decision-room.ts";
import { createFence, type Fence } from "../support/fence.ts";
import { keeping, noJobs } from "../support/rig.ts";
import { createStillClock, lookEveryMs } from "../support/still-clock.ts";

export const guildId = "111111111111111111";
export const ann = { userId: "300000000000000001", userName: "Ann" };
export const bob = { userId: "300000000000000002", userName: "Bob" };
export const start = Date.UTC(2026, 10, 21, 12);

/** One call to YouTube that decided about comments. */
export interface Call {
  readonly kind: string;
  readonly ids: readonly string[];
  /** Undefined if the connection broke. */
  readonly status: number | undefined;
}

export type Rig = Awaited<ReturnType<typeof openRig>>;
export type Process = ReturnType<Rig["process"]>;

interface ProcessOptions
  extends Partial<Pick<ModerationRoom, "database" | "video" | "onRecord" | "log">> {
  readonly pace?: DecisionPace;
  readonly stepsToLive?: number;
  readonly random?: () => number;
}

/** Typed as five, so that tests need no casts: use only as many as were filled. */
type FilledQueue = readonly [ItemRef, ItemRef, ItemRef, ItemRef, ItemRef, ...ItemRef[]];

export type HeldCalls = ReturnType<Rig["holdCalls"]>;

const token = "owner-token";

/** YouTube's stand-in, and the deciding calls that it received. */
export async function startService(calls: Call[] = []) {
  const video: VideoServer = await startVideo({
    identify: (given) =>
      given === token
        ? { channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }
        : undefined,
    onRequest: ({ path, query, status }) => {
      if (!path.endsWith("/comments/setModerationStatus")) return;
      const ban = query.get("banAuthor") === "true" ? "+ban" : "";
      const kind = `${query.get("moderationStatus")}${ban}`;
      calls.push({ kind, ids: (query.get("id") ?? "").split(","), status });
    },
  });
  onTestFinished(() => video.close());
  return { video, calls };
}

/** `service` can be shared by several rigs, whose comments then have different authors. */
export async function openRig(
  url = "sqlite::memory:",
  service?: Awaited<ReturnType<typeof startService>>,
) {
  const clock = createStillClock(start);
  const warnings: string[] = [];
  const { video, calls } = service ?? (await startService());
  const http = createHttp({ random: () => 0 });
  const database = await openDatabase({ url, now: clock.now });
  const records = createModerationRecords(database, noJobs);
  const client = createVideoClient({ baseUrl: video.url, http, token, now: clock.now });
  let hold: ((method: string) => Promise<void>) | undefined;
  const call = (async (method, ...given) => {
    await hold?.(method);
    return client.call(method, ...given);
  }) as VideoClient["call"];
  const processes: { readonly jobs: Jobs; readonly fence: Fence }[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await Promise.all(
        processes.map(({ jobs, fence }) => (fence.isDead() ? undefined : jobs.close())),
      );
      await http.close();
      await database.close();
    })();
    return closing;
  };
  onTestFinished(close);
  const watch = watchOf("a".repeat(16), video.ownChannelId);
  await records.watches.change(guildId, watch.id, () => watch);

  async function put(item: HeldComment): Promise<ItemRef> {
    await records.comments.addAll(guildId, [item]);
    return { watchId: item.watchId, itemId: item.id };
  }

  async function item(ref: ItemRef): Promise<HeldComment> {
    const found = await records.comments.read(guildId, ref);
    if (found === undefined) throw new Error("that item is gone");
    return found;
  }

  return {
    video,
    /** Shared by all processes; queries made here are the test's own. */
    database,
    records,
    clock,
    client,
    watch,
    /** Deciding calls to YouTube, in order. */
    calls,
    warnings,
    item,
    /** Happens when the test ends, unless it is called earlier. */
    close,
    /** Adds held comments to the queue of the watch. */
    async fill(count: number, author = "Posy Larkin"): Promise<FilledQueue> {
      const refs: ItemRef[] = [];
      for (let n = 0; n < count; n += 1) {
        const written = { text: `Held ${n}`, status: "heldForReview", author } as const;
        const { id, authorChannelId } = video.addComment(written);
        refs.push(await put(itemOf(commentOf(id, authorChannelId, author), watch)));
      }
      return refs as unknown as FilledQueue;
    },
    /** Adds the same comment to the queue of another watch. */
    async putAlso(ref: ItemRef, { id: watchId, source }: Watch) {
      return put({ ...(await item(ref)), watchId, source });
    },
    /** Changes the stored comment. */
    async change(ref: ItemRef, change: Partial<HeldComment>) {
      await records.comments.changeSilently(guildId, ref, (stored) => ({ ...stored, ...change }));
    },
    /** The comment's moderation status at YouTube. */
    async standing(ref: ItemRef) {
      const id = [(await item(ref)).comment.id];
      const found = await client.call("comments.list", { part: ["snippet"], id });
      return found.items[0]?.snippet?.moderationStatus;
    },
    /** From now on, deciding calls wait until they are let through. `begun` resolves when the first has begun. */
    holdCalls() {
      const begun = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      hold = async (method) => {
        if (method !== "comments.setModerationStatus") return;
        begun.resolve();
        await held.promise;
      };
      return { begun: begun.promise, letThrough: held.resolve };
    },
    /** The jobs of a queue that wait. */
    async waiting(queue: string) {
      const all = database.db.selectFrom("jobs").select(["key", "due_at"]);
      const rows = await all.where("queue", "=", queue).execute();
      return rows.map(({ key, due_at: dueAt }) => ({ key, dueAt }));
    },
    /** A separate process on the same database. */
    process({ stepsToLive, random = () => 0.5, pace, ...more }: ProcessOptions = {}) {
      const fence = createFence({ random, ...(stepsToLive !== undefined && { stepsToLive }) });
      clock.watch(fence.isBusy);
      const own = { database: fence.database(database), clock: fence.clock(clock) };
      const log = fence.log(keeping(warnings));
      const jobs = createJobs({ ...own, random: () => 0.5, log, lookEveryMs });
      const video = async () => fencedClient({ ...client, call }, fence);
      const room = createDecisionRoom({ ...own, jobs, log, video, ...more }, pace);
      handleSendQueue(room);
      const decider = createQueue(room, guildId);
      bringBack({ ...own, jobs });
      jobs.start();
      processes.push({ jobs, fence });
      return { decider, jobs, fence };
    },
  };
}

/** A queue with that many comments, and a process that decides about them. */
export async function openQueue(count: number) {
  const rig = await openRig();
  const process = rig.process();
  const refs = await rig.fill(count);
  return { ...process, rig, process, refs, ref: refs[0] };
}

/** Ends snoozes as the part of moderation does that posts cards. */
function bringBack({ database, jobs }: { readonly database: Database; readonly jobs: Jobs }): void {
  const { comments } = createModerationRecords(database, jobs);
  const options = { concurrency: 5, perServer: 2, timeoutMs: 60_000 };
  jobs.handle("moderation.announce", options, async ({ key }) => {
    const [, watchId = ""] = key.split(":");
    const at = database.now();
    for (const { id: itemId } of await comments.readSnoozed(guildId, watchId, { at, limit: 100 })) {
      await comments.change(guildId, { watchId, itemId }, (item) => endSnooze(item, at));
    }
    return comments.nextSnoozedAt(guildId, watchId);
  });
}

function fencedClient(client: VideoClient, fence: Fence): VideoClient {
  const { call } = fence.around({ call: client.call });
  // Fetching each page is a step of its own.
  const pages: VideoClient["pages"] = (...given) => {
    const walk = client.pages(...given);
    const { next } = fence.around({ next: () => walk.next() });
    return { next, [Symbol.asyncIterator]: () => ({ next }) } as typeof walk;
  };
  return { ...client, call, pages };
}

export function watchOf(id: string, source: string): Watch {
  return {
    id,
    channelId: "400000000000000001",
    source,
    states: ["heldForReview"],
    paceMs: 60_000,
    digestFrom: 8,
    addedBy: ann.userId,
    addedAt: start,
  };
}

function itemOf(comment: QueuedComment, { id: watchId, source }: Watch): HeldComment {
  return {
    id: toItemId(comment.id),
    watchId,
    source,
    comment,
    seenAt: start,
    readAt: start,
    status: "open",
    revision: 1,
    card: { state: "posted", handle: "h".repeat(22), since: start },
  };
}

function commentOf(id: string, authorId: string, authorName: string): QueuedComment {
  return {
    id,
    authorId,
    authorName,
    text: "First!",
    likes: 0,
    publishedAt: start,
    updatedAt: start,
    state: "heldForReview",
  };
}

/** The audit log, newest first. */
export async function entriesOf({ records }: Rig): Promise<readonly AuditEntry[]> {
  return (await records.audit.page(guildId, {}, { limit: 10_000 })).entries;
}
