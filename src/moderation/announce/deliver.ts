import { type DeskMessage, type DeskPlace, nonceOf } from "../../desk.ts";
import { AccessError, BotError } from "../../errors.ts";
import type { AuthorHistory, CardAt, Digest, QueueItem, Watch } from "../../store/index.ts";
import type { PartOptions } from "../parts.ts";
import type { CardFacts, DigestFacts, ModerationEvents } from "../types.ts";
import { shownRevision } from "./digests.ts";

export interface DeliverParts extends Pick<PartOptions, "store" | "desk" | "items" | "clock"> {
  readonly history: (guildId: string, authorId: string) => Promise<AuthorHistory | undefined>;
}

/** Whose queue it is. */
export interface QueueAt {
  readonly guildId: string;
  readonly watch: Watch;
}

/** A message of a queue: what it says, and how its record changes. */
export interface Letter {
  readonly message: DeskMessage;
  /** What it shows, as the record counts it. */
  readonly shown: number;
  /** Writes how its card stands; answers the card and what there is to show by then. Undefined: it is gone. */
  mark(
    make: (card: CardAt) => CardAt,
  ): Promise<{ readonly card: CardAt; readonly shown: number } | undefined>;
}

/** What came of it. `waits`: it may just be on its way. */
export type Delivered = "posted" | "found" | "waits" | "dropped";

/** A message that was on its way when a process ended may still arrive; a forum takes it a second time. */
const arrivalMs = 15_000;
const clockSkewMs = 60_000;

export async function letterOfItem(
  parts: DeliverParts,
  { guildId, watch }: QueueAt,
  item: QueueItem,
): Promise<Letter> {
  const ref = { watchId: watch.id, itemId: item.id };
  const { authorId } = item.comment;
  const history = authorId === undefined ? undefined : await parts.history(guildId, authorId);
  const facts: CardFacts = { guildId, watch, item, ...(history && { history }) };
  return {
    message: messageOf({ guildId, watch }, item.card, { event: "held-card", facts, of: item.id }),
    shown: item.revision,
    mark: async (make) => {
      const stored = await parts.items.note(guildId, ref, (one) => {
        const card = make(one.card);
        return card === one.card ? one : { ...one, card };
      });
      return stored && { card: stored.card, shown: stored.revision };
    },
  };
}

export async function letterOfDigest(
  parts: DeliverParts,
  { guildId, watch }: QueueAt,
  digest: Digest,
): Promise<Letter> {
  const items = await itemsOf(parts, guildId, digest);
  const { id, channelId, acts } = digest;
  const what =
    acts === undefined
      ? { event: "held-digest" as const, facts: { guildId, watch, digest, items } }
      : { event: "rule-acts" as const, facts: actsFacts({ guildId, watch }, digest, items) };
  const at = { guildId, watch, channelId };
  return {
    message: messageOf(at, digest.card, { ...what, of: id }),
    shown: shownRevision(digest, items),
    mark: async (make) => {
      const { digests } = parts.store.moderation;
      const stored = await digests.update(guildId, `${watch.id}:${id}`, (one) => {
        if (one === undefined) return undefined;
        const card = make(one.card);
        return card === one.card ? one : { ...one, card };
      });
      if (stored === undefined) return undefined;
      const now = await itemsOf(parts, guildId, stored);
      return { card: stored.card, shown: shownRevision(stored, now) };
    },
  };
}

/** In its order, those that are still known. */
export async function itemsOf(
  { items }: Pick<DeliverParts, "items">,
  guildId: string,
  { watchId, itemIds }: Digest,
): Promise<readonly QueueItem[]> {
  const read = await Promise.all(itemIds.map((itemId) => items.read(guildId, { watchId, itemId })));
  return read.filter((item) => item !== undefined);
}

function actsFacts(
  { guildId, watch }: QueueAt,
  { channelId, card, acts = [] }: Digest,
  items: readonly QueueItem[],
): ModerationEvents["rule-acts"] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return {
    guildId,
    handle: card.handle,
    watch,
    acts: acts.flatMap(({ itemId, ruleId, ruleName }) => {
      const item = byId.get(itemId);
      return item === undefined ? [] : [{ item, rule: { id: ruleId, name: ruleName } }];
    }),
    ...(channelId !== undefined && { logChannelId: channelId }),
  };
}

interface What {
  readonly event: "held-card" | "held-digest" | "rule-acts";
  readonly facts: CardFacts | DigestFacts | ModerationEvents["rule-acts"];
  /** Id of what it shows. */
  readonly of: string;
}

