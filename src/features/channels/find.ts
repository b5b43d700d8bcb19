import { typedText } from "../../discord/index.ts";
import { BotError, ConnectError, InputError } from "../../errors.ts";
import type { Channel } from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import type { Ctx } from "../context/index.ts";

interface FoundChannel {
  readonly id: string;
  readonly title: string;
  readonly channel: Channel;
}

/**
 * The channel that a link, @handle or id refers to; without one, the linked channel.
 * @throws InputError `channel_not_found`, `channel_needed`
 */
export async function findChannel(
  ctx: Ctx,
  ref: ChannelRef | undefined,
  part: readonly (
    | "snippet"
    | "contentDetails"
    | "statistics"
    | "status"
    | "brandingSettings"
  )[] = [],
): Promise<FoundChannel> {
  const parts = [...new Set(["snippet" as const, ...part])];
  const wanted = { part: parts, ...channelFilter(ctx, ref) };
  const { items } = await ctx.video.call("channels.list", wanted, { signal: ctx.signal });
  const [channel] = items ?? [];
  if (channel?.id === undefined) throw noSuchChannel(ref);
  return { id: channel.id, title: channel.snippet?.title ?? channel.id, channel };
}

/** The same for several, in their order. The error names each that does not exist, so that all can be corrected at once. */
export async function findChannels(
  ctx: Ctx,
  refs: readonly ChannelRef[],
): Promise<readonly FoundChannel[]> {
  const found: FoundChannel[] = [];
  const absent: BotError[] = [];
  for (const ref of refs) {
    try {
      found.push(await findChannel(ctx, ref));
    } catch (error) {
      if (!(error instanceof BotError) || error.code !== notFoundCode) throw error;
      absent.push(error);
    }
  }
  const [first] = absent;
  if (first === undefined) return found;
  if (absent.length === 1) throw first;
  const given = typedText(absent.map(({ facts }) => facts.given).join(", "));
  throw new InputError("there are no such channels", {
    code: notFoundCode,
    facts: { reason: "several", given },
  });
}

const notFoundCode = "channel_not_found";

/** The error repeats the handle or id, so that people see a typing mistake. */
export function noSuchChannel(ref: ChannelRef | undefined): InputError {
  const code = notFoundCode;
  if (ref === undefined) return new InputError("there is no such channel", { code });
  const [reason = "", given = ""] = Object.entries(ref)[0] ?? [];
  return new InputError("there is no such channel", { code, facts: { reason, given } });
}

/**
 * How `channels.list` finds it, for one unit. No method looks up the names of old addresses; most are handles too.
 * @throws InputError `channel_needed` if none is named and none is linked
 */
export function channelFilter({ channelId }: Pick<Ctx, "channelId">, ref: ChannelRef | undefined) {
  if (ref === undefined) {
    if (channelId !== undefined) return { id: [channelId] };
    throw new InputError("no channel was named and none is linked", { code: "channel_needed" });
  }
  if ("id" in ref) return { id: [ref.id] };
  if ("username" in ref) return { forUsername: ref.username };
  return { forHandle: "handle" in ref ? ref.handle : `@${ref.name}` };
}

/** The linked channel's id; read from YouTube where an early version stored the link without it. @throws ConnectError `no_channel` */
export async function requireOwnChannelId(ctx: Ctx): Promise<string> {
  if (ctx.channelId !== undefined) return ctx.channelId;
  const wanted = { part: ["id"], mine: true } as const;
  const { items } = await ctx.own.call("channels.list", wanted, { signal: ctx.signal });
  const id = items[0]?.id;
  if (id !== undefined) return id;
  throw new ConnectError("the linked account has no channel", { code: "no_channel" });
}
