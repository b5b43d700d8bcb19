import type { Conversation } from "./conversation.ts";
import type { Fellowship } from "./fellowship.ts";
import type { Person } from "./people.ts";
import type { ChannelSettings, PlaylistSettings, VideoSettings } from "./settings.ts";
import type { Things } from "./things.ts";

export type Privacy = "public" | "unlisted" | "private";
export type LiveState = "none" | "upcoming" | "live" | "completed";

/** Times are milliseconds since 1970. */
export interface Channel extends ChannelSettings {
  readonly id: string;
  title: string;
  description: string;
  readonly handle: string;
  /** The old-style name, which few channels have. */
  readonly username: string | undefined;
  country: string | undefined;
  /** Of title and description; undefined when its owner has not said. */
  language: string | undefined;
  keywords: readonly string[];
  readonly publishedAt: number;
  subscribers: number;
  readonly hidesSubscribers: boolean;
  /** As the service keeps them today; the specification lets their owner read and change them. */
  readonly hasClosedLists: boolean;
  /** Colour of its pictures, 0 to 360. */
  readonly hue: number;
}

export interface Video extends VideoSettings {
  readonly id: string;
  readonly channelId: string;
  title: string;
  description: string;
  tags: readonly string[];
  categoryId: string;
  /** Of title and description; undefined when its owner has not said. */
  language: string | undefined;
  readonly audioLanguage: string | undefined;
  publishedAt: number;
  /** 0 while a broadcast has not ended. */
  seconds: number;
  /** Of the picture; undefined where the service can't tell. */
  readonly shape: "wide" | "square" | "tall" | undefined;
  readonly views: number;
  /** Undefined when its owner hides it. */
  likes: number | undefined;
  /** How many can be read; undefined when comments are off. */
  comments: number | undefined;
  privacy: Privacy;
  live: LiveState;
  /** Start of a broadcast, as it was planned. */
  startsAt: number | undefined;
  /** When it really began; half a minute after the plan when absent. */
  liveAt: number | undefined;
  viewers: number | undefined;
  readonly isHd: boolean;
  hasCaptions: boolean;
  license: "youtube" | "creativeCommon";
  isPromotion: boolean;
  /** Region codes where it can't be watched. */
  readonly blockedIn: readonly string[];
  /** `teen` is hidden by strict safe search, `mature` by moderate too. */
  readonly audience: "everyone" | "teen" | "mature";
  readonly location: { readonly latitude: number; readonly longitude: number } | undefined;
}

export interface Item {
  readonly id: string;
  readonly videoId: string;
  readonly addedAt: number;
  readonly note: string | undefined;
}

export interface Playlist extends PlaylistSettings {
  readonly id: string;
  readonly channelId: string;
  title: string;
  description: string;
  privacy: Privacy;
  readonly publishedAt: number;
  items: Item[];
}

/** Everything the service knows; the methods that write change it. */
export interface World extends Things, Conversation, Fellowship {
  readonly ownChannelId: string;
  readonly channels: Map<string, Channel>;
  readonly videos: Map<string, Video>;
  readonly playlists: Map<string, Playlist>;
  /** Liked videos by channel, newest first. */
  readonly likes: Map<string, string[]>;
  /** Everyone who writes, follows and supports, by channel id. */
  readonly people: Map<string, Person>;
}
