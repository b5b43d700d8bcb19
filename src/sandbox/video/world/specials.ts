import { itemId } from "./playlists.ts";
import { playlistSettings } from "./settings.ts";
import type { Channel, Playlist, Video, World } from "./types.ts";
import { historyId, watchLaterId } from "./uploads.ts";

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
