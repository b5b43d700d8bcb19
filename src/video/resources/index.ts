import type {
  I18nLanguage,
  I18nRegion,
  VideoAbuseReportReason,
  VideoCategory,
} from "./catalogues.ts";
import type { Channel, ChannelBanner, ChannelSection, ThumbnailSet, Watermark } from "./channel.ts";
import type { Comment, CommentThread } from "./comment.ts";
import type { Activity, Member, MembershipsLevel, Subscription } from "./community.ts";
import type { Playlist, PlaylistItem } from "./playlist.ts";
import type { Caption, SearchResult, Video, VideoAbuseReport, VideoRating } from "./video.ts";

export type * from "./catalogues.ts";
export type * from "./channel.ts";
export type * from "./comment.ts";
export type * from "./community.ts";
export type * from "./playlist.ts";
export type {
  LaterValue,
  OneOf,
  ResourceId,
  ResourcePage,
  Thumbnail,
  ThumbnailSize,
  Thumbnails,
} from "./shared.ts";
export type * from "./video.ts";

/** Every resource, by the name that the table of methods uses. */
export interface Resources {
  readonly Activity: Activity;
  readonly Caption: Caption;
  readonly Channel: Channel;
  readonly ChannelBanner: ChannelBanner;
  readonly ChannelSection: ChannelSection;
  readonly Comment: Comment;
  readonly CommentThread: CommentThread;
  readonly I18nLanguage: I18nLanguage;
  readonly I18nRegion: I18nRegion;
  readonly Member: Member;
  readonly MembershipsLevel: MembershipsLevel;
  readonly Playlist: Playlist;
  readonly PlaylistItem: PlaylistItem;
  readonly SearchResult: SearchResult;
  readonly Subscription: Subscription;
  readonly ThumbnailSet: ThumbnailSet;
  readonly Video: Video;
  readonly VideoAbuseReport: VideoAbuseReport;
  readonly VideoAbuseReportReason: VideoAbuseReportReason;
  readonly VideoCategory: VideoCategory;
  readonly VideoRating: VideoRating;
  readonly Watermark: Watermark;
}
