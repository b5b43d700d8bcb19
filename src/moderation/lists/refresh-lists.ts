import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import type { NewJob } from "../../jobs/index.ts";
import type { RefusedCopy, RuleList } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { compareCopies, isTooWide } from "./compare-copies.ts";
import { takeEffectsBack } from "./end-list.ts";
import { type ReadList, readList } from "./fetch-list.ts";
import { refuseList } from "./parse-list.ts";

/** Each list has one job in this queue. */
const listQueue = "moderation.lists";

/** A list is fetched at most this often, for all servers together that subscribe to it. */
const checkEveryMs = hourMs;
const spreadMs = 5 * minuteMs;
/** After a day of failures, it is tried less often. */
const failingWaitMs = 6 * hourMs;
/** People are told after this long; a host may be away for a weekend. */
const toldAfterMs = 3 * dayMs;
/** How long a draft waits for somebody who switches it on. */
export const draftMs = hourMs;
/** Comments that were being judged when a list ended are looked at once more. */
const lateMs = minuteMs;
/** What a server's lists may hold together; the thread that judges has room for more. */
const maxEntries = 100_000;

interface ListRef {
  readonly guildId: string;
  readonly listId: string;
}

/** The job of a list; if there is one, it is brought forward. */
export function listJob({ guildId, listId }: ListRef, dueAt?: number): NewJob {
  const key = `${guildId}:${listId}`;
  return { queue: listQueue, key, guildId, ...(dueAt !== undefined && { dueAt }) };
}

/** Refreshes lists, removes drafts that nobody switched on, and takes back what ended lists left. */
export function handleListQueue(room: ModerationRoom): void {
  const { database, records } = room;
  const options = { concurrency: 4, perServer: 1, timeoutMs: 2 * minuteMs } as const;
  room.jobs.handle(listQueue, options, async ({ key, signal }) => {
    const [guildId = "", listId = ""] = key.split(":");
    const list = await records.lists.read(guildId, listId);
    if (list === undefined) return undefined;
    if (list.endedAt !== undefined) return finishList(room, guildId, list, signal);
    if (list.isDraft) {
      if (database.now() < list.addedAt + draftMs) return list.addedAt + draftMs;
      await records.lists.remove(guildId, listId);
      return undefined;
    }
    return refreshList(room, guildId, list, signal);
  });
}

async function finishList(
  room: ModerationRoom,
  guildId: string,
  { id, name, ruleId = "", endedAt = 0 }: RuleList,
  signal: AbortSignal,
): Promise<number | undefined> {
  await takeEffectsBack(room, guildId, { ruleId, ruleName: name }, signal);
  if (room.database.now() < endedAt + lateMs) return endedAt + lateMs;
  await room.records.lists.remove(guildId, id);
  return undefined;
}

async function refreshList(
  room: ModerationRoom,
  guildId: string,
  list: RuleList,
  signal: AbortSignal,
): Promise<number | undefined> {
  const ref = { guildId, listId: list.id };
  try {
    const read = (await readElsewhere(room, list)) ?? (await readLatest(room, list, signal));
    if (read === "gone") return await withdraw(room, ref, list);
    if (read === "same") return nextCheck(await storeUnchanged(room, ref), list.id);
    await requireRoom(room, guildId, { ids: [list.id], read });
    const refused = await findRefusal(room, guildId, list, { read, signal });
    const checkedAt =
      refused === undefined
        ? await storeCopy(room, ref, read)
        : await refuseCopy(room, ref, { ...refused, checkedAt: read.checkedAt });
    return nextCheck(checkedAt, list.id);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BotError) || error.code === "store_unavailable") throw error;
    return noteFailure(room, ref, error);
  }
}

/** Asks the host for anything newer than the copy that was read last, even if that copy was refused. */
function readLatest(room: ModerationRoom, list: RuleList, signal: AbortSignal) {
  const { etag, lastModified } = list.refused ?? list;
  return readList(room, { from: list.from, etag, lastModified }, signal);
}

