import type { CallOptions, VideoClient } from "../types.ts";
import { refusal } from "./refusal.ts";

const byPrefix = {
  UU: "uploads",
  LL: "likes",
  HL: "watchHistory",
  WL: "watchLater",
} as const;

/** Lists that the service keeps for every channel (specification, section 2: channel). */
export type SpecialList = (typeof byPrefix)[keyof typeof byPrefix];

const names: readonly SpecialList[] = Object.values(byPrefix);

/** How links name those that only their owner sees: of whoever opens them. */
export const ownersLists = {
  watchLater: "WL",
  likes: "LL",
  watchHistory: "HL",
} as const satisfies Partial<Record<SpecialList, string>>;

/** Ids of playlists; the service leaves out what it does not show to whoever asks. */
export type SpecialPlaylists = Readonly<Partial<Record<SpecialList, string>>>;

/** Which of them a playlist's id means, whoever it belongs to. */
export function specialListOf(playlistId: string): SpecialList | undefined {
  const prefixes: Readonly<Record<string, SpecialList>> = byPrefix;
  return prefixes[playlistId.slice(0, 2)];
}

/**
 * The ids of the token's own channel's lists. Costs a read.
 * @throws InputError `channel_not_found`; what `call` throws.
 */
export async function specialPlaylists(
  client: VideoClient,
  options: CallOptions = {},
): Promise<SpecialPlaylists> {
  const wanted = { part: ["contentDetails"], mine: true } as const;
  const { items } = await client.call("channels.list", wanted, options);
  const [found] = items;
  if (found === undefined) {
    const method = "channels.list";
    throw refusal("no such channel", { reason: "channelNotFound", status: 404, method });
  }
  const related = found.contentDetails?.relatedPlaylists;
  return Object.fromEntries(
    names.flatMap((name) => (related?.[name] ? [[name, related[name]]] : [])),
  );
}
