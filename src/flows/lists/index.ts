import {
  type Ctx,
  cut,
  type Item,
  join,
  reaches,
  requireRank,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";

/** An entry's facts on one line; no line where there are none. */
export function factLine(facts: readonly (Text | undefined)[]): readonly Text[] {
  const given = facts.filter((fact) => fact !== undefined);
  return given.length === 0 ? [] : [join(given, " · ")];
}

/** An entry's picture, where it has one. */
export function itemThumbnail(
  title: string,
  url: string | undefined,
  words: Words,
): Pick<Item, "thumbnail"> {
  if (url === undefined) return {};
  return { thumbnail: { url, alt: words.say("common.thumbnail_of", { title: cut(title, 80) }) } };
}

/**
 * The same interaction, reading as the linked channel: for lists that only the channel can see, in a private answer.
 * For moderators and above, as is everything that takes the channel's consent.
 * @throws as `requireRank`; reading, ConnectError `channel_missing`
 */
export async function ownView<C extends Ctx>(ctx: C): Promise<C> {
  await requireRank({ rank: "moderator" }, ctx);
  return Object.create(ctx, { video: { get: () => ctx.own } }) as C;
}

/** Lists in which a channel finds more of its own things by their ids than everybody does. */
type ByIds = "playlistItems.list" | "subscriptions.list";

/**
 * With whose eyes to read things by their ids: as everybody, unless the linked channel sees more of them and the person
 * is a moderator; the answer is private then.
 * @throws what the public list throws, where the channel sees no more
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
  return { view: await ownView(ctx), isPrivate: true };
}

/** A refusal is not told here: the list itself is read next and meets it too. */
async function orNone(counting: Promise<number>): Promise<number> {
  try {
    return await counting;
  } catch (error) {
    if (error instanceof BotError) return 0;
    throw error;
  }
}
