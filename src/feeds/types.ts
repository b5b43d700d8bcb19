import type { Announcement, Feed, FeedProgress, ReleaseKind } from "./record.ts";

/** How a feed goes. */
export interface FeedStatus {
  readonly feed: Feed;
  readonly progress?: FeedProgress;
  /** Whether the hub tells what is new, so that it is looked at seldom. */
  readonly isPushed: boolean;
  /** How often it is looked at now. */
  readonly intervalMs: number;
  /** What that comes to a day; releases cost a little beside it. */
  readonly unitsADay: number;
}

export interface PlacesChange extends Pick<Feed, "source" | "title" | "uploads"> {
  readonly places: Readonly<Partial<Record<ReleaseKind, Feed["places"][ReleaseKind] | null>>>;
}

/** Facts of the events that feeds tell, by name; `src/flows/announcements` draws them. */
export interface FeedEvents {
  announcement: {
    readonly guildId: string;
    readonly feed: Feed;
    readonly announcement: Announcement;
    readonly video: ReleasedVideo;
    readonly isSample?: boolean;
  };
  /** Told where the server hears such things, and to its owner. */
  "feed-off": {
    readonly guildId: string;
    readonly feed: Feed;
    readonly code: string;
    /** Of a channel of Discord's that can't be used any more: which, and for what. */
    readonly place?: { readonly channelId: string; readonly kinds: readonly ReleaseKind[] };
  };
}

export interface ReleasedVideo {
  readonly id: string;
  readonly kind: ReleaseKind;
  readonly title: string;
  readonly channelTitle: string;
  readonly thumbnailUrl?: string;
  /** Seconds; absent for what is live. */
  readonly seconds?: number;
  /** Of what was live and is over. */
  readonly isOver?: true;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}
