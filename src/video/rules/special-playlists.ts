import type { VideoCallOptions, VideoClient } from "../types.ts";
import { foreseenError } from "./rule-errors.ts";

const byPrefix = {
  UU: "uploads",
  LL: "likes",
  HL: "watchHistory",
  WL: "watchLater",
} as const;

/** Playlists that YouTube keeps for every channel: docs/services/youtube.md#special-playlists */
export type SpecialList = (typeof byPrefix)[keyof typeof byPrefix];

const names: readonly SpecialList[] = Object.values(byPrefix);

/** Ids in links to the playlists that only their owner sees; such a link opens the list of whoever follows it. */
export const ownerOnlyListIds = {
  watchLater: "WL",
  likes: "LL",
  watchHistory: "HL",
} as const satisfies Partial<Record<SpecialList, string>>;

/** Ids of playlists; YouTube leaves out those that it does not show to the token's account. */
export type SpecialPlaylists = Readonly<Partial<Record<SpecialList, string>>>;

/** Which special playlist an id means, whoever it belongs to. */
export function findSpecialList(playlistId: string): SpecialList | undefined {
  const prefixes: Readonly<Record<string, SpecialList>> = byPrefix;
  return prefixes[playlistId.slice(0, 2)];
}

/**
 * The ids of the special playlists of the token's channel. Costs a read.
 * @throws InputError `channel_not_found`; what `call` throws.
 */
export async function specialPlaylists(
  client: VideoClient,
  options: VideoCallOptions = {},
): Promise<SpecialPlaylists> {
  const wanted = { part: ["contentDetails"], mine: true } as const;
  const { items } = await client.call("channels.list", wanted, options);
  const [found] = items;
  if (found === undefined) {
    const method = "channels.list";
    throw foreseenError("no such channel", { reason: "channelNotFound", status: 404, method });
  }
  const related = found.contentDetails?.relatedPlaylists;
  return Object.fromEntries(
    names.flatMap((name) => (related?.[name] ? [[name, related[name]]] : [])),
  );
}
