import type { DecisionDelay, ItemRef } from "../records/index.ts";
import { decisionFailureOf } from "./delay.ts";
import type { DecideDeps, LinkedChannelRef } from "./deps.ts";
import { decisionCost, shortageError } from "./send-batch.ts";
import { maxIdsPerCall } from "./send-queue.ts";

/** What keeps a channel's due decisions from being sent, as the earliest of them say. */
export async function readDelay(
  { database, records }: Pick<DecideDeps, "database" | "records">,
  { guildId, source }: LinkedChannelRef,
): Promise<DecisionDelay | undefined> {
  const earliest = await records.comments.readDecided(guildId, {
    source,
    status: "pending",
    limit: maxIdsPerCall,
  });
  const now = database.now();
  return earliest.find(({ decision }) => decision?.delay && decision.dueAt <= now)?.decision?.delay;
}

/**
 * By linked channel, what would keep a decision from being sent now, so that people read it when they decide. Asks neither
 * YouTube nor Google: it goes by what is stored. Never throws, because a decision is taken anyway.
 */
export async function foreseeDelays(
  deps: DecideDeps,
  guildId: string,
  items: readonly ItemRef[],
): Promise<ReadonlyMap<string, DecisionDelay>> {
  const delays = new Map<string, DecisionDelay>();
  try {
    const wanted = new Set(items.map(({ watchId }) => watchId));
    for (const { id, source } of await deps.records.watches.readAllWithEnded(guildId)) {
      if (!wanted.has(id) || delays.has(source)) continue;
      const delay = await foreseeDelay(deps, { guildId, source }, id);
      if (delay !== undefined) delays.set(source, delay);
    }
  } catch (error) {
    deps.log.debug("it is not known whether decisions can be sent", { guild: guildId, error });
  }
  return delays;
}

async function foreseeDelay(
  deps: DecideDeps,
  at: LinkedChannelRef,
  watchId: string,
): Promise<DecisionDelay | undefined> {
  const { database, records, pace } = deps;
  const untried = { since: database.now(), tries: 0 };
  const shortage = await pace.findShortage(at.guildId, at.source, decisionCost);
  if (shortage !== undefined) {
    return { why: "units", failure: decisionFailureOf(shortageError(shortage)), ...untried };
  }
  const known = await readDelay(deps, at);
  // Quota may have been raised; what is kept for other servers is not known without asking for it.
  const isKnown = known?.why !== "units" || known.failure.code === "units_shared";
  if (known !== undefined && isKnown) return { ...known, ...untried };
  const { troubles = {} } = (await records.watches.progress(at.guildId, watchId)) ?? {};
  if (troubles.link_missing !== undefined) {
    return { why: "link", failure: { code: "channel_missing" }, ...untried };
  }
  if (troubles.link_broken !== undefined) {
    return { why: "link", failure: { code: "invalid_grant" }, ...untried };
  }
  if (troubles.service_failing === undefined) return undefined;
  return { why: "service", failure: { code: "service_unavailable" }, ...untried };
}
