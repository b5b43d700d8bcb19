import type { OneOf, ResourceBase } from "./shared.ts";

export type ModerationStatus = OneOf<"published" | "heldForReview" | "likelySpam" | "rejected">;

export interface Comment extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly channelId?: string;
    readonly videoId?: string;
    /** The comment that a reply belongs to. */
    readonly parentId?: string;
    /** HTML, unless plain text was asked for. */
    readonly textDisplay?: string;
    /** Only there for comments of the token's channel. */
    readonly textOriginal?: string;
    /** The author's fields are absent when the account is gone. */
    readonly authorDisplayName?: string;
    readonly authorProfileImageUrl?: string;
    readonly authorChannelUrl?: string;
    readonly authorChannelId?: { readonly value?: string };
    readonly canRate?: boolean;
    readonly viewerRating?: OneOf<"none" | "like" | "dislike">;
    readonly likeCount?: number;
    /** Only there for the owner of the channel or the video. */
    readonly moderationStatus?: ModerationStatus;
    /** A picture that some comments carry. */
    readonly imageUrl?: string;
    readonly publishedAt?: string;
    readonly updatedAt?: string;
  };
}

export interface CommentThread extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly channelId?: string;
    readonly videoId?: string;
    readonly topLevelComment?: Comment;
    readonly canReply?: boolean;
    /** Includes replies that `replies` leaves out. */
    readonly totalReplyCount?: number;
    readonly isPublic?: boolean;
  };
  /** Some of the replies; `comments.list` returns all. */
  readonly replies?: { readonly comments?: readonly Comment[] };
}