/**
 * Why a new copy is not used: it would match far more of the server's comments than the previous one. A refused copy stays
 * refused until someone accepts it or the list changes again.
 */
async function findRefusal(
  room: ModerationRoom,
  guildId: string,
  list: RuleList,
  { read, signal }: { readonly read: ReadList; readonly signal: AbortSignal },
): Promise<RefusedCopy | undefined> {
  const { version, etag, lastModified } = read;
  if (version === list.version) return undefined;
  const copy = { version, etag, lastModified };
  if (version === list.refused?.version) return { ...list.refused, ...copy };
  const compared = await compareCopies(room, guildId, list, { read, signal });
  const isWide = isTooWide(compared);
  if (isWide === false) return undefined;
  const { since = room.database.now() } = list.refused ?? {};
  if (isWide) return { ...copy, since, matches: compared.after, tried: compared.tried };
  // Too few comments to judge this copy: if the one before it was refused, this one is too.
  return list.refused && { ...list.refused, ...copy };
}

/** An hour later, and a little more that differs from list to list: the first of several servers fetches for the others. */
export function nextCheck(checkedAt: number, listId: string): number {
  return checkedAt + checkEveryMs + (Number.parseInt(listId.slice(0, 4), 16) / 0x1_0000) * spreadMs;
}

/** What another subscription to the same address fetched within the last hour. */
export async function readElsewhere(
  { records, database }: ModerationRoom,
  { id, from }: Pick<RuleList, "from"> & Partial<Pick<RuleList, "id">>,
): Promise<ReadList | undefined> {
  if (!("url" in from)) return undefined;
  const since = database.now() - checkEveryMs;
  const fresh = (await records.lists.ofSource(from)).find(
    ({ list }) =>
      list.id !== id &&
      list.checkedAt > since &&
      list.failure === undefined &&
      list.refused === undefined &&
      list.endedAt === undefined,
  );
  if (fresh === undefined) return undefined;
  const content = await records.lists.content(fresh.guildId, fresh.list.id);
  const { version, counts, skipped, etag, lastModified, checkedAt } = fresh.list;
  return content && { content, version, counts, skipped, etag, lastModified, checkedAt };
}

/** `ids`: lists that the new one replaces. @throws InputError `list_refused` if the server's lists would have too many entries */
export async function requireRoom(
  { records }: Pick<ModerationRoom, "records">,
  guildId: string,
  { ids, read }: { readonly ids: readonly string[]; readonly read: ReadList },
): Promise<void> {
  const others = (await records.lists.all(guildId)).filter(({ id }) => !ids.includes(id));
  const total = [read, ...others].reduce((sum, { counts }) => sum + countEntries(counts), 0);
  if (total > maxEntries) throw refuseList("total", { most: maxEntries });
}

export function countEntries({ words, links, authors }: RuleList["counts"]): number {
  return words + links + authors;
}

/** Records that the host has nothing newer. Returns the time of the check. */
async function storeUnchanged(
  { database, records }: ModerationRoom,
  { guildId, listId }: ListRef,
): Promise<number> {
  const checkedAt = database.now();
  await records.lists.change(guildId, [listId], (stored) => {
    if (stored === undefined || stored.endedAt !== undefined) return stored;
    const { failure: _, ...rest } = stored;
    return { ...rest, checkedAt };
  });
  return checkedAt;
}

/** Changes the list, its content and the version in its rule together. Returns when the copy was fetched. */
export function storeCopy(
  { database, records }: Pick<ModerationRoom, "database" | "records">,
  { guildId, listId }: ListRef,
  { content, ...described }: ReadList,
): Promise<number> {
  return database.transaction(async () => {
    const now = database.now();
    const checkedAt = described.checkedAt ?? now;
    let isChanged = false;
    await records.lists.change(guildId, [listId], (stored) => {
      isChanged = false;
      if (stored === undefined || stored.endedAt !== undefined) return stored;
      const { failure: _, refused: __, ...rest } = stored;
      isChanged = described.version !== stored.version;
      return { ...rest, ...described, checkedAt, ...(isChanged && { changedAt: now }) };
    });
    if (!isChanged) return checkedAt;
    await records.lists.putContent(guildId, listId, content);
    await records.rules.changeStored(guildId, (book) => ({
      ...book,
      rules: book.rules.map((rule) =>
        rule.test.kind === "list" && rule.test.list === listId
          ? { ...rule, test: { ...rule.test, version: described.version } }
          : rule,
      ),
    }));
    return checkedAt;
  });
}

