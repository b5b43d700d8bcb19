import type { PostedMessage } from "../../channel-messages.ts";
import { AccessError, BotError } from "../../errors.ts";
import type { CardMessage } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { CardChange, OutgoingCard } from "./outgoing-card.ts";

interface DeliverOptions {
  /** If false, it is not sent any more. If it may have been sent before, it is still looked for. */
  readonly isWanted: boolean;
  readonly pingRoleId?: string | undefined;
}

/** The result of posting one message. `waits`: it may still arrive. */
export type DeliveryResult = "posted" | "found" | "waits" | "dropped";

/** How long a message of a dead process may take to arrive. A forum would show a second one, so it waits for this long. */
export const arrivalMs = 15_000;
const clockSkewMs = 60_000;
/** So many failures in a row are not the fault of a single message. */
export const maxFailuresInARow = 3;

/**
 * Posts a message exactly once. First it stores that the message is being sent; a message that a dead process left in that
 * state is looked for before it is sent again.
 * @throws what `ChannelMessages.post` and `ChannelMessages.find` throw; ServiceError `store_unavailable`.
 */
export async function deliver(
  room: ModerationRoom,
  card: OutgoingCard,
  options: DeliverOptions,
): Promise<DeliveryResult> {
  let before: CardMessage | undefined;
  const marked = await card.mark((stored) => {
    before = stored;
    if (stored.state !== "due" || !options.isWanted) return stored;
    return { ...stored, state: "sending", since: room.database.now() };
  });
  if (marked?.state !== "sending" || marked.handle !== card.message.handle) return "dropped";
  if (before?.state === "sending") {
    const found = await lookFor(room, card, { ...options, since: before.since });
    if (found !== undefined) return found;
  }
  return post(room, card, options);
}

/** Looks for a message that may have been sent. Undefined if it has to be sent now. */
async function lookFor(
  { channelMessages, database: { now } }: ModerationRoom,
  { message, mark, markStale }: OutgoingCard,
  { isWanted, since }: DeliverOptions & { readonly since: number },
): Promise<DeliveryResult | undefined> {
  const place = await channelMessages.find(message, since - clockSkewMs);
  if (place !== undefined) {
    // It is unknown what the message shows, so it must be redrawn. This is written first, in case the process dies in between.
    await markStale();
    await mark(asPosted(place, { since: now(), drawn: 0 }));
    return "found";
  }
  if (message.isForum && now() - since < arrivalMs) return "waits";
  if (isWanted) return undefined;
  await mark(asDueAgain(now()));
  return "dropped";
}

async function post(
  { channelMessages, database: { now } }: ModerationRoom,
  { message, shown: drawn, mark }: OutgoingCard,
  { pingRoleId }: DeliverOptions,
): Promise<DeliveryResult> {
  try {
    const place = await channelMessages.post({ ...message, pingRoleId });
    await mark(asPosted(place, { since: now(), drawn }));
    return "posted";
  } catch (error) {
    if (isGone(error)) {
      // It had arrived, and somebody deleted it.
      await mark(asLost(now()));
      return "dropped";
    }
    if (error instanceof BotError && error.outcome === "nothing") await mark(asDueAgain(now()));
    throw error;
  }
}

/**
 * Edits a message so that it shows the present state.
 * @throws what `ChannelMessages.edit` throws; ServiceError `store_unavailable`.
 */
export async function redraw(
  { channelMessages, database: { now } }: ModerationRoom,
  { message, shown: drawn, mark }: OutgoingCard,
  place: PostedMessage,
): Promise<void> {
  try {
    await channelMessages.edit(place, message);
  } catch (error) {
    if (!isGone(error)) throw error;
    await mark(asLost(now()));
    return;
  }
  await mark((card) => (card.state === "posted" ? { ...card, drawn } : card));
}

function asPosted(
  { channelId, messageId }: PostedMessage,
  at: { readonly since: number; readonly drawn: number },
): CardChange {
  return ({ handle }) => ({ state: "posted", handle, channelId, messageId, ...at });
}

function asDueAgain(since: number): CardChange {
  return (card) => (card.state === "sending" ? { state: "due", handle: card.handle, since } : card);
}

function asLost(since: number): CardChange {
  return ({ handle }) => ({ state: "lost", handle, since });
}

function isGone(error: unknown): boolean {
  return error instanceof AccessError && error.code === "discord_message_gone";
}

/** Whether any other message would fail too. */
export function affectsAllMessages(error: unknown): boolean {
  if (isDatabaseFailure(error)) return true;
  return error instanceof BotError && (error.kind === "access" || error.kind === "limit");
}

/** The database is down, or the server was erased. */
export function isDatabaseFailure(error: unknown): boolean {
  const code = error instanceof BotError ? error.code : undefined;
  return code === "store_unavailable" || code === "guild_erased";
}
