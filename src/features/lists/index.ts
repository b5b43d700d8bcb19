import {
  cut,
  join,
  type ReplyItem,
  reaches,
  requireRank,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";

export { type BatchPage, pagesBeside, pagesIn } from "./batch-page.ts";
export { type BrowsableList, browse, perPage } from "./browse.ts";
export type { ListPosition } from "./browse-spec.ts";
export { formatIndented, jsonEntries } from "./json-list.ts";
export { describeFullFile } from "./list-file.ts";
export { type Columns, tableEntries } from "./table.ts";

/** The facts of a list's entry on one line; no line if there are none. */
export function formatFacts(facts: readonly (Text | undefined)[]): readonly Text[] {
  const present = facts.filter((fact) => fact !== undefined);
  return present.length === 0 ? [] : [join(present, " · ")];
}

export function itemThumbnail(
  title: string,
  url: string | undefined,
  words: Words,
): Pick<ReplyItem, "thumbnail"> {
  if (url === undefined) return {};
  return { thumbnail: { url, alt: words.say("common.thumbnail_of", { title: cut(title, 80) }) } };
}

/**
 * The same `ctx`, but its `video` reads as the linked channel: for lists that only the channel can see, in a private
 * answer. Like everything that uses the channel's consent, for moderators and above.
 * @throws as `requireRank`; reading, ConnectError `channel_missing`
 */
export async function viewAsChannel<C extends Ctx>(ctx: C): Promise<C> {
  await requireRank({ rank: "moderator" }, ctx);
  return Object.create(ctx, { video: { get: () => ctx.own } }) as C;
}

/** Lists in which a channel sees more of its own things by id than other people do. */
type ByIds = "playlistItems.list" | "subscriptions.list";

/**
 * Decides whether to read things by id as the public sees them, or as the linked channel if it sees more of them and
 * the person is a moderator; the answer is private then.
 * @throws what `viewAsChannel` throws; errors that are not a BotError
 */
export async function viewOfIds<C extends Ctx>(
  ctx: C,
  method: ByIds,
  ids: readonly string[],
): Promise<{ readonly view: C; readonly isPrivate: boolean }> {
  const everybodys = { view: ctx, isPrivate: false };
  if (!reaches(ctx.rank, "moderator") || ctx.channelId === undefined) return everybodys;
  const counted = async (client: VideoClient) => {
    const { items } = await client.call(method, { part: ["id"], id: ids }, { signal: ctx.signal });
    return items.length;
  };
  const shown = await orNone(counted(ctx.video));
  if (shown === ids.length || shown >= (await orNone(counted(ctx.own)))) return everybodys;
  return { view: await viewAsChannel(ctx), isPrivate: true };
}

/** Ignores a failure here, because the list itself is read next and fails in the same way. */
async function orNone(counting: Promise<number>): Promise<number> {
  try {
    return await counting;
  } catch (error) {
    if (error instanceof BotError) return 0;
    throw error;
  }
}
