import type { Ctx } from "../discord/index.ts";
import { ConnectError } from "../errors.ts";

/** The linked channel's id; asked of the service where the link does not hold it. @throws ConnectError `no_channel` */
export async function ownChannelId(ctx: Ctx<unknown>): Promise<string> {
  if (ctx.channelId !== undefined) return ctx.channelId;
  const wanted = { part: ["id"], mine: true } as const;
  const { items } = await ctx.own.call("channels.list", wanted, { signal: ctx.signal });
  const id = items[0]?.id;
  if (id !== undefined) return id;
  throw new ConnectError("the linked account has no channel", {
    code: "no_channel",
    hint: "This account has no channel. Link an account that has one.",
  });
}
