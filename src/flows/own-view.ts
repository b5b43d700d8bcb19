import { type Ctx, reaches, requireRank } from "../discord/index.ts";
import { BotError } from "../errors.ts";
import type { VideoClient } from "../video/index.ts";

/**
 * The same interaction with the linked channel's own eyes: for lists that only the channel can see, in an answer that is
 * sent privately. For moderators and above, as all that only the channel's consent shows.
 * @throws as `requireRank`; reading, ConnectError `channel_missing`
 */
export async function ownView<C extends Ctx>(ctx: C): Promise<C> {
  await requireRank({ rank: "moderator" }, ctx);
  return Object.create(ctx, { video: { get: () => ctx.own } }) as C;
}

/** Lists that show more by their ids to the channel that things belong to. */
type ByIds = "playlistItems.list" | "subscriptions.list";

/**
 * Who should be asked for things by their ids: everybody's view, unless people of rank are meant to see more with the
 * linked channel's eyes, in an answer that is sent privately.
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

/** What is refused here is told by the list itself, which is asked for next. */
async function orNone(counting: Promise<number>): Promise<number> {
  try {
    return await counting;
  } catch (error) {
    if (error instanceof BotError) return 0;
    throw error;
  }
}
