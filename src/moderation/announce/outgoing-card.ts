import { type DeskMessage, nonceOf } from "../../desk.ts";
import type { CardAt, Digest, HeldComment, ModerationRecords, Watch } from "../records/index.ts";
import type { CardFacts, ModerationEvents } from "../types.ts";
import { shownRevision } from "./digests.ts";

/** Whose queue it is. */
export interface QueueAt {
  readonly guildId: string;
  readonly watch: Watch;
}

/** A message of a queue: what it says, and how its record changes. */
export interface OutgoingCard {
  readonly message: DeskMessage;
  /** What it shows, as the record counts it. */
  readonly shown: number;
  /** Writes how its card stands, and answers that; undefined where its record is gone. */
  mark(make: (card: CardAt) => CardAt): Promise<CardAt | undefined>;
  /** It may show something older by now, and is drawn anew soon. */
  markStale(): Promise<unknown>;
}

type Records = Pick<ModerationRecords, "comments" | "digests" | "authors">;

export async function cardOfComment(
  { comments, authors }: Records,
  { guildId, watch }: QueueAt,
  held: HeldComment,
): Promise<OutgoingCard> {
  const ref = { watchId: watch.id, itemId: held.id };
  const { authorId } = held.comment;
  const history = authorId === undefined ? undefined : await authors.read(guildId, authorId);
  const facts: CardFacts = { guildId, watch, item: held, ...(history && { history }) };
  return {
    message: messageOf({ guildId, watch }, held.card, { event: "held-card", facts, of: held.id }),
    shown: held.revision,
    mark: async (make) => {
      const stored = await comments.note(guildId, ref, (one) => {
        const card = make(one.card);
        return card === one.card ? one : { ...one, card };
      });
      return stored?.card;
    },
    markStale: () => comments.note(guildId, ref, stale),
  };
}

export async function cardOfDigest(
  { comments, digests }: Records,
  { guildId, watch }: QueueAt,
  digest: Digest,
): Promise<OutgoingCard> {
  const items = await comments.readAll(guildId, watch.id, digest.itemIds);
  const { id, channelId, acts } = digest;
  const what =
    acts === undefined
      ? { event: "held-digest" as const, facts: { guildId, watch, digest, items } }
      : { event: "rule-acts" as const, facts: actsFacts({ guildId, watch }, digest, items) };
  const [itemId = ""] = digest.itemIds;
  return {
    message: messageOf({ guildId, watch, channelId }, digest.card, { ...what, of: id }),
    shown: shownRevision(digest, items),
    mark: async (make) => {
      const stored = await digests.change(guildId, { watchId: watch.id, id }, (one) => {
        if (one === undefined) return undefined;
        const card = make(one.card);
        return card === one.card ? one : { ...one, card };
      });
      return stored?.card;
    },
    // Whoever draws a comment draws its digests.
    markStale: () => comments.note(guildId, { watchId: watch.id, itemId }, stale),
  };
}

function stale(held: HeldComment): HeldComment {
  return held.needsDrawing ? held : { ...held, needsDrawing: true };
}

function actsFacts(
  { guildId, watch }: QueueAt,
  { channelId, card, acts = [] }: Digest,
  items: readonly HeldComment[],
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

interface Shown extends Pick<DeskMessage, "event" | "facts"> {
  /** Id of what it shows. */
  readonly of: string;
}

function messageOf(
  { guildId, watch, channelId }: QueueAt & { readonly channelId?: string | undefined },
  { handle }: CardAt,
  { event, facts, of }: Shown,
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
