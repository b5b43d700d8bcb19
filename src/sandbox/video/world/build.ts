import type { ChannelEntry, Entry } from "./catalog.ts";
import { noConversation } from "./conversation.ts";
import { addFellowship, noFellowship } from "./fellowship.ts";
import { buildCast } from "./people.ts";
import { addPlaylists } from "./playlists.ts";
import { seededRandom, stableFraction, stableId } from "./random.ts";
import { allEntries, writtenVideos } from "./series.ts";
import { channelSettings, videoSettings } from "./settings.ts";
import { addSpecials } from "./special-lists.ts";
import { addTalk } from "./talk.ts";
import { type CaptionTrack, noThings, type Section } from "./things.ts";
import type { Channel, Video, World } from "./types.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Builds the world as it is at `now`: the same ids, texts and counts every time. */
export function buildWorld(now: number): World {
  const random = seededRandom(20);
  const channels = new Map<string, Channel>();
  const videos = new Map<string, Video>();
  for (const entry of allEntries(seededRandom(31))) {
    const channel = toChannel(entry, now);
    channels.set(channel.id, channel);
    entry.videos.forEach((video, index) => {
      const made = toVideo({ channel, entry, video, index, now, random });
      videos.set(made.id, made);
    });
  }
  const [own] = channels.keys();
  const world: World = {
    ownChannelId: own ?? "",
    channels,
    videos,
    playlists: new Map(),
    likes: new Map(),
    people: buildCast(now, seededRandom(12)),
    ...noThings(),
    ...noConversation(),
    ...noFellowship(),
  };
  addPlaylists(world, now);
  const liked = [...videos.keys()].slice(0, writtenVideos).filter((_, index) => index % 11 === 3);
  world.likes.set(world.ownChannelId, liked);
  addCaptions(world);
  addSections(world);
  addSpecials(world, now);
  addTalk(world, now);
  addFellowship(world, now);
  return world;
}

function toChannel(entry: ChannelEntry, now: number): Channel {
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
    ...channelSettings(),
  };
}

interface Making {
  readonly channel: Channel;
  readonly entry: ChannelEntry;
  readonly video: Entry;
  readonly index: number;
  readonly now: number;
  readonly random: () => number;
}

function toVideo({ channel, entry, video, index, now, random }: Making): Video {
  const [title, seconds, extras = {}] = video;
  const ageMs = (index + random() * 0.6) * entry.paceDays * dayMs + 3 * hourMs;
  const startsAt =
    extras.startsInHours === undefined ? undefined : now + extras.startsInHours * hourMs;
  const isUpcoming = extras.live === "upcoming";
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
    likes: extras.hidesLikes ? undefined : likes,
    comments: extras.commentsOff ? undefined : 0,
    privacy: extras.privacy ?? "public",
    live: extras.live ?? "none",
    startsAt,
    liveAt: undefined,
    viewers: extras.live === "live" ? 120 + Math.round(entry.subscribers / 900) : undefined,
    isHd: random() > 0.06,
    hasCaptions: random() > 0.5,
    license: random() > 0.85 ? "creativeCommon" : "youtube",
    isPromotion: extras.promotion ?? false,
    blockedIn: extras.blockedIn ?? [],
    audience: extras.audience ?? "everyone",
    location: extras.location && {
      latitude: extras.location[0],
      longitude: extras.location[1],
    },
    ...videoSettings(),
  };
}

function describe(title: string, seconds: number, entry: ChannelEntry): string {
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

function tagsOf(title: string, seconds: number, { keywords }: ChannelEntry): string[] {
  const words = title.toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  const shorts = seconds > 0 && seconds < 61 ? ["shorts"] : [];
  return [...new Set([...keywords, ...words, ...shorts])].slice(0, 12);
}

/** Gives videos with captions a track their owner wrote, and most videos one the service made by itself. */
function addCaptions(world: World): void {
  for (const [index, video] of [...world.videos.values()].entries()) {
    if (video.seconds === 0) continue;
    if (video.hasCaptions) add(world, toTrack(video, "standard", video.audioLanguage ?? "en"));
    if (video.hasCaptions && index % 3 === 0) add(world, toTrack(video, "standard", "fr"));
    if (index % 2 === 0) add(world, toTrack(video, "ASR", video.audioLanguage ?? "en"));
  }
}

function add(world: World, track: CaptionTrack): void {
  world.captions.set(track.id, track);
}

function toTrack(
  { id: videoId, publishedAt }: Video,
  trackKind: CaptionTrack["trackKind"],
  language: string,
): CaptionTrack {
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

type Plan = Pick<Section, "type"> & Partial<Pick<Section, "title" | "playlists">>;

/** Gives every channel's page its shelves. */
function addSections(world: World): void {
  for (const channel of world.channels.values()) {
    const own = [...world.playlists.values()].filter(
      ({ channelId, privacy }) => channelId === channel.id && privacy === "public",
    );
    const ids = own.map(({ id }) => id);
    const plans: Plan[] = [
      { type: "recentUploads" },
      { type: "popularUploads" },
      { type: "singlePlaylist", playlists: ids.slice(0, 1) },
    ];
    if (channel.id === world.ownChannelId) {
      plans.push({ type: "multiplePlaylists", title: "Series", playlists: ids.slice(0, 3) });
    }
    world.sections.set(
      channel.id,
      plans.map((plan) => toSection(channel, plan)),
    );
  }
}

function toSection(channel: Channel, { type, title, playlists }: Plan): Section {
  return {
    id: `${channel.id}.${stableId(`section ${channel.handle} ${type}`, 11)}`,
    channelId: channel.id,
    type,
    title,
    playlists,
    channels: undefined,
  };
}
