import type { Announcement, Feed, FeedProgress, ReleaseKind } from "./record.ts";

/** The state of a feed. */
export interface FeedStatus {
  readonly feed: Feed;
  readonly progress?: FeedProgress | undefined;
  /** Whether the hub pushes new videos, so that the feed is polled less often. */
  readonly isPushed: boolean;
  /** How often it is polled now. */
  readonly intervalMs: number;
  /** What the polls cost a day; releases cost a little more. */
  readonly unitsADay: number;
}

/** A channel, and where its releases of these kinds are announced. */
export type AnnouncedChannel = Pick<Feed, "source" | "title" | "uploads" | "places">;

/** Makes the places out of those that are stored when nobody else can change them; it may be called several times. */
export type PlacesChange = (stored: Feed["places"]) => Feed["places"];

declare module "../channel-messages.ts" {
  interface NotificationFacts extends FeedNotifications {}
}

/** The notifications of feeds; `src/features/announcements` turns them into messages. */
export interface FeedNotifications {
  announcement: {
    readonly guildId: string;
    readonly feed: Feed;
    readonly announcement: Announcement;
    readonly video: ReleasedVideo;
    readonly isSample?: boolean | undefined;
  };
  /** Goes to the server's notice channel, and to its owner. */
  "feed-off": {
    readonly guildId: string;
    readonly feed: Feed;
    readonly code: string;
    /** If only a Discord channel can no longer be used: which one, and for which kinds. */
    readonly place?:
      | { readonly channelId: string; readonly kinds: readonly ReleaseKind[] }
      | undefined;
  };
}

export interface ReleasedVideo {
  readonly id: string;
  readonly kind: ReleaseKind;
  readonly title: string;
  readonly channelTitle: string;
  readonly thumbnailUrl?: string | undefined;
  /** Seconds; absent for what is live. */
  readonly seconds?: number | undefined;
  /** Whether it was live and is over. */
  readonly isOver?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}
