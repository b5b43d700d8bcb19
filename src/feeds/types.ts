import type { Hub } from "./push/hub.ts";
import type { Announcement, Feed, FeedProgress, ReleaseKind } from "./record.ts";

/** Announcements of what channels bring out. The work is done by jobs, in whichever process. */
export interface Feeds {
  of(guildId: string): GuildFeeds;
  /** What the hub asks and tells, behind `callbackUrl`. */
  readonly hub: Hub;
}

/** All of it throws ServiceError `store_unavailable`. */
export interface GuildFeeds {
  all(): Promise<readonly Feed[]>;
  /**
   * Begins a feed, or changes the places of one: there is one a channel. A place of `null` goes; a feed without places
   * is removed. @throws InputError `too_many_feeds`.
   */
  put(setting: PlacesChange, by: string): Promise<Feed | undefined>;
  remove(id: string): Promise<boolean>;
  pause(id: string, by: string): Promise<Feed | undefined>;
  resume(id: string): Promise<Feed | undefined>;
  /**
   * Announces the channel's newest video as a sample, calling nobody, and answers where: as what it is, or as of the
   * kind that is asked for. @throws InputError `feed_not_found`, `feed_without_video`, `feed_kind_missing`; what the
   * desk and the video client throw.
   */
  test(id: string, kind?: ReleaseKind): Promise<{ readonly channelId: string }>;
  status(id: string): Promise<FeedStatus | undefined>;
}

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
