import type { Desk, DeskPlace } from "../../desk.ts";
import { AccessError, BotError } from "../../errors.ts";
import type { CardAt } from "../records/index.ts";
import type { OutgoingCard } from "./outgoing-card.ts";

export interface DeliverDeps {
  readonly desk: Desk;
  /** By the database's clock. */
  readonly now: () => number;
}

export interface DeliverOptions {
  /** Nobody waits for it any more when it is not; one that was on its way is looked for all the same. */
  readonly isWanted: boolean;
  readonly pingRoleId?: string | undefined;
}

/** What came of it. `waits`: it may just be on its way. */
export type Delivered = "posted" | "found" | "waits" | "dropped";

/** A message that was on its way when a process ended may still arrive; a forum takes it a second time. */
export const arrivalMs = 15_000;
const clockSkewMs = 60_000;

/**
 * Leaves a message once. That it is being sent is written first; one that a process left in that state is looked for
 * before it is sent again. @throws what `Desk.post` and `Desk.find` throw; ServiceError `store_unavailable`.
 */
export async function deliver(
  deps: DeliverDeps,
  card: OutgoingCard,
  options: DeliverOptions,
): Promise<Delivered> {
  const { message } = card;
  let before: CardAt | undefined;
  const marked = await card.mark((stored) => {
    before = stored;
    const isOurs = stored.handle === message.handle && ["due", "sending"].includes(stored.state);
    if (!isOurs || (stored.state === "due" && !options.isWanted)) return stored;
    return stored.state === "due" ? { ...stored, state: "sending", since: deps.now() } : stored;
  });
  if (marked?.state !== "sending" || marked.handle !== message.handle) return "dropped";
  if (before?.state === "sending") {
    const found = await lookFor(deps, card, { ...options, since: before.since });
    if (found !== undefined) return found;
  }
  return post(deps, card, options);
}

/** Undefined where it is to be sent. */
async function lookFor(
  { desk, now }: DeliverDeps,
  card: OutgoingCard,
  { isWanted, since }: DeliverOptions & { readonly since: number },
): Promise<Delivered | undefined> {
  const { message } = card;
  const place = await desk.find(message, since - clockSkewMs);
  if (place !== undefined) {
    // What it shows is not known. First, so that no process ends between the two.
    await card.markStale();
    await card.mark(postedAt(message.handle, place, { now: now(), drawn: 0 }));
    return "found";
  }
  if (message.isForum && now() - since < arrivalMs) return "waits";
  if (isWanted) return undefined;
  await card.mark(dueAgain(message.handle, now()));
  return "dropped";
}

async function post(
  { desk, now }: DeliverDeps,
  card: OutgoingCard,
  { pingRoleId }: DeliverOptions,
): Promise<Delivered> {
  const { message, shown: drawn } = card;
  const { handle } = message;
  try {
    const place = await desk.post({ ...message, ...(pingRoleId !== undefined && { pingRoleId }) });
    await card.mark(postedAt(handle, place, { now: now(), drawn }));
    return "posted";
  } catch (error) {
    if (isGone(error)) {
      // It had arrived, and somebody did not want it there.
      await card.mark(lostAt(handle, now()));
      return "dropped";
    }
    if (isUnsent(error)) await card.mark(dueAgain(handle, now()));
    throw error;
  }
}

/** Draws a message anew as it is to be now. @throws what `Desk.edit` throws; ServiceError `store_unavailable`. */
export async function redraw(
  { desk, now }: DeliverDeps,
  { message, shown, mark }: OutgoingCard,
  place: DeskPlace,
): Promise<void> {
  const { handle } = message;
  try {
    await desk.edit(place, message);
  } catch (error) {
    if (!isGone(error)) throw error;
    await mark(lostAt(handle, now()));
    return;
  }
  await mark((card) =>
    card.handle === handle && card.state === "posted" ? { ...card, drawn: shown } : card,
  );
}

/** Where it is, when it is somewhere. */
export function placeOf({ state, channelId, messageId }: CardAt): DeskPlace | undefined {
  const isThere = state === "posted" && channelId !== undefined && messageId !== undefined;
  return isThere ? { channelId, messageId } : undefined;
}

type Make = (card: CardAt) => CardAt;

function postedAt(
  handle: string,
  { channelId, messageId }: DeskPlace,
  { now, drawn }: { readonly now: number; readonly drawn: number },
): Make {
  return (card) =>
    card.handle === handle
      ? { state: "posted", handle, since: now, channelId, messageId, drawn }
      : card;
}

function dueAgain(handle: string, now: number): Make {
  return (card) =>
    card.handle === handle && card.state === "sending"
      ? { state: "due", handle, since: now }
      : card;
}

function lostAt(handle: string, now: number): Make {
  return (card) => (card.handle === handle ? { state: "lost", handle, since: now } : card);
}

function isGone(error: unknown): boolean {
  return error instanceof AccessError && error.code === "discord_message_gone";
}

function isUnsent(error: unknown): boolean {
  return error instanceof BotError && error.outcome === "nothing";
}
