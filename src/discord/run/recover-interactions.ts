import type { OpenInteraction } from "../../store/index.ts";
import type { Dispatch } from "./dispatch.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { requestIn } from "./open-interactions.ts";

interface RecoveryDeps {
  readonly deps: InteractionDeps;
  readonly receive: Dispatch;
  readonly signal: AbortSignal;
}

/** More than a process answers at once: nobody waits for somebody else's pictures. */
const atOnce = 200;
/** An interaction's token is good for 15 minutes; an answer takes a while. */
const tokenMs = 14.5 * 60_000;
/** How long after it was asked an interaction may still be run again more than once: it may be what ends the processes. */
const repeatMs = 30_000;

/** Takes over the open interactions of a process that ended, those that nobody can answer any more excepted. */
export async function recoverInteractions(
  { deps, receive, signal }: RecoveryDeps,
  processId: string,
): Promise<void> {
  const { store, processId: me, log, now } = deps.services;
  for (;;) {
    signal.throwIfAborted();
    const open = await store.interactions.takeOver(processId, me, atOnce);
    if (open.length === 0) return;
    log.info("interactions of a process that ended are taken over", { count: open.length });
    await Promise.all(open.map((one) => recover(one)));
  }

  async function recover(open: OpenInteraction): Promise<void> {
    const request = requestIn(open);
    const ageMs = request && now() - request.arrivedAt;
    if (request === undefined || ageMs === undefined || ageMs > tokenMs) {
      log.warn("an interrupted interaction can't be answered", { interaction: open.id });
      return store.interactions.close(open.id);
    }
    const { interaction, arrivedAt, isCut } = request;
    const isAgain = open.takeovers > 1 && ageMs > repeatMs;
    const interrupted = isCut === true ? "cut" : isAgain ? "again" : "once";
    await receive(interaction, { arrivedAt, interrupted });
  }
}
