import { onTestFinished } from "vitest";
import { createHttp } from "../../../src/http/index.ts";
import type { Fields, Log } from "../../../src/log.ts";
import { createAuditLog } from "../../../src/moderation/audit/index.ts";
import { createDecider } from "../../../src/moderation/decide/index.ts";
import type { DeciderParts } from "../../../src/moderation/decide/parts.ts";
import type { ItemRef } from "../../../src/moderation/index.ts";
import { createItems, itemIdOf } from "../../../src/moderation/items.ts";
import type { Decider } from "../../../src/moderation/parts.ts";
import { startVideo, type VideoServer } from "../../../src/sandbox/video/index.ts";
import {
  type AuditEntry,
  openStore,
  type QueuedComment,
  type QueueItem,
  type Store,
  type Watch,
} from "../../../src/store/index.ts";
import { createVideoClient, type VideoClient } from "../../../src/video/index.ts";
import { createFence, type Fence } from "../support/fence.ts";
import { createStillClock, type StillClock } from "../support/still-clock.ts";

export const guildId = "111111111111111111";
export const ann = { userId: "300000000000000001", userName: "Ann" };
export const bob = { userId: "300000000000000002", userName: "Bob" };
export const start = Date.UTC(2026, 10, 21, 12);

/** Decisions as the service got them, one a call. */
export interface Call {
  readonly kind: string;
  readonly ids: readonly string[];
  /** Undefined when the connection broke. */
  readonly status: number | undefined;
}

export interface Rig {
  readonly video: VideoServer;
  readonly store: Store;
  readonly clock: StillClock;
  readonly client: VideoClient;
  readonly watch: Watch;
  /** Calls that decided, in order. */
  readonly calls: Call[];
  /** Redraws that were asked for. */
  readonly drawn: ItemRef[];
  readonly warnings: string[];
  /** Held comments in the queue of the watch, or of another. */
  fill(count: number, author?: string): Promise<readonly ItemRef[]>;
  /** The same comment in the queue of another watch. */
  putAlso(ref: ItemRef, watch: Watch): Promise<ItemRef>;
  item(ref: ItemRef): Promise<QueueItem>;
  /** How the service sees a comment. */
  standing(ref: ItemRef): Promise<string | undefined>;
  /** A process of its own on the same store. */
  process(
    more?: Partial<DeciderParts> & {
      readonly stepsToLive?: number;
      readonly random?: () => number;
    },
  ): Process;
}

export interface Process {
  readonly decider: Decider;
  readonly fence: Fence;
}

const token = "owner-token";

export async function openRig(): Promise<Rig> {
  const clock = createStillClock(start);
  const calls: Call[] = [];
  const drawn: ItemRef[] = [];
  const warnings: string[] = [];
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
  const http = createHttp({ random: () => 0 });
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "k1", key: new Uint8Array(32).fill(1) }],
    now: clock.now,
  });
  const client = createVideoClient({ baseUrl: video.url, http, token });
  onTestFinished(async () => {
    await http.close();
    await store.close();
    await video.close();
  });
  const items = createItems(store.moderation);
  const watch = watchOf("a".repeat(16), video.ownChannelId);
  await store.moderation.watches.update(guildId, watch.id, () => watch);

  async function put(item: QueueItem): Promise<ItemRef> {
    await store.moderation.items.update(guildId, `${item.watchId}:${item.id}`, () => item);
    return { watchId: item.watchId, itemId: item.id };
  }

  async function item(ref: ItemRef): Promise<QueueItem> {
    const found = await items.read(guildId, ref);
    if (found === undefined) throw new Error("that item is gone");
    return found;
  }

  return {
    ...{ video, store, clock, client, watch, calls, drawn, warnings },
    async fill(count, author = "Posy Larkin") {
      const refs: ItemRef[] = [];
      for (let n = 0; n < count; n += 1) {
        const written = { text: `Held ${n}`, status: "heldForReview", author } as const;
        const { id, authorChannelId } = video.addComment(written);
        refs.push(await put(itemOf(commentOf(id, authorChannelId, author), watch.id)));
      }
      return refs;
    },
    async putAlso(ref, { id: watchId }) {
      return put({ ...(await item(ref)), watchId });
    },
    item,
    async standing(ref) {
      const id = [(await item(ref)).comment.id];
      const found = await client.call("comments.list", { part: ["snippet"], id });
      return found.items[0]?.snippet?.moderationStatus;
    },
    process({ stepsToLive, random = () => 0.5, ...more } = {}) {
      const fence = createFence({ random, ...(stepsToLive !== undefined && { stepsToLive }) });
      clock.watch(fence.isBusy);
      const moderation = fence.around(store.moderation);
      const decider = createDecider({
        store: { moderation, leases: fence.around(store.leases), guilds: store.guilds },
        items: createItems(moderation),
        announcer: { changed: (_, ref) => void drawn.push(ref) },
        video: async () => fencedClient(client, fence),
        clock: fence.clock(clock),
        random: () => 0.5,
        log: keeping(warnings),
        ...more,
      });
      return { decider, fence };
    },
  };
}

function fencedClient(client: VideoClient, fence: Fence): VideoClient {
  const { call } = fence.around({ call: client.call });
  // Each page is a step of its own.
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

function itemOf(comment: QueuedComment, watchId: string): QueueItem {
  return {
    id: itemIdOf(comment.id),
    watchId,
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
    ...{ id, authorId, authorName },
    text: "First!",
    likes: 0,
    publishedAt: start,
    updatedAt: start,
    state: "heldForReview",
  };
}

function keeping(warnings: string[]): Log {
  const keep = (message: string, fields?: Fields) => {
    warnings.push(`${message} ${fields?.error ?? ""}`);
  };
  return { debug() {}, info() {}, warn: keep, error: keep, child: () => keeping(warnings) };
}

/** What is on record, newest first. */
export function entriesOf({ store }: Rig): Promise<readonly AuditEntry[]> {
  return createAuditLog(store.moderation).of(guildId).entries();
}
