import type { Announcement, Feed, FeedProgress, ReleaseKind } from "../store/index.ts";

/** Announcements of what channels bring out, in all guilds that this process serves. */
export interface Feeds {
  of(guildId: string): GuildFeeds;
  start(): void;
  /** Lets go of a guild whose records are to be erased. */
  forget(guildId: string): Promise<void>;
  close(): Promise<void>;
}

/** What of a feed people set. */
export type FeedSetting = Pick<Feed, "source" | "title" | "uploads" | "places">;

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
  /** Announces the channel's newest video as a sample, calling nobody. @throws what the desk and the video client throw. */
  test(id: string, kind?: ReleaseKind): Promise<void>;
  status(
    id: string,
  ): Promise<{ readonly feed: Feed; readonly progress?: FeedProgress } | undefined>;
}

export interface PlacesChange extends Pick<Feed, "source" | "title" | "uploads"> {
  readonly places: Readonly<Partial<Record<ReleaseKind, Feed["places"][ReleaseKind] | null>>>;
}

/** Facts of the events that feeds tell, by name; `src/flows/feeds` draws them. */
export interface FeedEvents {
  announcement: {
    readonly guildId: string;
    readonly feed: Feed;
    readonly announcement: Announcement;
    readonly video: ReleasedVideo;
    readonly isSample?: boolean;
  };
  /** Told where the server hears such things, and to its owner. */
  "feed-off": { readonly guildId: string; readonly feed: Feed; readonly code: string };
}

export interface ReleasedVideo {
  readonly id: string;
  readonly kind: ReleaseKind;
  readonly title: string;
  readonly channelTitle: string;
  readonly thumbnailUrl?: string;
  /** Seconds; absent for what is live. */
  readonly seconds?: number;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}
