import type { DeskPlace } from "../../desk.ts";
import { AccessError, BotError } from "../../errors.ts";
import type { PartOptions } from "../parts.ts";
import type { CardAt } from "../records/index.ts";
import type { ChangeCard, OutgoingCard } from "./outgoing-card.ts";

type DeliverDeps = Pick<PartOptions, "desk" | "database">;

interface DeliverOptions {
  /** Nobody waits for it any more when it is not; one that was on its way is looked for all the same. */
  readonly isWanted: boolean;
  readonly pingRoleId?: string | undefined;
}

/** What came of it. `waits`: it may just be on its way. */
export type Delivered = "posted" | "found" | "waits" | "dropped";

/** A message that was on its way when a process ended may still arrive; a forum takes it a second time. */
export const arrivalMs = 15_000;
const clockSkewMs = 60_000;
/** So many failures in a row have another cause than a single message. */
export const mostFaults = 3;

/**
 * Leaves a message once. That it is being sent is written first; one that a process left in that state is looked for
 * before it is sent again. @throws what `Desk.post` and `Desk.find` throw; ServiceError `store_unavailable`.
 */
export async function deliver(
  deps: DeliverDeps,
  card: OutgoingCard,
  options: DeliverOptions,
): Promise<Delivered> {
  let before: CardAt | undefined;
  const marked = await card.mark((stored) => {
    before = stored;
    if (stored.state !== "due" || !options.isWanted) return stored;
    return { ...stored, state: "sending", since: deps.database.now() };
  });
  if (marked?.state !== "sending" || marked.handle !== card.message.handle) return "dropped";
  if (before?.state === "sending") {
    const found = await lookFor(deps, card, { ...options, since: before.since });
    if (found !== undefined) return found;
  }
  return post(deps, card, options);
}

/** Undefined where it is to be sent. */
async function lookFor(
  { desk, database: { now } }: DeliverDeps,
  { message, mark, markStale }: OutgoingCard,
  { isWanted, since }: DeliverOptions & { readonly since: number },
): Promise<Delivered | undefined> {
  const place = await desk.find(message, since - clockSkewMs);
  if (place !== undefined) {
    // What it shows is not known. First, so that no process ends between the two.
    await markStale();
    await mark(postedAt(place, { since: now(), drawn: 0 }));
    return "found";
  }
  if (message.isForum && now() - since < arrivalMs) return "waits";
  if (isWanted) return undefined;
  await mark(dueAgain(now()));
  return "dropped";
}

async function post(
  { desk, database: { now } }: DeliverDeps,
  { message, shown: drawn, mark }: OutgoingCard,
  { pingRoleId }: DeliverOptions,
): Promise<Delivered> {
  try {
    const place = await desk.post({ ...message, ...(pingRoleId !== undefined && { pingRoleId }) });
    await mark(postedAt(place, { since: now(), drawn }));
    return "posted";
  } catch (error) {
    if (isGone(error)) {
      // It had arrived, and somebody did not want it there.
      await mark(lost(now()));
      return "dropped";
    }
    if (error instanceof BotError && error.outcome === "nothing") await mark(dueAgain(now()));
    throw error;
  }
}

/** Draws a message anew as it is to be now. @throws what `Desk.edit` throws; ServiceError `store_unavailable`. */
export async function redraw(
  { desk, database: { now } }: DeliverDeps,
  { message, shown: drawn, mark }: OutgoingCard,
  place: DeskPlace,
): Promise<void> {
  try {
    await desk.edit(place, message);
  } catch (error) {
    if (!isGone(error)) throw error;
    await mark(lost(now()));
    return;
  }
  await mark((card) => (card.state === "posted" ? { ...card, drawn } : card));
}

/** Where it is, when it is somewhere. */
export function placeOf({ state, channelId, messageId }: CardAt): DeskPlace | undefined {
  const isThere = state === "posted" && channelId !== undefined && messageId !== undefined;
  return isThere ? { channelId, messageId } : undefined;
}

function postedAt(
  { channelId, messageId }: DeskPlace,
  at: { readonly since: number; readonly drawn: number },
): ChangeCard {
  return ({ handle }) => ({ state: "posted", handle, channelId, messageId, ...at });
}

function dueAgain(since: number): ChangeCard {
  return (card) => (card.state === "sending" ? { state: "due", handle: card.handle, since } : card);
}

function lost(since: number): ChangeCard {
  return ({ handle }) => ({ state: "lost", handle, since });
}

function isGone(error: unknown): boolean {
  return error instanceof AccessError && error.code === "discord_message_gone";
}

/** Whether no other message would be taken either. */
export function concernsAll(error: unknown): boolean {
  if (isOfDatabase(error)) return true;
  return error instanceof BotError && (error.kind === "access" || error.kind === "limit");
}

/** It can't be reached, or what was to be written belongs to nobody any more. */
export function isOfDatabase(error: unknown): boolean {
  const code = error instanceof BotError ? error.code : undefined;
  return code === "store_unavailable" || code === "guild_erased";
}
