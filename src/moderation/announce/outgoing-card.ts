import { type DeskMessage, nonceOf } from "../../desk.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import { type CardAt, type Digest, type HeldComment, refOf } from "../records/index.ts";
import type { CardFacts, DigestFacts, ModerationEvents } from "../types.ts";

export type ChangeCard = (card: CardAt) => CardAt;

/** A message of a queue: what it says, and how its record changes. */
export interface OutgoingCard {
  readonly message: DeskMessage;
  /** What it shows, as the record counts it. */
  readonly shown: number;
  /** Writes how its card stands, unless that is another one by now, and answers it; undefined where its record is gone. */
  mark(change: ChangeCard): Promise<CardAt | undefined>;
  /** It may show something older by now, and is drawn anew soon. */
  markStale(): Promise<unknown>;
}

type Deps = Pick<PartOptions, "records">;

export async function cardOfComment(
  { records: { comments, authors } }: Deps,
  { guildId, watch }: QueueAt,
  item: HeldComment,
): Promise<OutgoingCard> {
  const { authorId } = item.comment;
  const history = authorId === undefined ? undefined : await authors.read(guildId, authorId);
  const facts: CardFacts = { guildId, watch, item, history };
  return {
    message: messageOf({ guildId, watch }, item, { event: "held-card", facts }),
    shown: item.revision,
    mark: async (change) =>
      (await comments.note(guildId, refOf(item), (one) => withCard(one, item.card, change)))?.card,
    markStale: () => comments.note(guildId, refOf(item), stale),
  };
}

export async function cardOfDigest(
  { records: { comments, digests } }: Deps,
  { guildId, watch }: QueueAt,
  digest: Digest,
): Promise<OutgoingCard> {
  const items = await comments.readAll(guildId, watch.id, digest.itemIds);
  const { channelId, acts } = digest;
  const facts: DigestFacts = { guildId, watch, digest, items };
  const what =
    acts === undefined
      ? { event: "held-digest", facts }
      : { event: "rule-acts", facts: actsFacts(facts) };
  const [itemId = ""] = digest.itemIds;
  return {
    message: messageOf({ guildId, watch, channelId }, digest, what),
    // Changes with every change of what it shows: counts of changes only grow.
    shown: items.reduce((sum, { revision }) => sum + revision, digest.revision),
    mark: async (change) =>
      (await digests.change(guildId, digest, (one) => one && withCard(one, digest.card, change)))
        ?.card,
    // Whoever draws a comment draws its digests.
    markStale: () => comments.note(guildId, { watchId: watch.id, itemId }, stale),
  };
}

function withCard<T extends { readonly card: CardAt }>(
  stored: T,
  { handle }: CardAt,
  change: ChangeCard,
): T {
  const card = stored.card.handle === handle ? change(stored.card) : stored.card;
  return card === stored.card ? stored : { ...stored, card };
}

function stale(held: HeldComment): HeldComment {
  return held.needsDrawing ? held : { ...held, needsDrawing: true };
}

function actsFacts({ guildId, watch, digest, items }: DigestFacts): ModerationEvents["rule-acts"] {
  const { channelId, card, acts = [] } = digest;
  const byId = new Map(items.map((item) => [item.id, item]));
  return {
    ...{ guildId, handle: card.handle, watch, logChannelId: channelId },
    acts: acts.flatMap(({ itemId, ruleId, ruleName }) => {
      const item = byId.get(itemId);
      return item === undefined ? [] : [{ item, rule: { id: ruleId, name: ruleName } }];
    }),
  };
}

function messageOf(
  { guildId, watch, channelId }: QueueAt & { readonly channelId?: string | undefined },
  { id, card: { handle } }: Pick<Digest, "id" | "card">,
  { event, facts }: Pick<DeskMessage, "event" | "facts">,
): DeskMessage {
  const isElsewhere = channelId !== undefined && channelId !== watch.channelId;
  return {
    guildId,
    channelId: channelId ?? watch.channelId,
    ...(watch.isForum && !isElsewhere && { isForum: true }),
    ...{ event, facts, handle },
    nonce: nonceOf(watch.id, id, handle),
  };
}
