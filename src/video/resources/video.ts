import type {
  LiveBroadcastContent,
  Localizations,
  Localized,
  OneOf,
  PrivacyStatus,
  ResourceBase,
  ResourceId,
  ResourceSnippet,
} from "./shared.ts";

export interface Video extends ResourceBase {
  readonly id?: string;
  readonly snippet?: ResourceSnippet & {
    readonly tags?: readonly string[];
    readonly categoryId?: string;
    readonly liveBroadcastContent?: LiveBroadcastContent;
    readonly defaultLanguage?: string;
    readonly defaultAudioLanguage?: string;
    readonly localized?: Localized;
  };
  readonly contentDetails?: {
    /** ISO 8601, like `PT15M51S`. */
    readonly duration?: string;
    readonly definition?: string;
    readonly dimension?: string;
    readonly caption?: OneOf<"true" | "false">;
    readonly licensedContent?: boolean;
    readonly hasCustomThumbnail?: boolean;
    readonly projection?: OneOf<"rectangular" | "360">;
    /** Country codes: everywhere but there, or nowhere else. */
    readonly regionRestriction?: {
      readonly allowed?: readonly string[];
      readonly blocked?: readonly string[];
    };
    /** `exception` lists the countries where it is the other way round. */
    readonly countryRestriction?: {
      readonly allowed?: boolean;
      readonly exception?: readonly string[];
    };
    /** By body, like `fskRating`; reasons are lists. */
    readonly contentRating?: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly status?: {
    readonly uploadStatus?: OneOf<"uploaded" | "processed" | "failed" | "rejected" | "deleted">;
    readonly failureReason?: string;
    readonly rejectionReason?: string;
    readonly privacyStatus?: PrivacyStatus;
    readonly publishAt?: string;
    readonly license?: OneOf<"youtube" | "creativeCommon">;
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
    readonly favoriteCount?: string;
  };
  readonly liveStreamingDetails?: {
    readonly actualStartTime?: string;
    readonly actualEndTime?: string;
    readonly scheduledStartTime?: string;
    readonly scheduledEndTime?: string;
    /** Decimal string. */
    readonly concurrentViewers?: string;
    readonly activeLiveChatId?: string;
  };
  readonly recordingDetails?: {
    readonly recordingDate?: string;
    readonly locationDescription?: string;
    readonly location?: {
      readonly latitude?: number;
      readonly longitude?: number;
      /** In metres. */
      readonly altitude?: number;
    };
  };
  /** Only the owner sees it, and `processingDetails` and `suggestions`. */
  readonly fileDetails?: {
    readonly fileName?: string;
    /** Decimal strings. */
    readonly fileSize?: string;
    readonly durationMs?: string;
    readonly bitrateBps?: string;
    readonly fileType?: string;
    readonly container?: string;
    readonly creationTime?: string;
    readonly videoStreams?: readonly VideoStream[];
    readonly audioStreams?: readonly AudioStream[];
  };
  readonly processingDetails?: {
    readonly processingStatus?: OneOf<"processing" | "succeeded" | "failed" | "terminated">;
    readonly processingFailureReason?: string;
    readonly fileDetailsAvailability?: string;
    readonly processingIssuesAvailability?: string;
    readonly tagSuggestionsAvailability?: string;
    readonly editorSuggestionsAvailability?: string;
    readonly thumbnailsAvailability?: string;
    /** Decimal strings. */
    readonly processingProgress?: {
      readonly partsTotal?: string;
      readonly partsProcessed?: string;
      readonly timeLeftMs?: string;
    };
  };
  readonly suggestions?: {
    readonly processingErrors?: readonly string[];
    readonly processingWarnings?: readonly string[];
    readonly processingHints?: readonly string[];
    readonly tagSuggestions?: readonly {
      readonly tag?: string;
      /** Category ids in which the tag makes sense. */
      readonly categoryRestricts?: readonly string[];
    }[];
    readonly editorSuggestions?: readonly string[];
  };
  readonly paidProductPlacementDetails?: { readonly hasPaidProductPlacement?: boolean };
  readonly brandPartner?: { readonly channelId?: string; readonly channelHandle?: string };
  readonly player?: {
    readonly embedHtml?: string;
    /** Decimal strings; there when the call says how large the player may be and the shape of the video is known. */
    readonly embedHeight?: string;
    readonly embedWidth?: string;
  };
  readonly topicDetails?: {
    /** Addresses of encyclopedia articles. */
    readonly topicCategories?: readonly string[];
    readonly topicIds?: readonly string[];
    readonly relevantTopicIds?: readonly string[];
  };
  readonly localizations?: Localizations;
}

export interface VideoStream {
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly frameRateFps?: number;
  readonly aspectRatio?: number;
  readonly codec?: string;
  /** Decimal string. */
  readonly bitrateBps?: string;
  readonly rotation?: OneOf<"none" | "clockwise" | "upsideDown" | "counterClockwise" | "other">;
  readonly vendor?: string;
}

export interface AudioStream {
  readonly channelCount?: number;
  readonly codec?: string;
  /** Decimal string. */
  readonly bitrateBps?: string;
  readonly vendor?: string;
}

export interface VideoRating extends ResourceBase {
  readonly videoId?: string;
  /** `unspecified` when there is no rating. */
  readonly rating?: OneOf<"like" | "dislike" | "none" | "unspecified">;
}

/** Only sent, never answered. */
export interface VideoAbuseReport {
  readonly videoId?: string;
  readonly reasonId?: string;
  readonly secondaryReasonId?: string;
  readonly comments?: string;
  readonly language?: string;
}

export interface Caption extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly videoId?: string;
    readonly lastUpdated?: string;
    /** `ASR` was created by speech recognition. */
    readonly trackKind?: OneOf<"standard" | "ASR" | "forced">;
    readonly language?: string;
    /** Empty for the main captions of a language. */
    readonly name?: string;
    readonly audioTrackType?: OneOf<"unknown" | "primary" | "commentary" | "descriptive">;
    readonly isCC?: boolean;
    readonly isDraft?: boolean;
    readonly isAutoSynced?: boolean;
    readonly status?: OneOf<"serving" | "syncing" | "failed">;
    readonly failureReason?: OneOf<"unknownFormat" | "unsupportedFormat" | "processingFailed">;
  };
}

export interface SearchResult extends ResourceBase {
  /** An object here, unlike everywhere else. */
  readonly id: ResourceId;
  readonly snippet?: ResourceSnippet & { readonly liveBroadcastContent?: LiveBroadcastContent };
}
