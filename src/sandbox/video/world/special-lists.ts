import { itemId } from "./playlists.ts";
import { playlistSettings } from "./settings.ts";
import type { Channel, Playlist, Video, World } from "./types.ts";

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

const hourMs = 3_600_000;

/** Gives every channel its watch history and its watch later list; those of the creator have something in them. */
export function addSpecials(world: World, now: number): void {
  const all = [...world.videos.values()].filter(({ privacy }) => privacy === "public");
  for (const channel of world.channels.values()) {
    const isOwn = channel.id === world.ownChannelId;
    const others = isOwn ? all.filter(({ channelId }) => channelId !== channel.id) : [];
    const every = (step: number): Video[] => others.filter((_, index) => index % step === 1);
    add(
      world,
      special(channel, { id: historyId(channel), title: "History", videos: every(17), now }),
    );
    const later = { id: watchLaterId(channel), title: "Watch later", videos: every(29), now };
    add(world, special(channel, later));
  }
}

function add(world: World, playlist: Playlist): void {
  world.specials.set(playlist.id, playlist);
}

interface Plan {
  readonly id: string;
  readonly title: string;
  readonly videos: readonly Video[];
  readonly now: number;
}

function special(channel: Channel, { id, title, videos, now }: Plan): Playlist {
  return {
    id,
    channelId: channel.id,
    title,
    description: "",
    privacy: "private",
    publishedAt: channel.publishedAt,
    items: videos.map((video, index) => ({
      id: itemId(id, video.id),
      videoId: video.id,
      addedAt: now - (index + 1) * hourMs,
      note: undefined,
    })),
    ...playlistSettings(),
  };
}