/** Keeps the copy in use and notifies people the first time. Returns when the refused copy was fetched. */
function refuseCopy(
  { database, records, notify }: ModerationRoom,
  { guildId, listId }: ListRef,
  { checkedAt = database.now(), ...refused }: RefusedCopy & Pick<ReadList, "checkedAt">,
): Promise<number> {
  return database.transaction(async () => {
    let isFirst = false;
    const list = await records.lists.change(guildId, [listId], (stored) => {
      isFirst = false;
      // Someone may have accepted it in the meantime.
      const isOver = stored?.endedAt !== undefined || stored?.version === refused.version;
      if (stored === undefined || isOver) return stored;
      isFirst = stored.refused === undefined;
      const { failure: _, ...rest } = stored;
      return { ...rest, refused, checkedAt };
    });
    if (list === undefined || !isFirst) return checkedAt;
    const { id, name } = list;
    const share = refused.matches / refused.tried;
    const facts = { guildId, list: { id, name }, why: "too_wide", share } as const;
    await notify({ name: "list-trouble", facts });
    return checkedAt;
  });
}

async function noteFailure(
  { database, records, notify, log }: ModerationRoom,
  { guildId, listId }: ListRef,
  { code, facts, message }: BotError,
): Promise<number> {
  const now = database.now();
  let isDue = false;
  log.info("a list could not be refreshed", { guildId, list: listId, code, message });
  const list = await records.lists.change(guildId, [listId], (stored) => {
    if (stored === undefined || stored.endedAt !== undefined) return stored;
    const since = stored.failure?.since ?? now;
    const wasTold = stored.failure?.isTold === true;
    isDue = !wasTold && now - since >= toldAfterMs;
    return { ...stored, failure: { code, facts, since, isTold: wasTold || isDue } };
  });
  if (list !== undefined && isDue) {
    const { id, name } = list;
    await notify({ name: "list-trouble", facts: { guildId, list: { id, name }, why: "failing" } });
  }
  const isLong = now - (list?.failure?.since ?? now) > dayMs;
  return now + (isLong ? failingWaitMs : checkEveryMs);
}

/** The other server no longer shares its rules: the subscription ends, as if it had been ended here. */
async function withdraw(
  room: ModerationRoom,
  { guildId, listId }: ListRef,
  { name }: RuleList,
): Promise<number | undefined> {
  const ended = await endList(room, { guildId, listId });
  const facts = { guildId, list: { id: listId, name }, why: "withdrawn" } as const;
  if (ended !== undefined) await room.notify({ name: "list-trouble", facts });
  return room.database.now();
}

/** Ends a subscription: its rule is gone at once, and a job takes back what it left. Returns the list, if it was there. */
export function endList(
  { database, jobs, records }: ModerationRoom,
  ref: ListRef,
): Promise<RuleList | undefined> {
  const { guildId, listId } = ref;
  return database.transaction(async () => {
    let ended: RuleList | undefined;
    await records.lists.change(guildId, [listId], (stored) => {
      const isOn = stored !== undefined && stored.endedAt === undefined && !stored.isDraft;
      ended = isOn ? { ...stored, endedAt: database.now() } : undefined;
      return ended ?? stored;
    });
    if (ended === undefined) return undefined;
    await records.rules.changeStored(guildId, (book) => ({
      ...book,
      rules: book.rules.filter(({ test }) => !(test.kind === "list" && test.list === listId)),
    }));
    await jobs.put(listJob(ref));
    return ended;
  });
}
