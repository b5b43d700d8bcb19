import type { Base, OneOf } from "./shared.ts";

export type ModerationStatus = OneOf<"published" | "heldForReview" | "likelySpam" | "rejected">;

export interface Comment extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly channelId?: string;
    readonly videoId?: string;
    /** The comment that a reply belongs to. */
    readonly parentId?: string;
    /** HTML, unless plain text was asked for. */
    readonly textDisplay?: string;
    /** Only of the token's own comments. */
    readonly textOriginal?: string;
    /** The author's fields are absent when the account is gone. */
    readonly authorDisplayName?: string;
    readonly authorProfileImageUrl?: string;
    readonly authorChannelUrl?: string;
    readonly authorChannelId?: { readonly value?: string };
    readonly canRate?: boolean;
    readonly viewerRating?: OneOf<"none" | "like" | "dislike">;
    readonly likeCount?: number;
    /** Only for the owner of the channel or of the video. */
    readonly moderationStatus?: ModerationStatus;
    /** A picture that some comments carry. */
    readonly imageUrl?: string;
    readonly publishedAt?: string;
    readonly updatedAt?: string;
  };
}

export interface CommentThread extends Base {
  readonly id?: string;
  readonly snippet?: {
    readonly channelId?: string;
    readonly videoId?: string;
    readonly topLevelComment?: Comment;
    readonly canReply?: boolean;
    /** Counts those too that `replies` leaves out. */
    readonly totalReplyCount?: number;
    readonly isPublic?: boolean;
  };
  /** Some of the replies; `comments.list` answers all. */
  readonly replies?: { readonly comments?: readonly Comment[] };
}
