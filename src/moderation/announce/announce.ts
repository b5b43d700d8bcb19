import { BotError } from "../../errors.ts";
import type { Digest, QueueItem, Watch } from "../../store/index.ts";
import type { PartOptions } from "../parts.ts";
import { blankProgress } from "../progress.ts";
import { type DeliverParts, deliver, letterOfDigest, letterOfItem, placeOf } from "./deliver.ts";
import { putTogether } from "./digests.ts";
import { type JudgingParts, judgeNew } from "./judging.ts";
import { mayPing } from "./pings.ts";
import type { View } from "./view.ts";

export interface AnnounceParts
  extends DeliverParts,
    JudgingParts,
    Pick<PartOptions, "store" | "desk" | "items" | "clock" | "settings" | "announcer" | "log"> {}

export interface AnnounceOptions {
  readonly guildId: string;
  readonly watch: Watch;
  readonly view: View;
  /** Handles of cards that rules have been asked about. */
  readonly judged: Set<string>;
  /** Whether somebody else may send by now, or nothing more is to be begun. */
  readonly isOver: () => boolean;
}

/** What came of a round: all went out, there was no time for all, or single ones were not taken. */
export type Announced = "all" | "more" | "some";

/** Sends what is due. @throws what `Desk.post` throws, where it concerns all; ServiceError `store_unavailable`. */
export type Announce = (options: AnnounceOptions) => Promise<Announced>;

const mostJudged = 5_000;

