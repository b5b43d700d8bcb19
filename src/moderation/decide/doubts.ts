import { BotError, isGuildErased } from "../../errors.ts";
import type { QueueItem } from "../../store/index.ts";
import { refOf } from "../items.ts";
import type { ItemRef } from "../types.ts";
import { within } from "../within.ts";
import type { Waiting } from "./lines.ts";
import { lookUp, type Standing } from "./look-up.ts";
import { type Outcome, outcomeFound } from "./outcome.ts";
import type { DecideParts, LineAt } from "./parts.ts";
import { failed } from "./send.ts";
import { settle } from "./settle.ts";
import { callMs, idsOfCall } from "./times.ts";

/** A decision of which nobody knows whether it arrived, or of which that is known and not written yet. */
export interface Doubt {
  readonly ref: ItemRef;
  /** Not looked at before. */
  readonly at: number;
  /** How often that came to nothing. */
  readonly tries: number;
  /** Why it is not known; absent where a process ended in between. */
  readonly error?: BotError;
  /** What came of it, where only the store did not take it. */
  readonly settled?: { readonly item: QueueItem; readonly outcome: Outcome };
}

/** What a look makes of a doubt. `resend`: it did not arrive, and is still what somebody wants. */
export type Cleared =
  | { readonly state: "over" }
  | { readonly state: "again"; readonly doubt: Doubt }
  | { readonly state: "resend"; readonly waiting: Waiting };

/** How comments stand is told a little late (facts, section 7). */
export const firstLookMs = 1_500;
const againMs = 5_000;
const longestMs = 60_000;
/** Some three minutes; then people are told that it is not known. */
const maxTries = 6;

type Unread = readonly [Doubt, QueueItem];

/** Looks how they stand, in the same order. @throws ServiceError `store_unavailable`. */
export async function clear(
  parts: DecideParts,
  at: LineAt,
  doubts: readonly Doubt[],
  signal: AbortSignal,
): Promise<readonly Cleared[]> {
  const cleared = new Map<Doubt, Cleared>();
  const unread: Unread[] = [];
  for (const doubt of doubts) {
    if (doubt.settled !== undefined) {
      cleared.set(doubt, await settled(parts, at, doubt, doubt.settled));
      continue;
    }
    const item = await parts.items.read(at.guildId, doubt.ref);
    if (item?.status === "sending" && item.decision !== undefined) unread.push([doubt, item]);
  }
  for (let from = 0; from < unread.length; from += idsOfCall) {
    const some = unread.slice(from, from + idsOfCall);
    for (const [doubt, one] of await look(parts, at, some, signal)) cleared.set(doubt, one);
  }
  return doubts.map((doubt) => cleared.get(doubt) ?? { state: "over" });
}

async function look(
  parts: DecideParts,
  at: LineAt,
  unread: readonly Unread[],
  signal: AbortSignal,
): Promise<readonly (readonly [Doubt, Cleared])[]> {
  const ids = unread.map(([, { comment }]) => comment.id);
  let standing: Standing;
  try {
    standing = await within(parts.clock, { ms: callMs, signal }, async (both) =>
      lookUp(await parts.video(at.guildId, at.source), { ids, source: at.source }, both),
    );
  } catch (error) {
    // Who cut it off wants nothing more to be written.
    if (signal.aborted) return unread.map(([doubt]) => [doubt, { state: "again", doubt }]);
    const cause = error instanceof BotError ? error : failed(error);
    if (!(error instanceof BotError)) parts.log.error("decisions were not looked up", { error });
    return Promise.all(
      unread.map(async (one) => [one[0], await unseen(parts, at, one, cause)] as const),
    );
  }
  return Promise.all(
    unread.map(async (one) => [one[0], await seen(parts, at, one, standing)] as const),
  );
}

async function seen(
  parts: DecideParts,
  at: LineAt,
  [doubt, item]: Unread,
  standing: Standing,
): Promise<Cleared> {
  const { decision, comment } = item;
  if (decision === undefined) return { state: "over" };
  const { kind, dueAt } = decision;
  const outcome = outcomeFound(kind, comment, standing);
  if (outcome !== undefined) return settled(parts, at, doubt, { item, outcome });
  if (doubt.error !== undefined) {
    return settled(parts, at, doubt, { item, outcome: { state: "back", error: doubt.error } });
  }
  const ref = refOf(item);
  const stored = await parts.items.note(at.guildId, ref, (one) =>
    one.status === "sending" && one.decision?.at === decision.at
      ? { ...one, status: "pending" }
      : one,
  );
  if (stored?.status !== "pending") return { state: "over" };
  return { state: "resend", waiting: { ref, kind, dueAt } };
}

/** An approval can be repeated by whoever sees it fail; of a rejection nothing is said before it was looked up. */
async function unseen(
  parts: DecideParts,
  at: LineAt,
  [doubt, item]: Unread,
  cause: BotError,
): Promise<Cleared> {
  const kind = item.decision?.kind;
  const isRepeatable = kind === "approve" || kind === "hold";
  const isOver = doubt.tries + 1 >= maxTries || (isRepeatable && doubt.error !== undefined);
  if (!isOver) return { state: "again", doubt: later(parts, doubt) };
  const error = doubt.error ?? cause;
  return settled(parts, at, doubt, { item, outcome: { state: "back", error } });
}

async function settled(
  parts: DecideParts,
  at: LineAt,
  doubt: Doubt,
  known: NonNullable<Doubt["settled"]>,
): Promise<Cleared> {
  try {
    await settle(parts, at, known.item, known.outcome);
    return { state: "over" };
  } catch (error) {
    if (isGuildErased(error)) return { state: "over" };
    parts.log.warn("what came of a decision was not written", { ...at, error });
    return { state: "again", doubt: { ...later(parts, doubt), settled: known } };
  }
}

function later({ clock }: Pick<DecideParts, "clock">, doubt: Doubt): Doubt {
  const waitMs = Math.min(againMs * 2 ** doubt.tries, longestMs);
  return { ...doubt, at: clock.now() + waitMs, tries: doubt.tries + 1 };
}
