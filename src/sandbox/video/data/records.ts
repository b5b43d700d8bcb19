export type StoredPrivacy = "public" | "unlisted" | "private";

export type StoredLiveState = "none" | "upcoming" | "live" | "completed";

/** Titles and descriptions by language code. */
export type StoredLocalizations = Readonly<
  Record<string, { readonly title: string; readonly description?: string }>
>;

/** What only its owner's writes change in a channel. */
export interface ChannelSettings {
  /** Fields of `brandingSettings.channel` that are kept as they were sent. */
  branding: Readonly<Record<string, unknown>>;
  bannerUrl: string | undefined;
  invideoPromotion: Readonly<Record<string, unknown>> | undefined;
  madeForKids: boolean | undefined;
  localizations: StoredLocalizations;
}

/** Times are milliseconds since 1970. */
export interface StoredChannel extends ChannelSettings {
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
  /** Closed as YouTube has them today (docs/services/youtube.md#special-playlists); otherwise their owner may use them. */
  readonly hasClosedLists: boolean;
  /** Colour of its pictures, 0 to 360. */
  readonly hue: number;
}

/** What came with an upload; the bytes of a video are not kept. */
interface SourceFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly hash: string;
  /** When YouTube is through with it. */
  readonly processedAt: number;
}

export interface StoredVideo {
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
  /** 0 for a stream whose recording is not there yet; a premiere has its length from the start. */
  seconds: number;
  /** Of the picture; undefined where YouTube does not know. */
  readonly shape: "wide" | "square" | "tall" | undefined;
  views: number;
  /** Undefined when its owner hides it. */
  likes: number | undefined;
  /** How many can be read; undefined when comments are off. */
  comments: number | undefined;
  privacy: StoredPrivacy;
  live: StoredLiveState;
  /** It is live, and its snippet still says that it is to come (docs/services/youtube.md#streams-and-premieres). */
  isListedLate: boolean;
  /** Start and end of a broadcast, as they were planned; an end is rare. */
  startsAt: number | undefined;
  endsAt: number | undefined;
  /** When it really began; half a minute after the plan when absent. */
  liveAt: number | undefined;
  /** When it really ended; as long after its beginning as it lasts when absent. */
  overAt: number | undefined;
  /** Undefined when its owner hides them. */
  viewers: number | undefined;
  /** Names of articles in Wikipedia; undefined for those of its category. */
  readonly topics: readonly string[] | undefined;
  readonly isHd: boolean;
  hasCaptions: boolean;
  license: "youtube" | "creativeCommon";
  isPromotion: boolean;
  /** Region codes where it can't be watched. */
  readonly blockedIn: readonly string[];
  /** `teen` is hidden by strict safe search, `mature` by moderate too. */
  readonly audience: "everyone" | "teen" | "mature";
  readonly location: { readonly latitude: number; readonly longitude: number } | undefined;
  embeddable: boolean;
  statsViewable: boolean;
  /** When a private video becomes public by itself. */
  publishAt: number | undefined;
  /** What the owner says of it; undefined when nothing was said. */
  madeForKids: boolean | undefined;
  synthetic: boolean | undefined;
  recordedAt: number | undefined;
  localizations: StoredLocalizations;
  /** Uploaded in place of the drawn one. */
  thumbnail: StoredPicture | undefined;
  readonly file: SourceFile | undefined;
}

/** What only its owner's writes change in a playlist. */
export interface PlaylistSettings {
  language: string | undefined;
  localizations: StoredLocalizations;
  isPodcast: boolean;
}

export interface StoredPlaylist extends PlaylistSettings {
  readonly id: string;
  readonly channelId: string;
  title: string;
  description: string;
  privacy: StoredPrivacy;
  readonly publishedAt: number;
  items: StoredPlaylistItem[];
}

export interface StoredPlaylistItem {
  readonly id: string;
  readonly videoId: string;
  readonly addedAt: number;
  readonly note: string | undefined;
}

export interface StoredPicture {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Hexadecimal SHA-256. */
  readonly hash: string;
}

/** "other" is kept as it came, and can't be converted. */
export type CaptionFileFormat = "other" | "sbv" | "scc" | "srt" | "ttml" | "vtt";

export interface StoredCaptionTrack {
  readonly id: string;
  readonly videoId: string;
  readonly language: string;
  readonly name: string;
  /** `ASR` is made by YouTube. */
  readonly trackKind: "standard" | "ASR" | "forced";
  isDraft: boolean;
  updatedAt: number;
  /** What was uploaded, as it came; undefined for sample tracks, whose text is generated on demand. */
  bytes: Uint8Array | undefined;
  /** Undefined when the file could not be read. */
  format: CaptionFileFormat | undefined;
}

/** A section of a channel's page; its position is its index in the channel's list. */
export interface StoredSection {
  readonly id: string;
  readonly channelId: string;
  readonly type: string;
  readonly title: string | undefined;
  readonly playlists: readonly string[] | undefined;
  readonly channels: readonly string[] | undefined;
}

export interface StoredWatermark {
  readonly picture: StoredPicture;
  readonly timing: Readonly<Record<string, unknown>>;
  readonly targetChannelId: string | undefined;
}

export interface StoredAbuseReport {
  readonly channelId: string;
  readonly videoId: string;
  readonly reasonId: string;
  readonly secondaryReasonId: string | undefined;
}

export type StoredCommentStatus = "published" | "heldForReview" | "likelySpam" | "rejected";

export interface StoredComment {
  readonly id: string;
  readonly videoId: string;
  /** The top-level comment it answers; undefined when it is one. */
  readonly parentId: string | undefined;
  /** A channel or a person. */
  readonly authorId: string;
  text: string;
  status: StoredCommentStatus;
  readonly likes: number;
  readonly publishedAt: number;
  updatedAt: number;
  /** It came with a picture. */
  readonly hasImage: boolean;
  /** The status before the last decision, and when it changed. */
  formerly?: { readonly status: StoredCommentStatus; readonly until: number };
}

export interface StoredCommentThread {
  readonly top: StoredComment;
  /** In the order in which they came. */
  readonly replies: StoredComment[];
}

export interface StoredSubscription {
  readonly id: string;
  /** A channel or a person. */
  readonly subscriberId: string;
  readonly channelId: string;
  readonly subscribedAt: number;
  /** Uploads that the subscriber has not seen. */
  readonly unseen: number;
}

/** A membership level that a creator offers; the later in the list, the more it gives. */
export interface StoredLevel {
  readonly id: string;
  readonly channelId: string;
  readonly name: string;
}

export interface StoredMembership {
  readonly channelId: string;
  readonly memberId: string;
  readonly since: number;
  levelId: string;
  /** When this level was reached. */
  levelSince: number;
}

/** Someone who watches and writes; like every channel, but without videos. */
export interface StoredUser {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly language: string;
  /** Colour of the picture, 0 to 360. */
  readonly hue: number;
  readonly joinedAt: number;
  /** The account is deleted: what it wrote stays, its name doesn't. */
  readonly isGone: boolean;
}
