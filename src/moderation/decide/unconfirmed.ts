import { BotError } from "../../errors.ts";
import { refOf } from "../ids.ts";
import type { HeldComment } from "../records/index.ts";
import { within } from "../within.ts";
import { lookUp, type Standing } from "./look-up.ts";
import { failureOf, type Outcome, outcomeFound } from "./outcome.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";
import { failed } from "./send.ts";
import { isUnderWay, noteUnconfirmed, settle } from "./settle.ts";
import { callMs, idsOfCall } from "./times.ts";

const againMs = 5_000;
const longestMs = 60_000;
/** Some three minutes; then people are told that it is not known. */
const maxTries = 6;

/**
 * Looks how comments stand whose decisions may have arrived, before anything is repeated: those of a process that ended in
 * between, and those that the service gave no clear answer to. Answers when one has to be looked at again.
 * @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function confirmDecisions(
  deps: DecideDeps,
  at: LinkedChannelRef,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (;;) {
    const sending = await deps.records.comments.decided(at.guildId, {
      ...{ source: at.source, status: "sending", limit: idsOfCall },
    });
    const now = deps.database.now();
    const due = sending.filter(({ decision }) => (decision?.unconfirmed?.lookAt ?? 0) <= now);
    if (due.length === 0) return sending[0]?.decision?.unconfirmed?.lookAt;
    await look(deps, at, due, signal);
  }
}

async function look(
  deps: DecideDeps,
  at: LinkedChannelRef,
  due: readonly HeldComment[],
  signal: AbortSignal,
): Promise<void> {
  const ids = due.map(({ comment }) => comment.id);
  let standing: Standing;
  try {
    standing = await within(deps.clock, { ms: callMs, signal }, async (both) =>
      lookUp(await deps.video(at.guildId, at.source), { ids, source: at.source }, both),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BotError)) deps.log.error("decisions were not looked up", { error });
    const cause = error instanceof BotError ? error : failed(error);
    return unseen(deps, at.guildId, due, cause);
  }
  await seen(deps, at.guildId, due, standing);
}

async function seen(
  deps: DecideDeps,
  guildId: string,
  due: readonly HeldComment[],
  standing: Standing,
): Promise<void> {
  const known: [HeldComment, Outcome][] = [];
  for (const item of due) {
    const { decision, comment } = item;
    if (decision === undefined) continue;
    const { failure } = decision.unconfirmed ?? {};
    const outcome = outcomeFound(decision.kind, comment, standing);
    if (outcome !== undefined) known.push([item, outcome]);
    else if (failure !== undefined) known.push([item, { state: "back", failure }]);
    else await sendAgain(deps, guildId, item);
  }
  await settle(deps, guildId, known);
}

/** It did not arrive, and is still what somebody wants. */
async function sendAgain({ records }: DecideDeps, guildId: string, item: HeldComment) {
  await records.comments.note(guildId, refOf(item), (stored) => {
    if (stored.decision === undefined || !isUnderWay(stored, item.decision)) return stored;
    const { unconfirmed: _, ...decision } = stored.decision;
    return { ...stored, status: "pending", decision };
  });
}

/** An approval can be repeated by whoever sees it fail; of a rejection nothing is said before it was looked up. */
async function unseen(
  deps: DecideDeps,
  guildId: string,
  due: readonly HeldComment[],
  cause: BotError,
): Promise<void> {
  const over: [HeldComment, Outcome][] = [];
  for (const item of due) {
    const { kind, unconfirmed } = item.decision ?? {};
    const { tries = 0, failure } = unconfirmed ?? {};
    const isRepeatable = kind === "approve" || kind === "hold";
    if (tries + 1 >= maxTries || (isRepeatable && failure !== undefined)) {
      over.push([item, { state: "back", failure: failure ?? failureOf(cause) }]);
      continue;
    }
    const lookAt = deps.database.now() + Math.min(againMs * 2 ** tries, longestMs);
    await noteUnconfirmed(deps, guildId, item, {
      ...{ lookAt, tries: tries + 1, ...(failure && { failure }) },
    });
  }
  await settle(deps, guildId, over);
}
