import { type Ctx, requireRank } from "../discord/index.ts";

/**
 * The same interaction with the linked channel's own eyes: for lists that only the channel can see, in an answer that is
 * sent privately. For moderators and above, as all that only the channel's consent shows.
 * @throws as `requireRank`; reading, ConnectError `channel_missing`
 */
export async function ownView<C extends Ctx<unknown>>(ctx: C): Promise<C> {
  await requireRank({ rank: "moderator" }, ctx);
  return Object.create(ctx, { video: { get: () => ctx.own } }) as C;
}
