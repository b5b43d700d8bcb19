import { addSampleCommunity } from "./community.ts";
import { addPlaylists, addPrivateLists } from "./playlists.ts";
import { seededRandom, stableFraction, stableId } from "./random.ts";
import type { StoredCaptionTrack, StoredChannel, StoredSection, StoredVideo } from "./records.ts";
import {
  listSampleChannels,
  type SampleChannel,
  type SampleVideo,
  writtenVideos,
} from "./sample-channels.ts";
import { addSampleComments } from "./sample-comments.ts";
import { emptyChannelSettings, emptyVideoSettings } from "./settings.ts";
import { emptyVideoState, type VideoState } from "./state.ts";
import { createSampleUsers } from "./users.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Builds the sample data as of `now`, with the same ids, texts and counts every time. */
export function buildVideoState(now: number): VideoState {
  const random = seededRandom(20);
  const channels = new Map<string, StoredChannel>();
  const videos = new Map<string, StoredVideo>();
  for (const entry of listSampleChannels()) {
    const channel = toChannel(entry, now);
    channels.set(channel.id, channel);
    entry.videos.forEach((video, index) => {
      const made = toVideo({ channel, entry, video, index, now, random });
      videos.set(made.id, made);
    });
  }
  const [own] = channels.keys();
  const state: VideoState = {
    ownChannelId: own ?? "",
    channels,
    videos,
    users: createSampleUsers(now, seededRandom(12)),
    ...emptyVideoState(),
  };
  addPlaylists(state, now);
  const liked = [...videos.keys()].slice(0, writtenVideos).filter((_, index) => index % 11 === 3);
  state.likes.set(state.ownChannelId, liked);
  addCaptions(state);
  addSections(state);
  addPrivateLists(state, now);
  addSampleComments(state, now);
  addSampleCommunity(state, now);
  return state;
}

function toChannel(entry: SampleChannel, now: number): StoredChannel {
  // Every channel is older than its first video, and some by years.
  const ageDays = entry.paceDays * entry.videos.length + 200 + stableFraction(entry.handle) * 2_500;
  return {
    id: `UC${stableId(`channel ${entry.handle}`, 22)}`,
    title: entry.title,
    handle: entry.handle,
    username: entry.username,
    description: entry.about,
    country: entry.country,
    language: entry.language,
    keywords: entry.keywords,
    publishedAt: now - Math.round(ageDays * dayMs),
    subscribers: entry.subscribers,
    hidesSubscribers: entry.hidesSubscribers ?? false,
    hasClosedLists: entry.hasClosedLists ?? false,
    hue: entry.hue,
    ...emptyChannelSettings(),
  };
}

interface SampleVideoOptions {
  readonly channel: StoredChannel;
  readonly entry: SampleChannel;
  readonly video: SampleVideo;
  readonly index: number;
  readonly now: number;
  readonly random: () => number;
}

function toVideo({ channel, entry, video, index, now, random }: SampleVideoOptions): StoredVideo {
  const { title, seconds } = video;
  const ageMs = (index + random() * 0.6) * entry.paceDays * dayMs + 3 * hourMs;
  const startsAt =
    video.startsInHours === undefined ? undefined : now + video.startsInHours * hourMs;
  const isUpcoming = video.live === "upcoming";
  const views = isUpcoming ? 0 : Math.round(entry.subscribers * 0.6 ** (random() * 9) + 40);
  const likes = Math.round(views * (0.02 + random() * 0.05));
  return {
    id: stableId(`video ${entry.handle} ${title}`, 11),
    channelId: channel.id,
    title,
    description: describe(title, seconds, entry),
    tags: tagsOf(title, seconds, entry),
    categoryId: entry.categoryId,
    language: entry.language,
    audioLanguage: entry.language,
    publishedAt: Math.min(now - ageMs, (startsAt ?? now) - hourMs),
    seconds,
    shape: seconds > 0 && seconds < 61 ? "tall" : "wide",
    views,
    likes: video.hidesLikes ? undefined : likes,
    comments: video.commentsOff ? undefined : 0,
    privacy: video.privacy ?? "public",
    live: video.live ?? "none",
    startsAt,
    liveAt: undefined,
    viewers: video.live === "live" ? 120 + Math.round(entry.subscribers / 900) : undefined,
    isHd: random() > 0.06,
    hasCaptions: random() > 0.5,
    license: random() > 0.85 ? "creativeCommon" : "youtube",
    isPromotion: video.promotion ?? false,
    blockedIn: video.blockedIn ?? [],
    audience: video.audience ?? "everyone",
    location: video.location && {
      latitude: video.location[0] ?? 0,
      longitude: video.location[1] ?? 0,
    },
    ...emptyVideoSettings(),
  };
}