function messageOf(
  { guildId, watch, channelId }: QueueAt & { readonly channelId?: string | undefined },
  { handle }: CardAt,
  { event, facts, of }: What,
): DeskMessage {
  const isElsewhere = channelId !== undefined && channelId !== watch.channelId;
  return {
    guildId,
    channelId: channelId ?? watch.channelId,
    ...(watch.isForum && !isElsewhere && { isForum: true }),
    ...{ event, facts, handle },
    nonce: nonceOf(watch.id, of, handle),
  };
}

/**
 * Leaves a message once. That it is being sent is written first; one that a process left in that state is looked for
 * before it is sent again. @throws what `Desk.post` and `Desk.find` throw; ServiceError `store_unavailable`.
 */
export async function deliver(
  { desk, clock }: Pick<DeliverParts, "desk" | "clock">,
  letter: Letter,
  {
    isWanted,
    pingRoleId,
  }: { readonly isWanted: boolean; readonly pingRoleId?: string | undefined },
): Promise<Delivered> {
  const { message } = letter;
  const { handle } = message;
  let before: CardAt | undefined;
  const marked = await letter.mark((card) => {
    before = card;
    const isOurs = card.handle === handle && ["due", "sending"].includes(card.state);
    if (!isOurs || (card.state === "due" && !isWanted)) return card;
    return { ...card, state: "sending", since: card.state === "due" ? clock.now() : card.since };
  });
  if (marked?.card.state !== "sending" || marked.card.handle !== handle) return "dropped";
  if (before?.state === "sending") {
    const since = before.since;
    const place = await desk.find(message, since - clockSkewMs);
    if (place !== undefined) {
      // What it shows is not known, so that it is drawn anew.
      await letter.mark(postedAt(handle, place, { now: clock.now(), drawn: 0 }));
      return "found";
    }
    if (message.isForum && clock.now() - since < arrivalMs) return "waits";
    if (!isWanted) {
      await letter.mark((card) => dueAgain(card, handle, clock.now()));
      return "dropped";
    }
  }
  const place = await desk
    .post({ ...message, ...(pingRoleId !== undefined && { pingRoleId }) })
    .catch(async (error: unknown) => {
      if (isGone(error)) return undefined;
      if (isUnsent(error)) await letter.mark((card) => dueAgain(card, handle, clock.now()));
      throw error;
    });
  if (place === undefined) {
    // It had arrived, and somebody did not want it there.
    await letter.mark((card) => lostAt(card, handle, clock.now()));
    return "dropped";
  }
  await letter.mark(postedAt(handle, place, { now: clock.now(), drawn: letter.shown }));
  return "posted";
}

function postedAt(
  handle: string,
  { channelId, messageId }: DeskPlace,
  { now, drawn }: { readonly now: number; readonly drawn: number },
): (card: CardAt) => CardAt {
  return (card) =>
    card.handle === handle
      ? { state: "posted", handle, since: now, channelId, messageId, drawn }
      : card;
}

function dueAgain(card: CardAt, handle: string, now: number): CardAt {
  if (card.handle !== handle || card.state !== "sending") return card;
  return { state: "due", handle, since: now };
}

function lostAt(card: CardAt, handle: string, now: number): CardAt {
  return card.handle === handle ? { state: "lost", handle, since: now } : card;
}

function isGone(error: unknown): boolean {
  return error instanceof AccessError && error.code === "discord_message_gone";
}

function isUnsent(error: unknown): boolean {
  return error instanceof BotError && error.outcome === "nothing";
}

/** Draws a message anew as it is to be now. Answers whether it is still there. @throws what `Desk.edit` throws. */
export async function redraw(
  { desk, clock }: Pick<DeliverParts, "desk" | "clock">,
  letter: Letter,
  { channelId, messageId }: DeskPlace,
): Promise<boolean> {
  const { message, shown } = letter;
  const { handle } = message;
  try {
    await desk.edit({ channelId, messageId }, message);
  } catch (error) {
    if (!isGone(error)) throw error;
    await letter.mark((card) => lostAt(card, handle, clock.now()));
    return false;
  }
  await letter.mark((card) =>
    card.handle === handle && card.state === "posted" ? { ...card, drawn: shown } : card,
  );
  return true;
}

/** Where it is, when it is somewhere. */
export function placeOf({ state, channelId, messageId }: CardAt): DeskPlace | undefined {
  const isThere = state === "posted" && channelId !== undefined && messageId !== undefined;
  return isThere ? { channelId, messageId } : undefined;
}
