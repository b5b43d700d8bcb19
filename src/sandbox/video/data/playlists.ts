import { stableFraction, stableId } from "./random.ts";
import type {
  StoredChannel,
  StoredPlaylist,
  StoredPlaylistItem,
  StoredPrivacy,
  StoredVideo,
} from "./records.ts";
import { writtenVideos } from "./sample-channels.ts";
import { emptyPlaylistSettings } from "./settings.ts";
import type { VideoState } from "./state.ts";

const dayMs = 86_400_000;

type PlaylistPlan = readonly [
  title: string,
  about: string,
  pick: (video: StoredVideo) => boolean,
  StoredPrivacy?,
];

/** What every channel has. */
const common: readonly PlaylistPlan[] = [
  ["Start here", "The ones to see first.", ({ seconds }) => seconds > 300 && seconds < 1100],
  ["Shorts", "Under a minute.", ({ seconds }) => seconds > 0 && seconds < 61],
  ["Long ones", "For a quiet evening.", ({ seconds }) => seconds >= 1100],
];

/** What only the sandbox creator has. */
const own: readonly PlaylistPlan[] = [
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

/**
 * Gives every channel its playlists; the creator also has one of other people's videos, long enough to need pages.
 */
export function addPlaylists(state: VideoState, now: number): void {
  const all = [...state.videos.values()];
  for (const channel of state.channels.values()) {
    const isOwn = channel.id === state.ownChannelId;
    const mine = all.filter(({ channelId }) => channelId === channel.id);
    for (const plan of isOwn ? [...own, ...common] : common) {
      add(state, toPlaylist({ channel, plan, videos: mine.filter(plan[2]), now }));
    }
    if (isOwn) add(state, inspiration(channel, all, now));
  }
}

function add(state: VideoState, playlist: StoredPlaylist): void {
  state.playlists.set(playlist.id, playlist);
}

function inspiration(
  channel: StoredChannel,
  all: readonly StoredVideo[],
  now: number,
): StoredPlaylist {
  const others = all
    .slice(0, writtenVideos)
    .filter((video, index) => video.channelId !== channel.id && index % 2 === 0);
  const plan: PlaylistPlan = [
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
  readonly channel: StoredChannel;
  readonly plan: PlaylistPlan;
  readonly videos: readonly StoredVideo[];
  readonly now: number;
}): StoredPlaylist {
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
    ...emptyPlaylistSettings(),
  };
}

function toItem(playlistId: string, videoId: string, addedAt: number): StoredPlaylistItem {
  return { id: itemId(playlistId, videoId), videoId, addedAt, note: undefined };
}

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

export function historyId({ id }: Pick<StoredChannel, "id">): string {
  return `HL${id.slice(2)}`;
}

export function watchLaterId({ id }: Pick<StoredChannel, "id">): string {
  return `WL${id.slice(2)}`;
}

/** A playlist by id, the kept ones as well as those the service makes up: uploads and likes. */
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
  if (id === "LL") return likes(state, channel);
  if (id === uploadsId(channel)) return uploads(state, channel, viewer);
  return id === likesId(channel) ? likes(state, channel) : undefined;
}

function uploads(
  state: VideoState,
  channel: StoredChannel,
  viewer: string | undefined,
): StoredPlaylist {
  const videos = [...state.videos.values()]
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

function likes(state: VideoState, channel: StoredChannel): StoredPlaylist {
  const liked = state.likes.get(channel.id) ?? [];
  return list(channel, {
    id: likesId(channel),
    title: "Liked videos",
    privacy: "private",
    entries: liked.map((id) => [
      id,
      state.likedAt.get(`${channel.id} ${id}`) ?? channel.publishedAt,
    ]),
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

const hourMs = 3_600_000;

/** Gives every channel its watch history and its watch later list; only the creator's lists contain videos. */
export function addPrivateLists(state: VideoState, now: number): void {
  const all = [...state.videos.values()].filter(({ privacy }) => privacy === "public");
  for (const channel of state.channels.values()) {
    const isOwn = channel.id === state.ownChannelId;
    const others = isOwn ? all.filter(({ channelId }) => channelId !== channel.id) : [];
    const every = (step: number): StoredVideo[] => others.filter((_, index) => index % step === 1);
    addSpecial(
      state,
      special(channel, { id: historyId(channel), title: "History", videos: every(17), now }),
    );
    const later = { id: watchLaterId(channel), title: "Watch later", videos: every(29), now };
    addSpecial(state, special(channel, later));
  }
}

function addSpecial(state: VideoState, playlist: StoredPlaylist): void {
  state.privateLists.set(playlist.id, playlist);
}

interface PrivateListPlan {
  readonly id: string;
  readonly title: string;
  readonly videos: readonly StoredVideo[];
  readonly now: number;
}

function special(
  channel: StoredChannel,
  { id, title, videos, now }: PrivateListPlan,
): StoredPlaylist {
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
    ...emptyPlaylistSettings(),
  };
}
