import { itemId } from "./playlists.ts";
import { playlistSettings } from "./settings.ts";
import type { Channel, Playlist, World } from "./types.ts";

/** Id of the list that holds everything a channel has uploaded. */
export function uploadsId(channel: Channel): string {
  return `UU${channel.id.slice(2)}`;
}

export function likesId(channel: Channel): string {
  return `LL${channel.id.slice(2)}`;
}

export function historyId({ id }: Pick<Channel, "id">): string {
  return `HL${id.slice(2)}`;
}

export function watchLaterId({ id }: Pick<Channel, "id">): string {
  return `WL${id.slice(2)}`;
}

/** A playlist by id, the kept ones as well as those the service makes up: uploads and likes. */
export function findPlaylist(world: World, id: string, viewer?: string): Playlist | undefined {
  const kept = world.playlists.get(id) ?? world.specials.get(id);
  if (kept !== undefined) return kept;
  // Links name these without saying whose they are.
  if (id === "WL" || id === "HL") return world.specials.get(`${id}${viewer?.slice(2)}`);
  const channel = world.channels.get(id === "LL" ? (viewer ?? "") : `UC${id.slice(2)}`);
  if (channel === undefined) return undefined;
  if (id === "LL") return likes(world, channel);
  if (id === uploadsId(channel)) return uploads(world, channel, viewer);
  return id === likesId(channel) ? likes(world, channel) : undefined;
}

function uploads(world: World, channel: Channel, viewer: string | undefined): Playlist {
  const videos = [...world.videos.values()]
    .filter((video) => video.channelId === channel.id)
    .filter(({ privacy }) => privacy === "public" || viewer === channel.id)
    .sort((one, other) => other.publishedAt - one.publishedAt);
  return list(channel, {
    id: uploadsId(channel),
    title: `Uploads from ${channel.title}`,
    privacy: "public",
    entries: videos.map(({ id, publishedAt }) => [id, publishedAt]),
  });
}

function likes(world: World, channel: Channel): Playlist {
  const liked = world.likes.get(channel.id) ?? [];
  return list(channel, {
    id: likesId(channel),
    title: "Liked videos",
    privacy: "private",
    entries: liked.map((id) => [
      id,
      world.likedAt.get(`${channel.id} ${id}`) ?? channel.publishedAt,
    ]),
  });
}

function list(
  channel: Channel,
  made: Pick<Playlist, "id" | "title" | "privacy"> & {
    readonly entries: readonly (readonly [videoId: string, addedAt: number])[];
  },
): Playlist {
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
    ...playlistSettings(),
  };
}
