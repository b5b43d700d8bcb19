import type {
  Base,
  LiveState,
  Localizations,
  Localized,
  OneOf,
  Privacy,
  Snippet,
} from "./shared.ts";

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
    readonly caption?: OneOf<"true" | "false">;
    readonly licensedContent?: boolean;
    readonly hasCustomThumbnail?: boolean;
  };
  readonly status?: {
    readonly uploadStatus?: OneOf<"uploaded" | "processed" | "failed" | "rejected" | "deleted">;
    readonly failureReason?: string;
    readonly rejectionReason?: string;
    readonly privacyStatus?: Privacy;
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
  };
  readonly liveStreamingDetails?: {
    readonly actualStartTime?: string;
    readonly actualEndTime?: string;
    readonly scheduledStartTime?: string;
    readonly scheduledEndTime?: string;
    /** Decimal string. */
    readonly concurrentViewers?: string;
  };
  readonly recordingDetails?: { readonly recordingDate?: string };
  readonly processingDetails?: {
    readonly processingStatus?: OneOf<"processing" | "succeeded" | "failed" | "terminated">;
    readonly processingFailureReason?: string;
    /** Decimal strings. */
    readonly processingProgress?: {
      readonly partsTotal?: string;
      readonly partsProcessed?: string;
      readonly timeLeftMs?: string;
    };
  };
  readonly paidProductPlacementDetails?: { readonly hasPaidProductPlacement?: boolean };
  readonly player?: {
    readonly embedHtml?: string;
    /** Decimal strings; told to those who say how large the player may be, where the shape is known. */
    readonly embedHeight?: string;
    readonly embedWidth?: string;
  };
  readonly topicDetails?: { readonly topicCategories?: readonly string[] };
  readonly localizations?: Localizations;
}

export interface VideoRating extends Base {
  readonly videoId?: string;
  /** `unspecified` when there is none to tell. */
  readonly rating?: OneOf<"like" | "dislike" | "none" | "unspecified">;
}

export interface VideoCategory extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly title?: string;
    /** Only such a category can be given to a video. */
    readonly assignable?: boolean;
    readonly channelId?: string;
  };
}

export interface VideoAbuseReportReason extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly label?: string;
    /** When there are some, one of them belongs in the report. */
    readonly secondaryReasons?: readonly { readonly id?: string; readonly label?: string }[];
  };
}

/** Only ever sent. */
export interface VideoAbuseReport {
  readonly videoId?: string;
  readonly reasonId?: string;
  readonly secondaryReasonId?: string;
  readonly comments?: string;
  readonly language?: string;
}

export interface Caption extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly videoId?: string;
    readonly lastUpdated?: string;
    /** `ASR` was made by a machine. */
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
