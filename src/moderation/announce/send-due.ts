import { AccessError } from "../../errors.ts";
import type { GuildWatch } from "../deps.ts";
import { type CommentCursor, type Digest, type HeldComment, itemRefOf } from "../records/index.ts";
import {
  affectsAllMessages,
  type DeliveryResult,
  deliver,
  maxFailuresInARow,
  postedPlaceOf,
} from "./deliver.ts";
import type { AnnounceDeps } from "./deps.ts";
import { judgeAndGroup } from "./judge-and-group.ts";
import { cardOfComment, cardOfDigest, type OutgoingCard } from "./outgoing-card.ts";
import type { RolePing } from "./role-ping.ts";

interface SendDueOptions extends GuildWatch {
  readonly call: RolePing;
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
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
export async function sendDue(deps: AnnounceDeps, options: SendDueOptions): Promise<SendDueResult> {
  const { guildId, watch, isOver, signal } = options;
  const counts = { tried: 0, failed: 0, inARow: 0, waiting: 0 };
  let last: unknown;
  for await (const sendMessage of messagesDue(deps, options)) {
    if (isOver()) return "more";
    // Another process may have ended or paused it since this run began.
    const current = await deps.records.watches.read(guildId, watch.id);
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
      deps.log.error("a card was not sent", { guild: guildId, watch: watch.id, error });
      last = error;
    }
  }
  if (counts.failed > 0 && counts.failed === counts.tried) throw last;
  if (counts.failed > 0) return "some";
  return counts.waiting > 0 ? "waits" : "all";
}

/** Works page by page. Each page is judged and grouped into digests before its first message is sent. */
async function* messagesDue(
  deps: AnnounceDeps,
  options: SendDueOptions,
): AsyncGenerator<() => Promise<DeliveryResult>> {
  const { guildId, watch } = options;
  const { comments, digests } = deps.records;
  const tried = new Set<string>();
  let after: CommentCursor | undefined;
  let isCrowd = false;
  do {
    const page = await comments.readCardsDue(guildId, {
      watchId: watch.id,
      after,
      limit: pageSize,
    });
    isCrowd = await judgeAndGroup(deps, options, page, isCrowd);
    for (const digest of await digests.due(guildId, watch.id, pageSize)) {
      if (tried.has(digest.id)) continue;
      tried.add(digest.id);
      yield () => sendDigest(deps, options, digest);
    }
    for (const { id } of page) yield () => sendCard(deps, options, id);
    after = nextAfter(page);
  } while (after !== undefined);
}

function nextAfter(page: readonly HeldComment[]): CommentCursor | undefined {
  const last = page.length < pageSize ? undefined : page.at(-1);
  return last && { publishedAt: last.comment.publishedAt, id: last.id };
}

async function sendDigest(
  deps: AnnounceDeps,
  options: SendDueOptions,
  digest: Digest,
): Promise<DeliveryResult> {
  const card = await cardOfDigest(deps, options, digest);
  // A report of what rules did pings nobody.
  const sending = { card, isWanted: true, isCalling: digest.acts === undefined };
  if (digest.channelId === undefined) return send(deps, options, sending);
  try {
    return await send(deps, options, sending);
  } catch (error) {
    if (!(error instanceof AccessError) || error.code !== "discord_channel_public") throw error;
    const here = await sendWithWatch(deps, options, digest);
    return here === undefined ? "dropped" : sendDigest(deps, options, here);
  }
}

/** Everyone can read the log's channel by now, so the report goes where the watch's cards are. */
async function sendWithWatch(
  { records, log }: AnnounceDeps,
  { guildId }: GuildWatch,
  { channelId, ...ref }: Digest,
): Promise<Digest | undefined> {
  log.warn("everyone can read the rules' log channel; the report goes to the watch's", {
    guild: guildId,
    channel: channelId,
    watch: ref.watchId,
  });
  return records.digests.change(guildId, ref, (stored) => {
    if (stored === undefined) return stored;
    const { channelId: _, ...rest } = stored;
    return rest;
  });
}

async function sendCard(
  deps: AnnounceDeps,
  options: SendDueOptions,
  id: string,
): Promise<DeliveryResult> {
  const { guildId, watch } = options;
  const ref = itemRefOf({ watchId: watch.id, id });
  const held = await deps.records.comments.read(guildId, ref);
  if (held === undefined || held.digestId !== undefined) return "dropped";
  const isWanted = held.status === "open";
  if (held.card.state !== "sending" && (held.card.state !== "due" || !isWanted)) return "dropped";
  const card = await cardOfComment(deps, options, held);
  const delivered = await send(deps, options, { card, isWanted, isCalling: isWanted });
  if (held.formerCard === undefined) return delivered;
  const after = await deps.records.comments.read(guildId, ref);
  if (after?.card.state === "posted") await removeFormerCard(deps, guildId, after);
  return delivered;
}

async function send(
  deps: AnnounceDeps,
  { call }: SendDueOptions,
  {
    card,
    isWanted,
    isCalling,
  }: { readonly card: OutgoingCard; readonly isWanted: boolean; readonly isCalling: boolean },
): Promise<DeliveryResult> {
  const pingRoleId = isCalling ? await call.roleId() : undefined;
  const delivered = await deliver(deps, card, { isWanted, pingRoleId });
  if (delivered === "posted" && pingRoleId !== undefined) call.markPinged();
  return delivered;
}

/** Deletes the earlier card of a comment that came back. If that fails it stays, and its buttons work too. */
async function removeFormerCard(
  { channelMessages, log, records }: AnnounceDeps,
  guildId: string,
  held: HeldComment,
): Promise<void> {
  const place = held.formerCard && postedPlaceOf(held.formerCard);
  try {
    if (place !== undefined) await channelMessages.remove(place);
  } catch (error) {
    log.warn("a former card was not removed", { guild: guildId, error });
  }
  await records.comments.changeSilently(guildId, itemRefOf(held), (stored) => {
    if (stored.formerCard?.handle !== held.formerCard?.handle) return stored;
    const { formerCard: _, ...rest } = stored;
    return rest;
  });
}
