import {
  type Announcement,
  type Feed,
  type FeedProgress,
  found,
  rowIdOf,
  type Store,
} from "../store/index.ts";

/** One feed of one guild. */
export interface FeedRef {
  readonly guildId: string;
  readonly feedId: string;
}

/** Feeds and all that belongs to them, as they are kept. All of it throws ServiceError `store_unavailable`. */
export interface Rows {
  feeds(guildId: string): Promise<readonly Feed[]>;
  everywhere(): Promise<readonly (readonly [guildId: string, feed: Feed])[]>;
  feed(ref: FeedRef): Promise<Feed | undefined>;
  changeFeed<T extends Feed | undefined>(
    ref: FeedRef,
    make: (stored: Feed | undefined) => T,
  ): Promise<T>;
  progress(ref: FeedRef): Promise<FeedProgress>;
  changeProgress(ref: FeedRef, make: (stored: FeedProgress) => FeedProgress): Promise<FeedProgress>;
  announcements(ref: FeedRef): Promise<readonly Announcement[]>;
  announcement(ref: FeedRef, videoId: string): Promise<Announcement | undefined>;
  changeAnnouncement<T extends Announcement | undefined>(
    ref: FeedRef,
    videoId: string,
    make: (stored: Announcement | undefined) => T,
  ): Promise<T>;
  /** With all that belongs to it; answers whether there was one. */
  remove(ref: FeedRef): Promise<boolean>;
  /** What belongs to it, and not the feed. */
  empty(ref: FeedRef): Promise<void>;
}

/** A channel has one feed in a guild, also when two people begin it at once. */
export function feedIdOf(source: string): string {
  return rowIdOf(source, 16);
}

export function announcementIdOf(videoId: string): string {
  return rowIdOf(videoId);
}

export function createRows({ feeds }: Pick<Store, "feeds">): Rows {
  const keyOf = ({ feedId }: FeedRef, videoId: string) => `${feedId}:${announcementIdOf(videoId)}`;

  async function empty({ guildId, feedId }: FeedRef): Promise<void> {
    await feeds.progress.remove(guildId, feedId);
    for (const { id } of await feeds.announcements.list(guildId, feedId)) {
      await feeds.announcements.remove(guildId, `${feedId}:${id}`);
    }
  }

  return {
    feeds: (guildId) => feeds.feeds.list(guildId),
    everywhere: () => feeds.feeds.all(),
    feed: async ({ guildId, feedId }) => found(await feeds.feeds.read(guildId, feedId)),
    changeFeed: ({ guildId, feedId }, make) => feeds.feeds.update(guildId, feedId, make),
    progress: async ({ guildId, feedId }) =>
      found(await feeds.progress.read(guildId, feedId)) ?? none,
    changeProgress: ({ guildId, feedId }, make) =>
      feeds.progress.update(guildId, feedId, (stored) => make(stored ?? none)),
    announcements: ({ guildId, feedId }) => feeds.announcements.list(guildId, feedId),
    announcement: async (ref, videoId) =>
      found(await feeds.announcements.read(ref.guildId, keyOf(ref, videoId))),
    changeAnnouncement: (ref, videoId, make) =>
      feeds.announcements.update(ref.guildId, keyOf(ref, videoId), make),
    remove: async (ref) => {
      const { guildId, feedId } = ref;
      let isThere = false;
      await feeds.feeds.update(guildId, feedId, (stored) => {
        isThere = stored !== undefined;
        return undefined;
      });
      await empty(ref);
      return isThere;
    },
    empty,
  };
}

const none: FeedProgress = { failures: 0 };
