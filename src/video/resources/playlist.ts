import type {
  Base,
  Localizations,
  Localized,
  OneOf,
  Privacy,
  ResourceId,
  Snippet,
} from "./shared.ts";

export interface Playlist extends Base {
  readonly id?: string;
  readonly snippet?: Snippet & {
    readonly defaultLanguage?: string;
    readonly localized?: Localized;
  };
  readonly status?: {
    readonly privacyStatus?: Privacy;
    readonly podcastStatus?: OneOf<"enabled" | "disabled">;
  };
  readonly contentDetails?: { readonly itemCount?: number };
  readonly player?: { readonly embedHtml?: string };
  readonly localizations?: Localizations;
}

export interface PlaylistItem extends Base {
  /** Of the item; the video's is in `contentDetails.videoId`. */
  readonly id?: string;
  /** `publishedAt` is when it was added, `channelId` whose playlist it is. */
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
