import type { ChannelSettings, PlaylistSettings, StoredVideo } from "./records.ts";

/** People & Blogs: where YouTube puts an upload that names none. */
export const defaultCategory = "22";

type MadeVideo = Pick<StoredVideo, "id" | "channelId" | "title" | "publishedAt" | "seconds">;

/** A video published while the stand-in runs; it has no views yet. */
export function newVideo(made: MadeVideo & Partial<StoredVideo>): StoredVideo {
  return {
    embeddable: true,
    statsViewable: true,
    publishAt: undefined,
    madeForKids: false,
    synthetic: undefined,
    recordedAt: undefined,
    localizations: {},
    thumbnail: undefined,
    file: undefined,
    description: "",
    tags: [],
    categoryId: defaultCategory,
    language: undefined,
    audioLanguage: undefined,
    shape: "wide",
    views: 0,
    likes: 0,
    comments: 0,
    privacy: "public",
    live: "none",
    isListedLate: false,
    startsAt: undefined,
    endsAt: undefined,
    liveAt: undefined,
    overAt: undefined,
    viewers: undefined,
    topics: undefined,
    isHd: true,
    hasCaptions: false,
    license: "youtube",
    isPromotion: false,
    blockedIn: [],
    audience: "everyone",
    location: undefined,
    ...made,
  };
}

export function emptyChannelSettings(): ChannelSettings {
  return {
    branding: { showBrowseView: true },
    bannerUrl: undefined,
    invideoPromotion: undefined,
    madeForKids: undefined,
    localizations: {},
  };
}

export function emptyPlaylistSettings(): PlaylistSettings {
  return { language: undefined, localizations: {}, isPodcast: false };
}
