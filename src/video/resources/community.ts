import type { Base, OneOf, ResourceId, Snippet, Thumbnails } from "./shared.ts";

export interface Subscription extends Base {
  readonly id?: string;
  /** The channel that is subscribed to is in `resourceId`; `channelId` is the subscriber. */
  readonly snippet?: Snippet & { readonly resourceId?: ResourceId };
  readonly contentDetails?: {
    readonly totalItemCount?: number;
    readonly newItemCount?: number;
    readonly activityType?: OneOf<"all" | "uploads">;
  };
  readonly subscriberSnippet?: {
    readonly title?: string;
    readonly description?: string;
    readonly channelId?: string;
    readonly thumbnails?: Thumbnails;
  };
}

interface Duration {
  readonly memberSince?: string;
  readonly memberTotalDurationMonths?: number;
}

export interface Member extends Base {
  readonly snippet?: {
    readonly creatorChannelId?: string;
    readonly memberDetails?: {
      readonly channelId?: string;
      readonly channelUrl?: string;
      readonly displayName?: string;
      readonly profileImageUrl?: string;
    };
    readonly membershipsDetails?: {
      readonly highestAccessibleLevel?: string;
      readonly highestAccessibleLevelDisplayName?: string;
      readonly accessibleLevels?: readonly string[];
      readonly membershipsDuration?: Duration;
      readonly membershipsDurationAtLevels?: readonly (Duration & { readonly level?: string })[];
    };
  };
}

export interface MembershipsLevel extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly creatorChannelId?: string;
    readonly levelDetails?: { readonly displayName?: string };
  };
}

interface About {
  readonly resourceId?: ResourceId;
}

export interface Activity extends Base {
  readonly id?: string;
  readonly snippet?: Snippet & {
    readonly type?: OneOf<
      | "upload"
      | "like"
      | "favorite"
      | "comment"
      | "subscription"
      | "playlistItem"
      | "recommendation"
      | "bulletin"
      | "social"
      | "channelItem"
      | "promotedItem"
    >;
    readonly groupId?: string;
  };
  /** The one field that `snippet.type` names. */
  readonly contentDetails?: {
    readonly upload?: { readonly videoId?: string };
    readonly like?: About;
    readonly favorite?: About;
    readonly comment?: About;
    readonly subscription?: About;
    readonly playlistItem?: About & {
      readonly playlistId?: string;
      readonly playlistItemId?: string;
    };
    readonly recommendation?: About & {
      readonly reason?: OneOf<"videoFavorited" | "videoLiked" | "videoWatched">;
      readonly seedResourceId?: ResourceId;
    };
    readonly bulletin?: About;
    readonly social?: About & {
      readonly type?: string;
      readonly author?: string;
      readonly referenceUrl?: string;
      readonly imageUrl?: string;
    };
    readonly channelItem?: About;
  };
}
