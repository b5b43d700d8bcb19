import type { Picture } from "./things.ts";
import type { Video } from "./types.ts";

/** Titles and descriptions by language code. */
export type Localizations = Readonly<
  Record<string, { readonly title: string; readonly description?: string }>
>;

/** What came with an upload; the bytes of a video are not kept. */
interface SourceFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly hash: string;
  /** When the service is through with it. */
  readonly processedAt: number;
}

/** What only its owner's writes change in a video. */
export interface VideoSettings {
  embeddable: boolean;
  statsViewable: boolean;
  /** When a private video becomes public by itself. */
  publishAt: number | undefined;
  /** What the owner says of it; undefined when nothing was said. */
  madeForKids: boolean | undefined;
  synthetic: boolean | undefined;
  recordedAt: number | undefined;
  localizations: Localizations;
  /** Uploaded in place of the drawn one. */
  thumbnail: Picture | undefined;
  readonly file: SourceFile | undefined;
}

export function videoSettings(): VideoSettings {
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
  };
}

/** People & Blogs: where the service puts an upload that names none. */
export const defaultCategory = "22";

type MadeVideo = Pick<Video, "id" | "channelId" | "title" | "publishedAt" | "seconds">;

/** A video that somebody brings out while the service runs: nobody has seen it yet. */
export function newVideo(made: MadeVideo & Partial<Video>): Video {
  return {
    ...videoSettings(),
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
    startsAt: undefined,
    liveAt: undefined,
    viewers: undefined,
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

/** What only its owner's writes change in a channel. */
export interface ChannelSettings {
  /** Fields of `brandingSettings.channel` that are kept as they were sent. */
  branding: Readonly<Record<string, unknown>>;
  bannerUrl: string | undefined;
  invideoPromotion: Readonly<Record<string, unknown>> | undefined;
  madeForKids: boolean | undefined;
  localizations: Localizations;
}

export function channelSettings(): ChannelSettings {
  return {
    branding: { showBrowseView: true },
    bannerUrl: undefined,
    invideoPromotion: undefined,
    madeForKids: undefined,
    localizations: {},
  };
}

/** What only its owner's writes change in a playlist. */
export interface PlaylistSettings {
  language: string | undefined;
  localizations: Localizations;
  isPodcast: boolean;
}

export function playlistSettings(): PlaylistSettings {
  return { language: undefined, localizations: {}, isPodcast: false };
}
