import { setTimeout as wait } from "node:timers/promises";
import type { APIInteraction } from "discord.js";
import { LostError, withoutOwner } from "../../ownership.ts";
import type { OpenInteraction } from "../../store/index.ts";
import { deliverRecorded } from "./deliver.ts";
import { createInteraction, type InteractionArrival } from "./interaction.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { readRequest } from "./open-interactions.ts";

/** Handles one interaction; never throws. */
export type Dispatch = (interaction: APIInteraction, arrival: InteractionArrival) => Promise<void>;

/** Slow ones must not keep others waiting, and the process still answers its own people. */
const mostAtOnce = 100;
/** Rows that another statement has locked are skipped; that statement may be the last one of the dead process. */
const lookAgainMs = 200;
/** An interaction's token is good for 15 minutes; an answer takes a while. */
const tokenMs = 14.5 * 60_000;
/** How long after it was asked an interaction may still be run again more than once: it may be what ends the processes. */
const repeatMs = 30_000;

/**
 * Takes over the open interactions of a process that was taken for dead. What it had put on record as an answer is sent; of the
 * others, those that nobody can answer any more are left.
 */
export async function recoverInteractions(
  deps: InteractionDeps,
  from: string,
  { receive, signal }: { readonly receive: Dispatch; readonly signal: AbortSignal },
): Promise<void> {
  const { services } = deps;
  const { store, log, now } = services;
  const underWay = new Set<Promise<void>>();
  for (;;) {
    signal.throwIfAborted();
    const { processId } = services;
    const room = mostAtOnce - underWay.size;
    if (room === 0) {
      await Promise.race(underWay);
      continue;
    }
    const taken = await store.interactions.takeOver(from, processId, room);
    if (taken.length > 0) log.info("interactions are taken over", { from, count: taken.length });
    for (const one of taken) {
      // Each has an owner of its own; the job that finds them may end before they do.
      const work = withoutOwner(() => recover(one, processId))
        .catch((error: unknown) =>
          log.error("an interrupted interaction was lost", { interaction: one.id, error }),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }
    if (taken.length === room) continue;
    if (!(await store.interactions.hasOpen(from))) break;
    await wait(lookAgainMs, undefined, { signal });
  }
  await Promise.all(underWay);

  async function recover(open: OpenInteraction, processId: string): Promise<void> {
    const request = readRequest(open);
    const ageMs = request && now() - request.arrivedAt;
    if (request === undefined || ageMs === undefined || ageMs > tokenMs) {
      log.warn("an interrupted interaction can't be answered", { interaction: open.id });
      return store.interactions.close({ id: open.id, processId });
    }
    const { interaction: raw, arrivedAt, isCut, answer } = request;
    const isAgain = open.takeovers > 1 && ageMs > repeatMs;
    const interrupted = isCut === true ? "cut" : isAgain ? "again" : "once";
    const arrival = { arrivedAt, interrupted, processId } as const;
    if (answer === undefined) return receive(raw, arrival);
    const interaction = createInteraction(raw, arrival, services);
    try {
      await deliverRecorded(deps, interaction, answer);
    } catch (error) {
      if (error instanceof LostError) return;
      interaction.log().error("Discord took no answer", { error });
      // What was asked is missing by now, so its person can only be told.
      return receive(raw, { ...arrival, interrupted: "cut" });
    }
    await deps.open.close(interaction);
  }
}
