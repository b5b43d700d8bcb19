/**
 * Resources as the service sends them. Only fields that are shown or decided by are named; the service adds others at
 * will, and any part that was not asked for is absent. 64-bit numbers travel as strings.
 */

export interface Thumbnail {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

export type ThumbnailSize =
  | "default"
  | "medium"
  | "high"
  | "standard"
  | "maxres"
  | "fhd"
  | "qhd"
  | "uhd";

/** Which sizes there are differs from one resource to the next. */
export type Thumbnails = { readonly [Size in ThumbnailSize]?: Thumbnail };

/** The part that every resource has; unknown fields pass through. */
interface Base {
  readonly kind?: string;
  readonly etag?: string;
  readonly [field: string]: unknown;
}

export interface ResourceId {
  readonly kind: string;
  readonly videoId?: string;
  readonly channelId?: string;
  readonly playlistId?: string;
}

interface Localized {
  readonly title?: string;
  readonly description?: string;
}

type Localizations = Readonly<Record<string, Localized>>;
type Privacy = "public" | "unlisted" | "private" | (string & {});
type LiveState = "none" | "upcoming" | "live" | "completed" | (string & {});

/** What a card shows of anything that was published. */
interface Snippet extends Localized {
  /** RFC 3339. */
  readonly publishedAt?: string;
  readonly channelId?: string;
  readonly channelTitle?: string;
  readonly thumbnails?: Thumbnails;
}

export interface SearchResult extends Base {
  readonly id: ResourceId;
  readonly snippet?: Snippet & { readonly liveBroadcastContent?: LiveState };
}

export interface Video extends Base {
  readonly id?: string;
  readonly snippet?: Snippet & {
    readonly tags?: readonly string[];
    readonly categoryId?: string;
    readonly liveBroadcastContent?: LiveState;
    readonly defaultLanguage?: string;
    readonly defaultAudioLanguage?: string;
    readonly localized?: Localized;
  };
  readonly contentDetails?: {
    /** ISO 8601, like `PT15M51S`. */
    readonly duration?: string;
    readonly definition?: string;
    readonly dimension?: string;
    readonly caption?: "true" | "false" | (string & {});
    readonly licensedContent?: boolean;
  };
  readonly status?: {
    readonly uploadStatus?: string;
    readonly failureReason?: string;
    readonly rejectionReason?: string;
    readonly privacyStatus?: Privacy;
    /** RFC 3339. */
    readonly publishAt?: string;
    readonly license?: string;
    readonly embeddable?: boolean;
    readonly publicStatsViewable?: boolean;
    readonly madeForKids?: boolean;
    readonly selfDeclaredMadeForKids?: boolean;
    readonly containsSyntheticMedia?: boolean;
  };
  /** Each count is a decimal string, and absent when its owner hides it. */
  readonly statistics?: {
    readonly viewCount?: string;
    readonly likeCount?: string;
    readonly dislikeCount?: string;
    readonly commentCount?: string;
  };
  readonly liveStreamingDetails?: {
    readonly actualStartTime?: string;
    readonly actualEndTime?: string;
    readonly scheduledStartTime?: string;
    readonly scheduledEndTime?: string;
    /** Decimal string. */
    readonly concurrentViewers?: string;
  };
  readonly player?: { readonly embedHtml?: string };
  readonly topicDetails?: { readonly topicCategories?: readonly string[] };
  readonly localizations?: Localizations;
}

export interface Playlist extends Base {
  readonly id?: string;
  readonly snippet?: Snippet & {
    readonly defaultLanguage?: string;
    readonly localized?: Localized;
  };
  readonly status?: { readonly privacyStatus?: Privacy; readonly podcastStatus?: string };
  readonly contentDetails?: { readonly itemCount?: number };
  readonly player?: { readonly embedHtml?: string };
  readonly localizations?: Localizations;
}

export interface PlaylistItem extends Base {
  /** Of the item; the video's is in `contentDetails.videoId`. */
  readonly id?: string;
  readonly snippet?: Snippet & {
    readonly playlistId?: string;
    /** From 0. */
    readonly position?: number;
    readonly resourceId?: ResourceId;
    readonly videoOwnerChannelId?: string;
    readonly videoOwnerChannelTitle?: string;
  };
  readonly contentDetails?: {
    readonly videoId?: string;
    /** Absent when the video was deleted or made private. */
    readonly videoPublishedAt?: string;
    readonly note?: string;
  };
  readonly status?: { readonly privacyStatus?: Privacy };
}

export interface Channel extends Base {
  readonly id?: string;
  readonly snippet?: Snippet & {
    /** The handle, with its @. */
    readonly customUrl?: string;
    readonly country?: string;
    readonly defaultLanguage?: string;
    readonly localized?: Localized;
  };
  readonly contentDetails?: {
    readonly relatedPlaylists?: { readonly likes?: string; readonly uploads?: string };
  };
  /** Each count is a decimal string. */
  readonly statistics?: {
    readonly viewCount?: string;
    readonly subscriberCount?: string;
    readonly hiddenSubscriberCount?: boolean;
    readonly videoCount?: string;
  };
  readonly status?: {
    readonly privacyStatus?: Privacy;
    readonly isLinked?: boolean;
    readonly longUploadsStatus?: string;
    readonly madeForKids?: boolean;
    readonly selfDeclaredMadeForKids?: boolean;
  };
  readonly brandingSettings?: {
    readonly channel?: Localized & {
      readonly keywords?: string;
      readonly country?: string;
      readonly defaultLanguage?: string;
      readonly unsubscribedTrailer?: string;
    };
    readonly image?: { readonly bannerExternalUrl?: string };
  };
  readonly topicDetails?: { readonly topicCategories?: readonly string[] };
  readonly localizations?: Localizations;
}

export interface I18nRegion extends Base {
  readonly id?: string;
  readonly snippet?: { readonly gl?: string; readonly name?: string };
}

export interface VideoCategory extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly title?: string;
    readonly assignable?: boolean;
    readonly channelId?: string;
  };
}

/** Resources by the names that rows use; a row may name one that has no type here yet. */
export interface Resources {
  readonly SearchResult: SearchResult;
  readonly Video: Video;
  readonly Playlist: Playlist;
  readonly PlaylistItem: PlaylistItem;
  readonly Channel: Channel;
  readonly I18nRegion: I18nRegion;
  readonly VideoCategory: VideoCategory;
}

/** One page of a list. */
export interface Page<Item> {
  readonly kind?: string;
  readonly etag?: string;
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
  readonly prevPageToken?: string;
  /** `totalResults` is an estimate: page by token until there is none. */
  readonly pageInfo?: { readonly totalResults?: number; readonly resultsPerPage?: number };
  readonly [field: string]: unknown;
}
