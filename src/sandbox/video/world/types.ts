export type Privacy = "public" | "unlisted" | "private";
export type LiveState = "none" | "upcoming" | "live" | "completed";

/** Times are milliseconds since 1970. */
export interface Channel {
  readonly id: string;
  title: string;
  description: string;
  readonly handle: string;
  /** The old-style name, which few channels have. */
  readonly username: string | undefined;
  readonly country: string;
  readonly language: string;
  readonly keywords: readonly string[];
  readonly publishedAt: number;
  readonly subscribers: number;
  readonly hidesSubscribers: boolean;
  /** Colour of its pictures, 0 to 360. */
  readonly hue: number;
}

export interface Video {
  readonly id: string;
  readonly channelId: string;
  title: string;
  description: string;
  tags: readonly string[];
  categoryId: string;
  readonly language: string;
  readonly publishedAt: number;
  /** 0 while a broadcast has not ended. */
  readonly seconds: number;
  readonly views: number;
  /** Undefined when its owner hides it. */
  readonly likes: number | undefined;
  /** Undefined when comments are off. */
  readonly comments: number | undefined;
  privacy: Privacy;
  readonly live: LiveState;
  /** Start of a broadcast, planned or real. */
  readonly startsAt: number | undefined;
  readonly viewers: number | undefined;
  readonly isHd: boolean;
  readonly hasCaptions: boolean;
  readonly license: "youtube" | "creativeCommon";
  readonly isPromotion: boolean;
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

export interface Playlist {
  readonly id: string;
  readonly channelId: string;
  title: string;
  description: string;
  privacy: Privacy;
  readonly publishedAt: number;
  items: Item[];
}

/** Everything the service knows; written to by the methods that write. */
export interface World {
  readonly ownChannelId: string;
  readonly channels: Map<string, Channel>;
  readonly videos: Map<string, Video>;
  readonly playlists: Map<string, Playlist>;
  /** Liked videos by channel, newest first. */
  readonly likes: Map<string, string[]>;
}