export function createAnnounce(parts: AnnounceParts): Announce {
  const { store, items, clock, settings, desk, announcer, log } = parts;
  const rows = store.moderation;

  /** A call that a failed message took with it goes with the next one. */
  const owed = new Set<string>();

  /** The role to call, where it may be called now: written down first, so that nobody is called twice. */
  async function ping({ guildId, watch }: AnnounceOptions): Promise<string | undefined> {
    const { ping: wanted, id } = watch;
    if (wanted === undefined) return undefined;
    if (owed.delete(id)) return wanted.roleId;
    const { timeZone } = await settings(guildId);
    const now = clock.now();
    let may = false;
    await rows.progress.update(guildId, id, (stored) => {
      may = mayPing(wanted, { now, pingedAt: stored?.pingedAt, timeZone });
      return may ? { ...(stored ?? blankProgress), pingedAt: now } : stored;
    });
    return may ? wanted.roleId : undefined;
  }

  /** Deals with what rules do, and puts together what came at once. */
  async function prepare(options: AnnounceOptions): Promise<void> {
    const { guildId, watch, view, judged, isOver } = options;
    const due = await readItems(options, view.dueItems());
    const fresh = due.filter(({ card }) => card.state === "due");
    const unjudged = fresh.filter((item) => isUnjudged(item, judged));
    const of = await judgeNew(parts, guildId, { watch, items: unjudged, isOver });
    if (isOver()) return;
    if (judged.size > mostJudged) judged.clear();
    for (const { card } of unjudged) judged.add(card.handle);
    for (const digest of of.digests) view.putDigest(digest);
    const acted = new Set(of.digests.flatMap(({ itemIds }) => itemIds));
    await reread(options, [...acted]);
    const cards = fresh.filter((item) => !acted.has(item.id) && item.formerCard === undefined);
    if (watch.isForum || watch.digestFrom < 1 || cards.length < watch.digestFrom) return;
    const digests = await putTogether({ rows, items, clock }, guildId, cards);
    for (const digest of digests) view.putDigest(digest);
    await reread(
      options,
      cards.map(({ id }) => id),
    );
  }

  async function readItems({ guildId, watch }: AnnounceOptions, ids: readonly string[]) {
    const read = await Promise.all(
      ids.map((itemId) => items.read(guildId, { watchId: watch.id, itemId })),
    );
    return read.filter((item) => item !== undefined);
  }

  async function reread(options: AnnounceOptions, ids: readonly string[]): Promise<void> {
    for (const item of await readItems(options, ids)) options.view.put(item);
  }

  async function sendDigest(options: AnnounceOptions, digest: Digest, call: Call): Promise<void> {
    const { guildId, watch, view } = options;
    const stands = await actedOn(options, digest);
    if (stands === undefined) return view.dropDigest(digest.id);
    const letter = await letterOfDigest(parts, { guildId, watch }, stands);
    // What rules did waits for nobody.
    const pingRoleId = digest.acts === undefined ? await call.role() : undefined;
    const delivered = await deliver(parts, letter, { isWanted: true, pingRoleId });
    if (delivered === "waits") return;
    call.isMade ||= delivered === "posted" && pingRoleId !== undefined;
    view.dropDigest(digest.id);
    // What changed on the way is drawn by whoever draws the first of its items.
    const [itemId] = stands.itemIds;
    if (itemId !== undefined) announcer.changed(guildId, { watchId: watch.id, itemId });
  }

  /** Without what nobody acted on after all; undefined when nothing is left. */
  async function actedOn(options: AnnounceOptions, digest: Digest): Promise<Digest | undefined> {
    const { guildId, watch } = options;
    if (digest.acts === undefined || digest.card.state === "sending") return digest;
    const byId = new Map((await readItems(options, digest.itemIds)).map((item) => [item.id, item]));
    const acts = digest.acts.filter(({ itemId, ruleId }) => {
      const item = byId.get(itemId);
      // A process may have ended before it acted, and another one judged it anew.
      if (item?.actsId !== digest.id) return false;
      const by = item.decision?.by ?? item.undone?.by;
      return by !== undefined && (!("ruleId" in by) || by.ruleId === ruleId);
    });
    if (acts.length === digest.acts.length) return digest;
    return rows.digests.update(guildId, `${watch.id}:${digest.id}`, (stored) => {
      if (stored === undefined || acts.length === 0) return undefined;
      return { ...stored, acts, itemIds: acts.map(({ itemId }) => itemId) };
    });
  }

  async function sendCard(options: AnnounceOptions, id: string, call: Call): Promise<void> {
    const { guildId, watch, view } = options;
    const ref = { watchId: watch.id, itemId: id };
    const item = await items.read(guildId, ref);
    if (item === undefined) return;
    view.put(item);
    if (item.digestId !== undefined) return;
    const isWanted = item.status === "open";
    if (item.card.state !== "sending" && (item.card.state !== "due" || !isWanted)) return;
    const letter = await letterOfItem(parts, { guildId, watch }, item);
    const pingRoleId = isWanted ? await call.role() : undefined;
    const delivered = await deliver(parts, letter, { isWanted, pingRoleId });
    call.isMade ||= delivered === "posted" && pingRoleId !== undefined;
    const after = await items.read(guildId, ref);
    if (after === undefined) return;
    view.put(after);
    if (after.card.state === "posted" && after.formerCard !== undefined) {
      await takeAway(guildId, after);
    }
    if (after.card.drawn !== after.revision) announcer.changed(guildId, ref);
  }

  /** The card before this one; one that can't be taken away stays, and its buttons lead here too. */
  async function takeAway(guildId: string, item: QueueItem): Promise<void> {
    const place = item.formerCard && placeOf(item.formerCard);
    try {
      if (place !== undefined) await desk.remove(place);
    } catch (error) {
      log.warn("a former card was not removed", { guild: guildId, error });
    }
    await items.note(guildId, { watchId: item.watchId, itemId: item.id }, (stored) => {
      if (stored.formerCard?.handle !== item.formerCard?.handle) return stored;
      const { formerCard: _, ...rest } = stored;
      return rest;
    });
  }

  return async (options) => {
    const { guildId, view, watch, isOver } = options;
    await prepare(options);
    let role: Promise<string | undefined> | undefined;
    const call: Call = {
      isMade: false,
      role: async () => {
        role ??= ping(options);
        return call.isMade ? undefined : role;
      },
    };
    const works = [
      ...view.dueDigests().map((digest) => () => sendDigest(options, digest, call)),
      ...view.dueItems().map((id) => () => sendCard(options, id, call)),
    ];
    try {
      const onFault = (error: unknown) =>
        log.error("a card was not sent", { guild: guildId, watch: watch.id, error });
      return await allOf(works, { isOver, onFault });
    } finally {
      if (!call.isMade && (await role?.catch(() => undefined)) !== undefined) owed.add(watch.id);
    }
  };
}

/** So many in a row that fail are not a matter of one message. */
const mostFaults = 3;

/** Sends one after the other; one that can't be drawn or is not taken holds up no others. */
async function allOf(
  works: readonly (() => Promise<void>)[],
  {
    isOver,
    onFault,
  }: { readonly isOver: () => boolean; readonly onFault: (error: unknown) => void },
): Promise<Announced> {
  let faults = 0;
  let inARow = 0;
  for (const [index, work] of works.entries()) {
    if (isOver()) return "more";
    try {
      await work();
      inARow = 0;
    } catch (error) {
      faults += 1;
      inARow += 1;
      const isEvery = index === works.length - 1 && faults === works.length;
      if (isEvery || inARow >= mostFaults || concernsAll(error)) throw error;
      onFault(error);
    }
  }
  return faults > 0 ? "some" : "all";
}

function concernsAll(error: unknown): boolean {
  return (
    error instanceof BotError &&
    (error.kind === "access" || error.kind === "limit" || error.code === "store_unavailable")
  );
}

/** The role is called once a round, with the first message. */
interface Call {
  isMade: boolean;
  role(): Promise<string | undefined>;
}

/** What people have had in their hands is theirs: whatever changes it counts. */
function isUnjudged({ card, revision }: QueueItem, judged: ReadonlySet<string>): boolean {
  return revision === 1 && !judged.has(card.handle);
}