function describe(title: string, seconds: number, entry: SampleChannel): string {
  return [
    `${title}.`,
    entry.about,
    `More from ${entry.title}: https://example.com/${entry.handle.slice(1)}`,
    ...(seconds < shortestWithChapters ? [] : [chaptersOf(seconds)]),
  ].join("\n\n");
}

/** Where they begin, as a share of the video. */
const chapters = [
  [0, "Start"],
  [0.08, "What you need"],
  [0.3, "The long part"],
  [0.93, "Thanks for watching"],
] as const;

const shortestWithChapters = 240;

function chaptersOf(seconds: number): string {
  const clock = (time: number): string =>
    [Math.floor(time / 60), time % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return chapters
    .map(([share, name]) => `${clock(Math.floor(share * seconds))} ${name}`)
    .join("\n");
}

function tagsOf(title: string, seconds: number, { keywords }: SampleChannel): string[] {
  const words = title.toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  const shorts = seconds > 0 && seconds < 61 ? ["shorts"] : [];
  return [...new Set([...keywords, ...words, ...shorts])].slice(0, 12);
}

/** Gives videos with captions a track their owner wrote, and every second video an automatic one. */
function addCaptions(state: VideoState): void {
  for (const [index, video] of [...state.videos.values()].entries()) {
    if (video.seconds === 0) continue;
    if (video.hasCaptions) add(state, toTrack(video, "standard", video.audioLanguage ?? "en"));
    if (video.hasCaptions && index % 3 === 0) add(state, toTrack(video, "standard", "fr"));
    if (index % 2 === 0) add(state, toTrack(video, "ASR", video.audioLanguage ?? "en"));
  }
}

function add(state: VideoState, track: StoredCaptionTrack): void {
  state.captions.set(track.id, track);
}

function toTrack(
  { id: videoId, publishedAt }: StoredVideo,
  trackKind: StoredCaptionTrack["trackKind"],
  language: string,
): StoredCaptionTrack {
  return {
    id: stableId(`caption ${videoId} ${trackKind} ${language}`, 40),
    videoId,
    language,
    name: "",
    trackKind,
    isDraft: false,
    updatedAt: publishedAt + 600_000,
    bytes: undefined,
    format: "srt",
  };
}

type SampleSection = Pick<StoredSection, "type"> &
  Partial<Pick<StoredSection, "title" | "playlists">>;

/** Gives every channel its sections. */
function addSections(state: VideoState): void {
  for (const channel of state.channels.values()) {
    const own = [...state.playlists.values()].filter(
      ({ channelId, privacy }) => channelId === channel.id && privacy === "public",
    );
    const ids = own.map(({ id }) => id);
    const plans: SampleSection[] = [
      { type: "recentUploads" },
      { type: "popularUploads" },
      { type: "singlePlaylist", playlists: ids.slice(0, 1) },
    ];
    if (channel.id === state.ownChannelId) {
      plans.push({ type: "multiplePlaylists", title: "Series", playlists: ids.slice(0, 3) });
    }
    state.sections.set(
      channel.id,
      plans.map((plan) => toSection(channel, plan)),
    );
  }
}

function toSection(
  channel: StoredChannel,
  { type, title, playlists }: SampleSection,
): StoredSection {
  return {
    id: `${channel.id}.${stableId(`section ${channel.handle} ${type}`, 11)}`,
    channelId: channel.id,
    type,
    title,
    playlists,
    channels: undefined,
  };
}
