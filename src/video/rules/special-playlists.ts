import { AccessError, type BotError } from "../../errors.ts";
import type { Page, PlaylistItem } from "../resources/index.ts";
import type { CallOptions, PagesOptions, VideoClient } from "../types.ts";
import { refusal } from "./refusal.ts";

const names = ["uploads", "likes", "watchHistory", "watchLater"] as const;

/** Lists that the service keeps for every channel (specification, section 2: channel). */
export type SpecialList = (typeof names)[number];

/** Ids of playlists; the service leaves out what it does not show to whoever asks. */
export type SpecialPlaylists = Readonly<Partial<Record<SpecialList, string>>>;

/** The token's own channel, or any by its id. */
export type WhichChannel = "mine" | { readonly channelId: string };

/**
 * The ids of a channel's own lists. Costs a read; the id of the uploads never changes.
 * @throws InputError `channel_not_found`; what `call` throws.
 */
export async function specialPlaylists(
  client: VideoClient,
  channel: WhichChannel,
  options: CallOptions = {},
): Promise<SpecialPlaylists> {
  const which = channel === "mine" ? { mine: true } : { id: [channel.channelId] };
  const wanted = { part: ["contentDetails"], ...which } as const;
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

export interface SpecialItems {
  readonly channel: WhichChannel;
  readonly list: SpecialList;
}

/**
 * Reads one of them page by page. Costs a read, and one for each page of 50.
 * @throws AccessError `watch_history_not_accessible`, `watch_later_not_accessible` or `likes_not_accessible` for a list
 * that the service keeps closed, whether it hides the list or refuses it; InputError `channel_not_found`; what `call`
 * throws.
 */
export async function* specialPlaylistItems(
  client: VideoClient,
  { channel, list }: SpecialItems,
  options: PagesOptions = {},
): AsyncGenerator<Page<PlaylistItem>, void, void> {
  const { signal } = options;
  const ids = await specialPlaylists(client, channel, { ...(signal && { signal }) });
  const playlistId = ids[list];
  if (playlistId === undefined) throw closed(list);
  const part = ["snippet", "contentDetails", "status"] as const;
  yield* client.pages("playlistItems.list", { part, playlistId, maxResults: 50 }, options);
}

const method = "playlistItems.list";

function closed(list: SpecialList): BotError {
  switch (list) {
    case "watchHistory":
      return refusal("hidden", { reason: "watchHistoryNotAccessible", status: 403, method });
    case "watchLater":
      return refusal("hidden", { reason: "watchLaterNotAccessible", status: 403, method });
    case "uploads":
      return refusal("no uploads", { reason: "playlistNotFound", status: 404, method });
    case "likes":
      return new AccessError(`${method}: the likes are hidden`, {
        code: "likes_not_accessible",
        hint: "Which videos a channel likes is shown to its owner alone. Link that channel.",
        facts: { method },
      });
  }
}
