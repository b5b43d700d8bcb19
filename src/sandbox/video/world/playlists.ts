import { stableFraction, stableId } from "./random.ts";
import { writtenVideos } from "./series.ts";
import { playlistSettings } from "./settings.ts";
import type { Channel, Item, Playlist, Privacy, Video, World } from "./types.ts";

const dayMs = 86_400_000;

type Plan = readonly [title: string, about: string, pick: (video: Video) => boolean, Privacy?];

/** What every channel has. */
const common: readonly Plan[] = [
  ["Start here", "The ones to see first.", ({ seconds }) => seconds > 300 && seconds < 1100],
  ["Shorts", "Under a minute.", ({ seconds }) => seconds > 0 && seconds < 61],
  ["Long ones", "For a quiet evening.", ({ seconds }) => seconds >= 1100],
];

/** What only the sandbox creator has. */
const own: readonly Plan[] = [
  ["Setup and lighting", "Rooms, lamps, lenses.", ({ title }) => /light|camera|room/i.test(title)],
  [
    "Feedback round",
    "For friends of the channel.",
    ({ privacy }) => privacy !== "private",
    "unlisted",
  ],
  ["Sponsor drafts", "Not yet public.", ({ privacy }) => privacy === "private", "private"],
  ["Ideas for next season", "Nothing here yet.", () => false],
];

/** Gives every channel its playlists; the creator also has one of other people's videos, long enough to need pages. */
export function addPlaylists(world: World, now: number): void {
  const all = [...world.videos.values()];
  for (const channel of world.channels.values()) {
    const isOwn = channel.id === world.ownChannelId;
    const mine = all.filter(({ channelId }) => channelId === channel.id);
    for (const plan of isOwn ? [...own, ...common] : common) {
      add(world, toPlaylist({ channel, plan, videos: mine.filter(plan[2]), now }));
    }
    if (isOwn) add(world, inspiration(channel, all, now));
  }
}

function add(world: World, playlist: Playlist): void {
  world.playlists.set(playlist.id, playlist);
}

function inspiration(channel: Channel, all: readonly Video[], now: number): Playlist {
  const others = all
    .slice(0, writtenVideos)
    .filter((video, index) => video.channelId !== channel.id && index % 2 === 0);
  const plan: Plan = [
    "Inspiration @everyone \u{1F33F} *other people*",
    "Seen and liked.",
    () => true,
  ];
  const playlist = toPlaylist({ channel, plan, videos: others, now });
  // A video that its owner has deleted stays in lists as a stub.
  playlist.items.splice(4, 0, toItem(playlist.id, "d3l3tedVid0", now - 9 * dayMs));
  return playlist;
}

function toPlaylist({
  channel,
  plan: [title, description, , privacy = "public"],
  videos,
  now,
}: {
  readonly channel: Channel;
  readonly plan: Plan;
  readonly videos: readonly Video[];
  readonly now: number;
}): Playlist {
  const id = `PL${stableId(`playlist ${channel.handle} ${title}`, 32)}`;
  // Younger than any channel.
  const publishedAt = now - Math.round((20 + stableFraction(id) * 170) * dayMs);
  const items = videos.map((video, index) =>
    toItem(id, video.id, Math.max(video.publishedAt, publishedAt + index * 60_000)),
  );
  return {
    id,
    channelId: channel.id,
    title,
    description,
    privacy,
    publishedAt,
    items,
    ...playlistSettings(),
  };
}

function toItem(playlistId: string, videoId: string, addedAt: number): Item {
  return { id: itemId(playlistId, videoId), videoId, addedAt, note: undefined };
}

/** Opaque, and another one for each place a video has. */
export function itemId(playlistId: string, videoId: string): string {
  const name = `${playlistId}.${stableId(`${playlistId} ${videoId}`, 16)}`;
  return Buffer.from(name).toString("base64url");
}
