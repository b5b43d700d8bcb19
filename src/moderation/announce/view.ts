import type { CardAt, Digest, ItemStatus, ModerationRows, QueueItem } from "../../store/index.ts";
import { removeItems } from "../clean-up.ts";
import type { Items } from "../parts.ts";
import type { Waiting } from "../poll/index.ts";
import { pointTo, shownRevision } from "./digests.ts";

/** Of an item what this process has to know without asking. */
interface Brief extends Waiting {
  readonly status: ItemStatus;
  readonly publishedAt: number;
  readonly card: CardAt;
  readonly digestId?: string | undefined;
  readonly dueAt?: number | undefined;
}

/** What is not over in a watch's queue. The store has it all; this only says where to look. */
export interface View {
  /** Reads it all, and answers it. What is of another channel is removed. */
  load(source: string): Promise<Loaded>;
  put(item: QueueItem): void;
  putDigest(digest: Digest): void;
  dropDigest(id: string): void;
  waiting(): readonly Waiting[];
  /** How many wait for people, and how many decisions are to be sent. */
  count(): { readonly waiting: number; readonly running: number };
  /** Items whose own cards are to be sent, or may have been, the oldest first. */
  dueItems(): readonly string[];
  dueDigests(): readonly Digest[];
  /** Whether decisions were left lying by whoever was to send them. */
  isStuck(now: number): boolean;
}

export interface Loaded {
  readonly items: readonly QueueItem[];
  /** Ids of items whose messages do not show how they are. */
  readonly undrawn: readonly string[];
}

/** Ended decisions are sent within seconds; whoever has not done so by then is gone. */
const stuckMs = 3 * 60_000;

const waits: readonly ItemStatus[] = ["open", "later"];
const unsettled: readonly ItemStatus[] = ["open", "later", "pending", "sending"];

export function createView(
  rows: Pick<ModerationRows, "items" | "digests">,
  items: Items,
  { guildId, watchId }: { readonly guildId: string; readonly watchId: string },
): View {
  let briefs = new Map<string, Brief>();
  let digests = new Map<string, Digest>();

  function put(item: QueueItem): void {
    const isOver = !unsettled.includes(item.status) && item.card.state !== "sending";
    if (isOver) briefs.delete(item.id);
    else briefs.set(item.id, briefOf(item));
  }

  function putDigest(digest: Digest): void {
    if (isUnsent(digest.card)) digests.set(digest.id, digest);
    else digests.delete(digest.id);
  }

  return {
    async load(source) {
      const [listed, listedDigests] = await Promise.all([
        rows.items.list(guildId, watchId),
        rows.digests.list(guildId, watchId),
      ]);
      const others = listed.filter((item) => (item.source ?? source) !== source);
      await removeItems(rows, guildId, others);
      const all = listed.filter((item) => !others.includes(item));
      [briefs, digests] = [new Map(), new Map()];
      const byId = new Map(all.map((item) => [item.id, item]));
      const allDigests = listedDigests.filter(({ itemIds }) => itemIds.some((id) => byId.has(id)));
      for (const digest of allDigests) {
        if (digest.acts === undefined && isUnsent(digest.card)) {
          await pointTo({ items }, guildId, digest);
          for (const id of digest.itemIds) {
            const item = byId.get(id);
            if (item?.card.state === "due") byId.set(id, { ...item, digestId: digest.id });
          }
        }
        putDigest(digest);
      }
      for (const item of byId.values()) put(item);
      const loaded = [...byId.values()];
      return { items: loaded, undrawn: undrawn(loaded, byId, allDigests) };
    },
    put,
    putDigest,
    dropDigest: (id) => void digests.delete(id),
    waiting: () => [...briefs.values()].filter(({ status }) => waits.includes(status)),
    count: () => {
      let waiting = 0;
      let running = 0;
      for (const { status } of briefs.values()) {
        if (waits.includes(status)) waiting += 1;
        else if (unsettled.includes(status)) running += 1;
      }
      return { waiting, running };
    },
    dueItems: () =>
      [...briefs.values()]
        .filter(
          ({ status, card, digestId }) =>
            card.state === "sending" ||
            (card.state === "due" && status === "open" && digestId === undefined),
        )
        .sort((one, other) => one.publishedAt - other.publishedAt)
        .map(({ id }) => id),
    dueDigests: () => [...digests.values()].sort((one, other) => one.addedAt - other.addedAt),
    isStuck: (now) =>
      [...briefs.values()].some(
        ({ status, dueAt = now }) =>
          (status === "pending" || status === "sending") && dueAt < now - stuckMs,
      ),
  };
}

function isUnsent({ state }: CardAt): boolean {
  return state === "due" || state === "sending";
}

function briefOf(item: QueueItem): Brief {
  const { id, status, seenAt, card, digestId, decision, comment } = item;
  return {
    ...{ id, status, seenAt, card, digestId },
    commentId: comment.id,
    state: comment.state,
    publishedAt: comment.publishedAt,
    dueAt: decision?.dueAt,
  };
}

function undrawn(
  items: readonly QueueItem[],
  byId: ReadonlyMap<string, QueueItem>,
  digests: readonly Digest[],
): readonly string[] {
  const own = items.filter(
    ({ card, revision }) => card.state === "posted" && card.drawn !== revision,
  );
  const shared = digests.filter((digest) => {
    if (digest.card.state !== "posted") return false;
    const shown = digest.itemIds.flatMap((id) => byId.get(id) ?? []);
    // What was forgotten by now is no reason to draw it without that.
    if (shown.length < digest.itemIds.length) return false;
    return digest.card.drawn !== shownRevision(digest, shown);
  });
  return [...own.map(({ id }) => id), ...shared.flatMap(({ itemIds }) => itemIds.slice(0, 1))];
}
