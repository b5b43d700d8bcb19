import { type Notification, nonceOf, type OutgoingMessage } from "../../channel-messages.ts";
import { historyBeside } from "../author-comments.ts";
import type { GuildWatch, ModerationPartDeps } from "../deps.ts";
import { type CardMessage, type Digest, type HeldComment, itemRefOf } from "../records/index.ts";
import type { CardFacts, DigestFacts, ModerationNotifications } from "../types.ts";

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

type CardDeps = Pick<ModerationPartDeps, "records">;

export async function cardOfComment(
  { records: { comments, authors } }: CardDeps,
  { guildId, watch }: GuildWatch,
  item: HeldComment,
): Promise<OutgoingCard> {
  const { authorId } = item.comment;
  const counts = authorId === undefined ? undefined : await authors.read(guildId, authorId);
  const history = historyBeside(item, counts);
  const [shown = item] = await comments.asShown(guildId, [item]);
  const facts: CardFacts = { guildId, watch, item: shown, history };
  return {
    message: messageOf({ guildId, watch }, item, { name: "held-card", facts }),
    shown: item.revision,
    mark: async (change) =>
      (
        await comments.changeSilently(guildId, itemRefOf(item), (one) =>
          withCard(one, item.card, change),
        )
      )?.card,
    markStale: () => comments.changeSilently(guildId, itemRefOf(item), markNeedsDrawing),
  };
}

export async function cardOfDigest(
  { records: { comments, digests } }: CardDeps,
  { guildId, watch }: GuildWatch,
  digest: Digest,
): Promise<OutgoingCard> {
  const stored = await comments.readAll(guildId, watch.id, digest.itemIds);
  const items = await comments.asShown(guildId, stored);
  const { channelId, mayBePublic, acts } = digest;
  const facts: DigestFacts = { guildId, watch, digest, items };
  const what: Notification =
    acts === undefined
      ? { name: "held-digest", facts }
      : { name: "rule-acts", facts: actsFacts(facts) };
  const [itemId = ""] = digest.itemIds;
  return {
    message: messageOf({ guildId, watch, channelId, mayBePublic }, digest, what),
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

function actsFacts({
  guildId,
  watch,
  digest,
  items,
}: DigestFacts): ModerationNotifications["rule-acts"] {
  const { channelId, card, acts = [] } = digest;
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

interface MessagePlace extends GuildWatch {
  readonly channelId?: string | undefined;
  readonly mayBePublic?: true | undefined;
}

function messageOf(
  { guildId, watch, channelId, mayBePublic }: MessagePlace,
  { id, card: { handle } }: Pick<Digest, "id" | "card">,
  notification: Notification,
): OutgoingMessage {
  const isElsewhere = channelId !== undefined && channelId !== watch.channelId;
  return {
    guildId,
    channelId: channelId ?? watch.channelId,
    ...(watch.isForum && !isElsewhere && { isForum: true }),
    ...(!(isElsewhere ? mayBePublic : watch.mayBePublic) && { isConfidential: true }),
    ...notification,
    handle,
    nonce: nonceOf(watch.id, id, handle),
  };
}
