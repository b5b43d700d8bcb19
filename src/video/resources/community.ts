import type { OneOf, ResourceBase, ResourceId, ResourceSnippet, Thumbnails } from "./shared.ts";

export interface Subscription extends ResourceBase {
  readonly id?: string;
  /** `resourceId` is the channel that is subscribed to; `channelId` is the subscriber. */
  readonly snippet?: ResourceSnippet & { readonly resourceId?: ResourceId };
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

interface MembershipDuration {
  readonly memberSince?: string;
  readonly memberTotalDurationMonths?: number;
}

export interface Member extends ResourceBase {
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
      readonly membershipsDuration?: MembershipDuration;
      readonly membershipsDurationAtLevels?: readonly (MembershipDuration & {
        readonly level?: string;
      })[];
    };
  };
}

export interface MembershipsLevel extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly creatorChannelId?: string;
    readonly levelDetails?: { readonly displayName?: string };
  };
}

interface ActivitySubject {
  readonly resourceId?: ResourceId;
}

export interface Activity extends ResourceBase {
  readonly id?: string;
  readonly snippet?: ResourceSnippet & {
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
    readonly like?: ActivitySubject;
    readonly favorite?: ActivitySubject;
    readonly comment?: ActivitySubject;
    readonly subscription?: ActivitySubject;
    readonly playlistItem?: ActivitySubject & {
      readonly playlistId?: string;
      readonly playlistItemId?: string;
    };
    readonly recommendation?: ActivitySubject & {
      readonly reason?: OneOf<"videoFavorited" | "videoLiked" | "videoWatched">;
      readonly seedResourceId?: ResourceId;
    };
    readonly bulletin?: ActivitySubject;
    readonly social?: ActivitySubject & {
      readonly type?: string;
      readonly author?: string;
      readonly referenceUrl?: string;
      readonly imageUrl?: string;
    };
    readonly channelItem?: ActivitySubject;
  };
}
