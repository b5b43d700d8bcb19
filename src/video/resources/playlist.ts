import type {
  Localizations,
  Localized,
  OneOf,
  PrivacyStatus,
  ResourceBase,
  ResourceId,
  ResourceSnippet,
} from "./shared.ts";

export interface Playlist extends ResourceBase {
  readonly id?: string;
  readonly snippet?: ResourceSnippet & {
    readonly defaultLanguage?: string;
    readonly localized?: Localized;
  };
  readonly status?: {
    readonly privacyStatus?: PrivacyStatus;
    readonly podcastStatus?: OneOf<"enabled" | "disabled">;
  };
  readonly contentDetails?: { readonly itemCount?: number };
  readonly player?: { readonly embedHtml?: string };
  readonly localizations?: Localizations;
}

export interface PlaylistItem extends ResourceBase {
  /** Of the item; the video's is in `contentDetails.videoId`. */
  readonly id?: string;
  /** `publishedAt` is when it was added, `channelId` whose playlist it is. */
  readonly snippet?: ResourceSnippet & {
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
  readonly status?: { readonly privacyStatus?: PrivacyStatus };
}
