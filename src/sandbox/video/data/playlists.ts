import { stableId } from "./random.ts";
import type { StoredChannel, StoredPlaylist } from "./records.ts";
import { emptyPlaylistSettings } from "./settings.ts";
import type { VideoState } from "./state.ts";

/** Opaque, and another one for each place a video has. */
export function itemId(playlistId: string, videoId: string): string {
  const name = `${playlistId}.${stableId(`${playlistId} ${videoId}`, 16)}`;
  return Buffer.from(name).toString("base64url");
}

/** Id of the list that holds everything a channel has uploaded. */
export function uploadsId(channel: StoredChannel): string {
  return `UU${channel.id.slice(2)}`;
}

export function likesId(channel: StoredChannel): string {
  return `LL${channel.id.slice(2)}`;
}

/** A playlist by id, the kept ones as well as those YouTube makes up: uploads and likes. */
export function findPlaylist(
  state: VideoState,
  id: string,
  viewer?: string,
): StoredPlaylist | undefined {
  const playlist = state.playlists.get(id) ?? state.privateLists.get(id);
  if (playlist !== undefined) return playlist;
  // Links name these without saying whose they are.
  if (id === "WL" || id === "HL") return state.privateLists.get(`${id}${viewer?.slice(2)}`);
  const channel = state.channels.get(id === "LL" ? (viewer ?? "") : `UC${id.slice(2)}`);
  if (channel === undefined) return undefined;
  if (id === "LL" || id === likesId(channel)) {
    const liked = state.likes.get(channel.id) ?? [];
    return list(channel, {
      id: likesId(channel),
      title: "Liked videos",
      privacy: "private",
      entries: liked.map((videoId) => {
        return [videoId, state.likedAt.get(`${channel.id} ${videoId}`) ?? channel.publishedAt];
      }),
    });
  }
  if (id !== uploadsId(channel)) return undefined;
  const videos = [...state.videos.values()]
    .filter((video) => video.channelId === channel.id)
    .filter(({ privacy }) => privacy === "public" || viewer === channel.id)
    .sort((one, other) => other.publishedAt - one.publishedAt);
  return list(channel, {
    id,
    title: `Uploads from ${channel.title}`,
    privacy: "public",
    entries: videos.map((video) => [video.id, video.publishedAt]),
  });
}

function list(
  channel: StoredChannel,
  made: Pick<StoredPlaylist, "id" | "title" | "privacy"> & {
    readonly entries: readonly (readonly [videoId: string, addedAt: number])[];
  },
): StoredPlaylist {
  return {
    id: made.id,
    channelId: channel.id,
    title: made.title,
    description: "",
    privacy: made.privacy,
    publishedAt: channel.publishedAt,
    items: made.entries.map(([videoId, addedAt]) => ({
      id: itemId(made.id, videoId),
      videoId,
      addedAt,
      note: undefined,
    })),
    ...emptyPlaylistSettings(),
  };
}
