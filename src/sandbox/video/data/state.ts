import type {
  StoredAbuseReport,
  StoredCaptionTrack,
  StoredChannel,
  StoredComment,
  StoredCommentThread,
  StoredLevel,
  StoredMembership,
  StoredPicture,
  StoredPlaylist,
  StoredSection,
  StoredSubscription,
  StoredUser,
  StoredVideo,
  StoredWatermark,
} from "./records.ts";

/** Everything the stand-in stores; the methods that write change it. */
export interface VideoState {
  readonly ownChannelId: string;
  readonly channels: Map<string, StoredChannel>;
  readonly videos: Map<string, StoredVideo>;
  readonly playlists: Map<string, StoredPlaylist>;
  /** The watch history and Watch later of every channel, by list id. */
  readonly privateLists: Map<string, StoredPlaylist>;
  /** Everyone who comments, subscribes and joins, by channel id. */
  readonly users: Map<string, StoredUser>;
  /** Liked videos by channel, newest first. */
  readonly likes: Map<string, string[]>;
  /** When a channel liked a video, by both ids with a space between them. */
  readonly likedAt: Map<string, number>;
  /** Disliked videos by channel, newest first. */
  readonly dislikes: Map<string, string[]>;
  readonly captions: Map<string, StoredCaptionTrack>;
  /** By channel, in order. */
  readonly sections: Map<string, StoredSection[]>;
  /** Uploaded banners by id. */
  readonly banners: Map<string, StoredPicture & { readonly channelId: string }>;
  /** By channel. */
  readonly watermarks: Map<string, StoredWatermark>;
  readonly reports: StoredAbuseReport[];
  /** Every comment that still exists, replies too, by id. */
  readonly comments: Map<string, StoredComment>;
  /** By the id of their top-level comment. */
  readonly threads: Map<string, StoredCommentThread>;
  /** By the id of their video. */
  readonly threadsByVideo: Map<string, StoredCommentThread[]>;
  /** Ids of comments that their authors have deleted. */
  readonly deletedCommentIds: Set<string>;
  /** By channel: the authors whose comments it rejects unread. */
  readonly bannedAuthors: Map<string, Set<string>>;
  readonly subscriptions: Map<string, StoredSubscription>;
  /** Channels and people whose subscriptions are private. */
  readonly privateFollowers: Set<string>;
  readonly levels: StoredLevel[];
  readonly memberships: StoredMembership[];
  /** Everyone who joined or reached a higher level since the start, in that order. */
  readonly memberNews: StoredMembership[];
  /** How many ids were made since the start. */
  mintedIds: number;
}

type Seeded = "ownChannelId" | "channels" | "videos" | "users";

export function emptyVideoState(): Omit<VideoState, Seeded> {
  return {
    playlists: new Map(),
    privateLists: new Map(),
    likes: new Map(),
    likedAt: new Map(),
    dislikes: new Map(),
    captions: new Map(),
    sections: new Map(),
    banners: new Map(),
    watermarks: new Map(),
    reports: [],
    comments: new Map(),
    threads: new Map(),
    threadsByVideo: new Map(),
    deletedCommentIds: new Set(),
    bannedAuthors: new Map(),
    subscriptions: new Map(),
    privateFollowers: new Set(),
    levels: [],
    memberships: [],
    memberNews: [],
    mintedIds: 0,
  };
}
