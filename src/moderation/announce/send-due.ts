import { AccessError } from "../../errors.ts";
import { type CommentCursor, type Digest, postedPlace, toItemRef } from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import { affectsAllMessages, type DeliveryResult, deliver, maxFailuresInARow } from "./deliver.ts";
import { type JudgeOptions, judgeAndGroup } from "./judge-and-group.ts";
import { type OutgoingCard, outgoingCommentCard, outgoingDigestCard } from "./outgoing-card.ts";
import type { RolePing } from "./role-ping.ts";

interface SendDueOptions extends JudgeOptions {
  readonly ping: RolePing;
  readonly endsAt: number;
  /** Called before each message, so that people who pressed a button do not wait for many new comments. */
  readonly between: () => Promise<void>;
}

/** `all`: all were sent; `more`: time ran out; `some`: single messages failed; `waits`: some may still arrive. */
export type SendDueResult = "all" | "more" | "some" | "waits";

/** At least the largest `digestFrom` that `/watch set` allows. */
const pageSize = 100;

/**
 * Judges new comments and posts due messages, the oldest first. A message that fails does not stop the others.
 * @throws what `ChannelMessages.post` throws, if it affects all messages; ServiceError `store_unavailable`; the signal's reason.
 */
export async function sendDue(
  room: ModerationRoom,
  options: SendDueOptions,
): Promise<SendDueResult> {
  const { guildId, watch, endsAt, signal } = options;
  const counts = { tried: 0, failed: 0, inARow: 0, waiting: 0 };
  let last: unknown;
  for await (const sendMessage of messagesDue(room, options)) {
    if (room.database.now() >= endsAt) return "more";
    // Another process may have ended or paused it since this run began.
    const current = await room.records.watches.read(guildId, watch.id);
    if (current === undefined || current.paused !== undefined) return "all";
    await options.between();
    signal.throwIfAborted();
    counts.tried += 1;
    try {
      if ((await sendMessage()) === "waits") counts.waiting += 1;
      counts.inARow = 0;
    } catch (error) {
      counts.failed += 1;
      counts.inARow += 1;
      if (counts.inARow >= maxFailuresInARow || affectsAllMessages(error)) throw error;
      room.log.error("a card was not sent", { guild: guildId, watch: watch.id, error });
      last = error;
    }
  }
  if (counts.failed > 0 && counts.failed === counts.tried) throw last;
  if (counts.failed > 0) return "some";
  return counts.waiting > 0 ? "waits" : "all";
}

/** Works page by page. Each page is judged and grouped into digests before its first message is sent. */
async function* messagesDue(
  room: ModerationRoom,
  options: SendDueOptions,
): AsyncGenerator<() => Promise<DeliveryResult>> {
  const { guildId, watch } = options;
  const { comments, digests } = room.records;
  const tried = new Set<string>();
  let after: CommentCursor | undefined;
  let isCrowd = false;
  do {
    const wanted = { watchId: watch.id, after, limit: pageSize };
    const page = await comments.readCardsDue(guildId, wanted);
    isCrowd = await judgeAndGroup(room, options, page, isCrowd);
    for (const digest of await digests.due(guildId, watch.id, pageSize)) {
      if (tried.has(digest.id)) continue;
      tried.add(digest.id);
      yield () => sendDigest(room, options, digest);
    }
    for (const { id } of page) yield () => sendCard(room, options, id);
    const last = page.length < pageSize ? undefined : page.at(-1);
    after = last && { publishedAt: last.comment.publishedAt, id: last.id };
  } while (after !== undefined);
}

async function sendDigest(
  room: ModerationRoom,
  options: SendDueOptions,
  digest: Digest,
): Promise<DeliveryResult> {
  const card = await outgoingDigestCard(room, options, digest);
  // A report of what rules did pings nobody.
  const sending = { card, isWanted: true, pings: digest.acts === undefined };
  try {
    return await send(room, options, sending);
  } catch (error) {
    const isPublic = error instanceof AccessError && error.code === "discord_channel_public";
    if (digest.channelId === undefined || !isPublic) throw error;
    const { guildId } = options;
    room.log.warn("everyone can read the rules' log channel; the report goes to the watch's", {
      guild: guildId,
      channel: digest.channelId,
      watch: digest.watchId,
    });
    const moved = await room.records.digests.change(
      guildId,
      digest,
      (stored) => stored && { ...stored, channelId: undefined },
    );
    return moved === undefined ? "dropped" : sendDigest(room, options, moved);
  }
}

async function sendCard(
  room: ModerationRoom,
  options: SendDueOptions,
  id: string,
): Promise<DeliveryResult> {
  const { guildId, watch } = options;
  const ref = toItemRef({ watchId: watch.id, id });
  const held = await room.records.comments.read(guildId, ref);
  if (held === undefined || held.digestId !== undefined) return "dropped";
  const isWanted = held.status === "open";
  if (held.card.state !== "sending" && (held.card.state !== "due" || !isWanted)) return "dropped";
  const card = await outgoingCommentCard(room, options, held);
  const delivered = await send(room, options, { card, isWanted, pings: isWanted });
  if (held.formerCard !== undefined) await removeFormerCard(room, options, id);
  return delivered;
}

interface Sending {
  readonly card: OutgoingCard;
  readonly isWanted: boolean;
  readonly pings: boolean;
}

async function send(
  room: ModerationRoom,
  { ping }: SendDueOptions,
  { card, isWanted, pings }: Sending,
): Promise<DeliveryResult> {
  const pingRoleId = pings ? await ping.roleId() : undefined;
  const delivered = await deliver(room, card, { isWanted, pingRoleId });
  if (delivered === "posted" && pingRoleId !== undefined) ping.markPinged();
  return delivered;
}

/**
 * Deletes the earlier card of a comment that came back, once the new one is there. If that fails it stays, and its buttons work
 * too.
 */
async function removeFormerCard(
  { channelMessages, log, records: { comments } }: ModerationRoom,
  { guildId, watch }: ServerWatch,
  itemId: string,
): Promise<void> {
  const ref = { watchId: watch.id, itemId };
  const held = await comments.read(guildId, ref);
  if (held?.card.state !== "posted") return;
  const { formerCard } = held;
  const place = formerCard && postedPlace(formerCard);
  try {
    if (place !== undefined) await channelMessages.remove(place);
  } catch (error) {
    log.warn("a former card was not removed", { guild: guildId, error });
  }
  await comments.changeSilently(guildId, ref, (stored) =>
    stored.formerCard?.handle === formerCard?.handle
      ? { ...stored, formerCard: undefined }
      : stored,
  );
}
