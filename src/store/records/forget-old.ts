import { setImmediate as nextTurn } from "node:timers/promises";
import type { Backend, Namespace } from "../backend.ts";
import { change } from "../failure.ts";
import { platformDataMs } from "../retention.ts";
import type { Forgotten, ModerationRows } from "../types.ts";
import type { AuditEntry } from "./audit.ts";
import type { GuildRows } from "./guild-rows.ts";
import { moderationNamespaces as namespaces } from "./namespaces.ts";
import type { Digest, QueueItem } from "./queue.ts";

const dayMs = 24 * 3_600_000;
/** Of what the video service told. A day early, because the next round would be late. */
const toldMs = platformDataMs - dayMs;
const endedMs = 30 * dayMs;
/** The service tells of what is held for some sixty days, and what nobody remembers would be announced anew. */
const heldMs = 61 * dayMs;
const yearMs = 365 * dayMs;
/** A digest so young may still be waiting for its items. */
const settledMs = 3_600_000;

interface Parts {
  readonly backend: Pick<Backend, "list">;
  readonly rows: Pick<ModerationRows, "audit" | "items" | "digests" | "authors">;
  readonly now: number;
}

/** What of one record is to stay; `undefined` for nothing, the same for all of it. */
type Keep<T> = (value: T) => T | undefined;

/** Forgets texts and names that nobody read again, and records that are over; answers how many each. */
export function forgetOld({ backend, rows, now }: Parts): Promise<Forgotten> {
  const { audit, items, authors } = rows;
  return change(async () => {
    const of = {
      audit: await forget(backend, namespaces.audit, audit, (entry) => keepEntry(entry, now)),
      items: await forget(backend, namespaces.items, items, (item) => keepItem(item, now)),
      authors: await forget(backend, namespaces.authors, authors, (author) =>
        author.lastAt < now - yearMs ? undefined : author,
      ),
    };
    return { ...of, digests: await forgetDigests({ backend, rows, now }) };
  }, "part");
}

function keepEntry(entry: AuditEntry, now: number): AuditEntry | undefined {
  if (entry.at < now - yearMs) return undefined;
  if (entry.at >= now - toldMs) return entry;
  if (entry.text === undefined && entry.authorName === undefined) return entry;
  const { text: _, authorName: __, ...ids } = entry;
  return ids;
}

function keepItem(item: QueueItem, now: number): QueueItem | undefined {
  const keptMs = item.status === "held" ? heldMs : endedMs;
  if (item.endedAt !== undefined && item.endedAt < now - keptMs) return undefined;
  // A process that ended while it stopped a watch leaves some that nobody decides about any more.
  if (item.readAt < now - yearMs) return undefined;
  if (item.readAt >= now - toldMs) return item;
  const { video, parent, ...rest } = item;
  const { text, imageUrl, authorName, authorAvatar, ...comment } = item.comment;
  const told = [text || undefined, imageUrl, authorName, authorAvatar, video, parent];
  if (told.every((one) => one === undefined)) return item;
  // No card is drawn anew for it: what was posted stays as it was.
  return { ...rest, comment: { ...comment, text: "" } };
}

/** Those of whose items none is left. */
async function forgetDigests({ backend, rows, now }: Parts): Promise<number> {
  let count = 0;
  for await (const [guildId, id, digest] of readable<Digest>(backend, namespaces.digests)) {
    if (digest.addedAt >= now - settledMs) continue;
    if (await hasItem(rows.items, guildId, digest)) continue;
    await rows.digests.remove(guildId, id);
    count += 1;
  }
  return count;
}

async function hasItem(
  items: GuildRows<QueueItem>,
  guildId: string,
  { watchId, itemIds }: Digest,
): Promise<boolean> {
  for (const itemId of itemIds) {
    const read = await items.read(guildId, `${watchId}:${itemId}`);
    // What can't be read is there.
    if (read.state !== "absent") return true;
  }
  return false;
}

async function forget<T>(
  backend: Pick<Backend, "list">,
  namespace: Namespace,
  rows: GuildRows<T>,
  keep: Keep<T>,
): Promise<number> {
  let count = 0;
  for await (const [guildId, id, value] of readable<T>(backend, namespace)) {
    if (keep(value) === value) continue;
    // Looked at again, because somebody may have changed it meanwhile.
    await rows.update(guildId, id, (stored) => (stored === undefined ? undefined : keep(stored)));
    count += 1;
    await nextTurn();
  }
  return count;
}

/** A damaged record keeps its place; it must not keep the others. */
async function* readable<T>(
  { list }: Pick<Backend, "list">,
  namespace: Namespace,
): AsyncGenerator<readonly [guildId: string, id: string, value: T]> {
  for await (const [key, text] of list(namespace)) {
    const [, guildId = "", ...id] = key.split(":");
    const value = valueIn(text);
    // The same kind of record was written there.
    if (value !== undefined) yield [guildId, id.join(":"), value as T];
  }
}

function valueIn(text: string): unknown {
  try {
    const entry = JSON.parse(text) as { readonly value?: unknown } | null;
    return entry?.value ?? undefined;
  } catch {
    return undefined;
  }
}
