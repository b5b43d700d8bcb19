import type { DecisionDelay, ItemRef } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { toDecisionFailure } from "./delay.ts";
import { decisionCost, shortageError } from "./send-batch.ts";
import { type LinkedChannelRef, maxIdsPerCall } from "./send-queue.ts";

/** What keeps a channel's due decisions from being sent, as the earliest of them say. */
export async function readDelay(
  { database, records }: ModerationRoom,
  { guildId, source }: LinkedChannelRef,
): Promise<DecisionDelay | undefined> {
  const wanted = { source, status: "pending", limit: maxIdsPerCall } as const;
  const earliest = await records.comments.readDecided(guildId, wanted);
  const now = database.now();
  return earliest.find(({ decision }) => decision?.delay && decision.dueAt <= now)?.decision?.delay;
}

/**
 * By linked channel, what would keep a decision from being sent now, so that people read it when they decide. Asks neither
 * YouTube nor Google: it goes by what is stored. Never throws, because a decision is taken anyway.
 */
export async function foreseeDelays(
  room: ModerationRoom,
  guildId: string,
  items: readonly ItemRef[],
): Promise<ReadonlyMap<string, DecisionDelay>> {
  const delays = new Map<string, DecisionDelay>();
  try {
    const wanted = new Set(items.map(({ watchId }) => watchId));
    for (const { id, source } of await room.records.watches.readAllWithEnded(guildId)) {
      if (!wanted.has(id) || delays.has(source)) continue;
      const delay = await foreseeDelay(room, { guildId, source }, id);
      if (delay !== undefined) delays.set(source, delay);
    }
  } catch (error) {
    room.log.debug("it is not known whether decisions can be sent", { guild: guildId, error });
  }
  return delays;
}

/** A watch's failure that keeps decisions from being sent too, as the decision's own reason and code. */
const watchFailures = [
  ["link_missing", "link", "channel_missing"],
  ["link_broken", "link", "invalid_grant"],
  ["service_failing", "service", "service_unavailable"],
] as const;

async function foreseeDelay(
  room: ModerationRoom,
  at: LinkedChannelRef,
  watchId: string,
): Promise<DecisionDelay | undefined> {
  const { database, records, pace } = room;
  const untried = { since: database.now(), tries: 0 };
  const shortage = await pace.findShortage(at.guildId, at.source, decisionCost);
  if (shortage !== undefined) {
    return { why: "units", failure: toDecisionFailure(shortageError(shortage)), ...untried };
  }
  const known = await readDelay(room, at);
  // Quota may have been raised; what is kept for other servers is not known without asking for it.
  const isKnown = known?.why !== "units" || known.failure.code === "units_shared";
  if (known !== undefined && isKnown) return { ...known, ...untried };
  const { troubles = {} } = (await records.watches.progress(at.guildId, watchId)) ?? {};
  const found = watchFailures.find(([code]) => troubles[code] !== undefined);
  return found && { why: found[1], failure: { code: found[2] }, ...untried };
}
