import { createNonce, type Notification, type OutgoingMessage } from "../../channel-messages.ts";
import { historyBeside } from "../author-comments.ts";
import { type CardMessage, type Digest, type HeldComment, toItemRef } from "../records/index.ts";
import { type ModerationRoom, type ServerWatch, watchChannel } from "../room.ts";
import type { DigestFacts, ModerationNotifications } from "../types.ts";

export type CardChange = (card: CardMessage) => CardMessage;

/** A message of a queue, and how to update its record. */
export interface OutgoingCard {
  readonly message: OutgoingMessage;
  /** The revision that it shows. */
  readonly shown: number;
  /**
   * Changes its card in the record, unless the record has another card by now. Returns the card; undefined if the record is
   * gone.
   */
  mark(change: CardChange): Promise<CardMessage | undefined>;
  /** Notes that it may show something old and has to be redrawn. */
  markStale(): Promise<unknown>;
}

export async function outgoingCommentCard(
  { records: { comments, authors } }: ModerationRoom,
  { guildId, watch }: ServerWatch,
  item: HeldComment,
): Promise<OutgoingCard> {
  const { authorId } = item.comment;
  const counts = authorId === undefined ? undefined : await authors.read(guildId, authorId);
  const history = historyBeside(item, counts);
  const [shown = item] = await comments.asShown(guildId, [item]);
  const change = (make: (held: HeldComment) => HeldComment) =>
    comments.changeSilently(guildId, toItemRef(item), make);
  return {
    message: {
      ...watchChannel({ guildId, watch }),
      name: "held-card",
      facts: { guildId, watch, item: shown, history },
      handle: item.card.handle,
      nonce: createNonce(watch.id, item.id, item.card.handle),
    },
    shown: item.revision,
    mark: async (make) => (await change((held) => withCard(held, item.card, make)))?.card,
    markStale: () => change(markNeedsDrawing),
  };
}

export async function outgoingDigestCard(
  { records: { comments, digests } }: ModerationRoom,
  { guildId, watch }: ServerWatch,
  digest: Digest,
): Promise<OutgoingCard> {
  const stored = await comments.readAll(guildId, watch.id, digest.itemIds);
  const items = await comments.asShown(guildId, stored);
  const { channelId, mayBePublic, acts } = digest;
  const { handle } = digest.card;
  const isElsewhere = channelId !== undefined && channelId !== watch.channelId;
  const place = isElsewhere
    ? { guildId, channelId, isConfidential: mayBePublic !== true }
    : watchChannel({ guildId, watch });
  const facts = { guildId, watch, digest, items };
  const what: Notification =
    acts === undefined
      ? { name: "held-digest", facts }
      : { name: "rule-acts", facts: actsFacts(facts) };
  const [itemId = ""] = digest.itemIds;
  return {
    message: { ...place, ...what, handle, nonce: createNonce(watch.id, digest.id, handle) },
    // Revisions only grow, so every change of a comment changes the sum.
    shown: items.reduce((sum, { revision }) => sum + revision, digest.revision),
    mark: async (change) =>
      (await digests.change(guildId, digest, (one) => one && withCard(one, digest.card, change)))
        ?.card,
    // Redrawing a comment redraws its digests.
    markStale: () =>
      comments.changeSilently(guildId, { watchId: watch.id, itemId }, markNeedsDrawing),
  };
}

function withCard<T extends { readonly card: CardMessage }>(
  stored: T,
  { handle }: CardMessage,
  change: CardChange,
): T {
  const card = stored.card.handle === handle ? change(stored.card) : stored.card;
  return card === stored.card ? stored : { ...stored, card };
}

function markNeedsDrawing(held: HeldComment): HeldComment {
  return held.needsDrawing ? held : { ...held, needsDrawing: true };
}

function actsFacts(facts: DigestFacts): ModerationNotifications["rule-acts"] {
  const { guildId, watch, items } = facts;
  const { channelId, card, acts = [] } = facts.digest;
  const byId = new Map(items.map((item) => [item.id, item]));
  return {
    guildId,
    handle: card.handle,
    watch,
    logChannelId: channelId,
    acts: acts.flatMap(({ itemId, ruleId, ruleName }) => {
      const item = byId.get(itemId);
      return item === undefined ? [] : [{ item, rule: { id: ruleId, name: ruleName } }];
    }),
  };
}
