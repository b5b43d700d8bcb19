import type { ChannelRef, Ctx } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { ChannelSection } from "../../video/index.ts";
import { findChannel } from "../channels/index.ts";

/** Titles of playlists and channels by their ids. */
export type Names = ReadonlyMap<string, string>;

/** A section with the names of what it shows; what was deleted or is private has no name. */
export interface NamedSection {
  readonly section: ChannelSection;
  readonly names: Names;
}

/** One unit for all playlists and one for all channels. */
export async function withNames(
  ctx: Ctx,
  sections: readonly ChannelSection[],
): Promise<readonly NamedSection[]> {
  const idsOf = (what: "playlists" | "channels") =>
    [...new Set(sections.flatMap(({ contentDetails }) => contentDetails?.[what] ?? []))].slice(
      0,
      50,
    );
  const [playlists, channels] = await Promise.all([
    namesOf(ctx, "playlists.list", idsOf("playlists")),
    namesOf(ctx, "channels.list", idsOf("channels")),
  ]);
  const names = new Map([...playlists, ...channels]);
  return sections.map((section) => ({ section, names }));
}

/** A section of the linked channel, by its id. */
export async function readSection({ own, signal }: Ctx, id: string) {
  const wanted = { part: ["snippet", "contentDetails"], id: [id] } as const;
  const { items } = await own.call("channelSections.list", wanted, { signal });
  return items[0];
}

async function namesOf(
  { video, signal }: Ctx,
  method: "playlists.list" | "channels.list",
  id: readonly string[],
): Promise<Names> {
  if (id.length === 0) return new Map();
  const { items } = await video.call(method, { part: ["snippet"], id }, { signal });
  return new Map(
    items.flatMap(({ id: one, snippet }) =>
      one === undefined ? [] : [[one, snippet?.title ?? one]],
    ),
  );
}

/** Channels by their ids, each looked up. @throws InputError `channel_not_found`, `own_channel_in_channels` */
export async function channelIds(
  ctx: Ctx,
  refs: readonly ChannelRef[] | undefined,
): Promise<readonly string[] | undefined> {
  if (refs === undefined) return undefined;
  const found = await Promise.all(refs.map((ref) => findChannel(ctx, ref)));
  const ids = [...new Set(found.map(({ id }) => id))];
  if (ctx.channelId === undefined || !ids.includes(ctx.channelId)) return ids;
  throw new InputError("the channel itself is among the channels", {
    code: "own_channel_in_channels",
  });
}

/** @throws InputError `playlist_not_found` or `playlist_is_private`, for one unit instead of fifty */
export async function requirePlaylists(
  ctx: Ctx,
  ids: readonly string[] | undefined,
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  const wanted = { part: ["status"], id: ids } as const;
  const { items } = await ctx.video.call("playlists.list", wanted, { signal: ctx.signal });
  const known = new Map(items.map(({ id, status }) => [id, status?.privacyStatus]));
  if (ids.some((id) => !known.has(id))) {
    throw new InputError("a playlist of the section is not there", {
      code: "playlist_not_found",
    });
  }
  if ([...known.values()].includes("private")) {
    throw new InputError("a playlist of the section is private", {
      code: "playlist_is_private",
    });
  }
}
