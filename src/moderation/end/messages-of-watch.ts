import type { PostedMessage } from "../../channel-messages.ts";
import type { CardMessage, ModerationRecords, RecordsPage } from "../records/index.ts";
import type { WatchRef } from "../watch-jobs.ts";

/** A message that a watch posted and that is still there, as far as is known. */
export interface MessageOfWatch {
  readonly kind: "card" | "digest";
  /** Of the comment or digest that it shows. */
  readonly id: string;
  readonly card: CardMessage;
  readonly place: PostedMessage;
  /** It reports what rules did, in the channel for that. */
  readonly isReport: boolean;
}

const pageSize = 100;

/** The cards and digests of a watch, one after the other. @throws ServiceError `store_unavailable` */
export async function* messagesOf(
  { comments, digests }: ModerationRecords,
  { guildId, watchId }: WatchRef,
): AsyncGenerator<MessageOfWatch> {
  for await (const { id, card } of allOf((page) => comments.readPage(guildId, page), watchId)) {
    yield* messageIn({ kind: "card", id, card, isReport: false });
  }
  for await (const one of allOf((page) => digests.readPage(guildId, page), watchId)) {
    const { id, card, channelId } = one;
    yield* messageIn({ kind: "digest", id, card, isReport: channelId !== undefined });
  }
}

function messageIn(message: Omit<MessageOfWatch, "place">): readonly MessageOfWatch[] {
  const { state, channelId, messageId } = message.card;
  const isThere = state === "posted" && channelId !== undefined && messageId !== undefined;
  return isThere ? [{ ...message, place: { channelId, messageId } }] : [];
}

async function* allOf<T extends { readonly id: string }>(
  readPage: (page: RecordsPage) => Promise<readonly T[]>,
  watchId: string,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const page: readonly T[] = await readPage({ watchId, after, limit: pageSize });
    yield* page;
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}
