import type {
  Localizations,
  Localized,
  OneOf,
  PrivacyStatus,
  ResourceBase,
  ResourceSnippet,
  Thumbnails,
} from "./shared.ts";

export interface Channel extends ResourceBase {
  readonly id?: string;
  readonly snippet?: ResourceSnippet & {
    /** The handle, with its @. */
    readonly customUrl?: string;
    readonly country?: string;
    readonly defaultLanguage?: string;
    readonly localized?: Localized;
  };
  readonly contentDetails?: {
    /** Ids of playlists, to be read with `playlistItems.list`; closed ones are absent or empty. */
    readonly relatedPlaylists?: {
      readonly uploads?: string;
      readonly likes?: string;
      readonly watchHistory?: string;
      readonly watchLater?: string;
    };
  };
  /** Each count is a decimal string. */
  readonly statistics?: {
    readonly viewCount?: string;
    readonly subscriberCount?: string;
    readonly hiddenSubscriberCount?: boolean;
    readonly videoCount?: string;
  };
  readonly status?: {
    readonly privacyStatus?: PrivacyStatus;
    readonly isLinked?: boolean;
    readonly longUploadsStatus?: OneOf<"allowed" | "eligible" | "disallowed">;
    readonly madeForKids?: boolean;
    readonly selfDeclaredMadeForKids?: boolean;
  };
  readonly brandingSettings?: {
    readonly channel?: Localized & {
      readonly keywords?: string;
      readonly country?: string;
      readonly defaultLanguage?: string;
      readonly unsubscribedTrailer?: string;
      readonly trackingAnalyticsAccountId?: string;
      /** Visitors see the channel's sections only when it is true. */
      readonly showBrowseView?: boolean;
    };
    readonly image?: { readonly bannerExternalUrl?: string };
  };
  readonly invideoPromotion?: Readonly<Record<string, unknown>>;
  readonly topicDetails?: { readonly topicCategories?: readonly string[] };
  readonly localizations?: Localizations;
}

/** What uploading a banner returns. */
export interface ChannelBanner extends ResourceBase {
  /** For `brandingSettings.image.bannerExternalUrl`. */
  readonly url?: string;
}

export interface ChannelSection extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly type?: OneOf<
      | "singlePlaylist"
      | "multiplePlaylists"
      | "popularUploads"
      | "recentUploads"
      | "likes"
      | "allPlaylists"
      | "likedPlaylists"
      | "recentPosts"
      | "recentActivity"
      | "liveEvents"
      | "upcomingEvents"
      | "completedEvents"
      | "multipleChannels"
      | "postedVideos"
      | "postedPlaylists"
      | "subscriptions"
    >;
    readonly channelId?: string;
    readonly title?: string;
    /** From 0. */
    readonly position?: number;
  };
  readonly contentDetails?: {
    readonly playlists?: readonly string[];
    readonly channels?: readonly string[];
  };
}

/** What setting a thumbnail returns. */
export interface ThumbnailSet extends ResourceBase {
  readonly items?: readonly Thumbnails[];
}

/** Only sent, never answered. */
export interface Watermark {
  readonly timing?: {
    readonly type?: OneOf<"offsetFromStart" | "offsetFromEnd">;
    /** Milliseconds, as decimal strings. */
    readonly offsetMs?: string;
    readonly durationMs?: string;
  };
  readonly targetChannelId?: string;
}
