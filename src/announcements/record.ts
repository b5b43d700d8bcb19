import type { ReleasedVideo, ReleaseKind } from "./release.ts";
import type {
  FollowedStream,
  FurtherMessage,
  StreamEvent,
  StreamNotice,
} from "./streams/stream-record.ts";

/** Where a kind is announced: a premiere goes where streams go, unless it has a place of its own. */
export function placeFor(places: Feed["places"], kind: ReleaseKind): FeedPlace | undefined {
  return places[kind] ?? (kind === "premiere" ? places.live : undefined);
}

/** Where and how one kind is announced. */
export interface FeedPlace {
  /** Discord's channel. */
  readonly channelId: string;
  /** Each release is a post of its own there. */
  readonly isForum?: true | undefined;
  readonly roleId?: string | undefined;
  /** In a forum: ids of the tags that each post gets, besides the one that is named after its kind. */
  readonly tagIds?: readonly string[] | undefined;
  /** Opens a thread under each message; a post in a forum is one already. */
  readonly hasThread?: true | undefined;
  /** In an announcement channel: sends each message to the channels that follow it. */
  readonly isPublished?: true | undefined;
  /** Language of the messages, such as `fr`; the server's when absent. */
  readonly locale?: string | undefined;
  /** The server's own text, with placeholders such as `{title}`; the default sentence when absent. */
  readonly template?: string | undefined;
  /** Why the bot announces nothing there. */
  readonly off?: SwitchedOff | undefined;
}

/** Something that the bot switched off by itself. */
export interface SwitchedOff {
  readonly at: number;
  /** The code of an error. */
  readonly code: string;
  /** Whether people have been notified. */
  readonly isTold?: true | undefined;
}

/** Which releases are announced; what is absent excludes nothing. */
export interface FeedFilter {
  /** The title contains one of these, in any case. */
  readonly titleContains?: readonly string[] | undefined;
  /** Videos that last at least this long; streams have no length beforehand, and pass. */
  readonly minSeconds?: number | undefined;
  /** Ids of YouTube's categories. */
  readonly categoryIds?: readonly string[] | undefined;
  readonly hasNoShorts?: true | undefined;
}

/** The ways to tell people about a stream: `StreamOptions` explains them. */
export const streamMessages = ["one", "each", "live"] as const;

/** How streams and premieres are followed. */
export interface StreamOptions {
  /**
   * `one`: a message that is edited from the first notice to the recording. `each`: a new message for each stage; those before
   * it become one line with a link to it. `live`: one that is posted at the start and edited afterwards.
   */
  readonly messages: (typeof streamMessages)[number];
  /** When `messages` was last changed: what happened before has been told in the way chosen then. */
  readonly messagesSince?: number | undefined;
  /** How long before the start people are reminded; no reminder when absent. */
  readonly reminderMs?: number | undefined;
  /** Keeps an event of Discord's in step with each stream. */
  readonly hasEvents?: true | undefined;
  /** Why the bot makes no events any more, until people choose them again. */
  readonly eventsOff?: SwitchedOff | undefined;
}

/** What a feed begins with. Feeds that were stored without it work as with `live`. */
export const firstStreamOptions = { messages: "one" } as const satisfies StreamOptions;

/** A channel whose releases are announced. Times are milliseconds since the epoch. */
export interface Feed {
  /** 16 hex digits. */
  readonly id: string;
  /** Id of the YouTube channel, and its title when it was last read. */
  readonly source: string;
  readonly title: string;
  readonly titleReadAt: number;
  /** Its playlist of uploads. */
  readonly uploads: string;
  /** At least one. */
  readonly places: Readonly<Partial<Record<ReleaseKind, FeedPlace>>>;
  readonly filter?: FeedFilter | undefined;
  /** Absent in feeds from before streams were followed, which work as with `live`. */
  readonly streams?: StreamOptions | undefined;
  /** Nothing is announced until then. Videos that come out in the meantime are not announced later either. */
  readonly mutedUntil?: number | undefined;
  readonly paused?: { readonly at: number; readonly by: string } | undefined;
  /** Why it was switched off by the bot. */
  readonly off?: SwitchedOff | undefined;
  readonly addedBy: string;
  /** Nothing that came out before is announced. */
  readonly addedAt: number;
}

/** A feed's progress. */
export interface FeedProgress {
  readonly polledAt?: number | undefined;
  readonly nextPollAt?: number | undefined;
  /** Failed polls in a row. */
  readonly failures?: number | undefined;
  /** The project whose units its polls take, and how many polls a day it wants; absent while it is not polled. */
  readonly project?: string | undefined;
  readonly looksADay?: number | undefined;
  /** Pushed videos that have not been read yet. */
  readonly pushed?: readonly PushedVideo[] | undefined;
  /** Polls that the hub caused, and since when they are counted. */
  readonly pushes?: { readonly since: number; readonly count: number } | undefined;
  /** When old records were last forgotten. */
  readonly forgottenAt?: number | undefined;
  /** Until when the hub pushes new videos; the secret is sealed elsewhere. */
  readonly pushUntil?: number | undefined;
  /** When the hub was last asked for a subscription. */
  readonly pushAskedAt?: number | undefined;
  /** The lease in seconds to ask for next, after a longer one was refused; 0 where every lease was refused. */
  readonly pushLeaseS?: number | undefined;
  /** The usual time between two releases, in milliseconds. */
  readonly gapMs?: number | undefined;
  /** The newest release that was seen. */
  readonly newestAt?: number | undefined;
  readonly announcedAt?: number | undefined;
  /** How many public videos YouTube said that the channel has, where that is compared. */
  readonly videoCount?: string | undefined;
  /** Since when neither its playlist nor its channel is found. */
  readonly missingSince?: number | undefined;
  /** Since when the server has neither a key nor a link to read it with. */
  readonly keylessSince?: number | undefined;
  /** What failed for the latest message in each place. */
  readonly troubles?: readonly PlaceTrouble[] | undefined;
}

/** A setting of a place that could not be applied to the latest message there. */
export interface PlaceTrouble {
  readonly channelId: string;
  readonly what: "isPublished" | "hasThread" | "tagIds";
  /** The code of an error, or `tags_left_out`. */
  readonly code: string;
  readonly since: number;
}

export interface PushedVideo {
  readonly id: string;
  /** How often YouTube was asked for it without showing it. */
  readonly tries: number;
}

/** One video of a feed, announced or not. Kept so that nothing is announced twice. */
export interface Announcement {
  readonly feedId: string;
  readonly videoId: string;
  /**
   * `known`: came out before the feed began; `awaited`: to come out later; `skipped`: not wanted. A stream that is
   * followed is `followed`, or `behind` while its messages do not say yet what is known.
   */
  readonly state: "known" | "awaited" | "skipped" | "due" | "done" | "followed" | "behind";
  readonly kind?: ReleaseKind | undefined;
  /** When it came out, in milliseconds since the epoch. */
  readonly publishedAt?: number | undefined;
  readonly card?: AnnouncementMessage | undefined;
  /** Only in rows from before each message had its own `triedAt`. */
  readonly triedAt?: number | undefined;
  /**
   * For an awaited or followed video: when to read it again. For a due one that is posted: when to try again what it still
   * lacks.
   */
  readonly lookAt?: number | undefined;
  readonly stream?: FollowedStream | undefined;
  /** The messages about a stream besides the first. */
  readonly more?: Readonly<Partial<Record<FurtherMessage, AnnouncementMessage>>> | undefined;
  readonly event?: StreamEvent | undefined;
  readonly at: number;
}

/** A message that announces a video; recorded before it is sent. */
export interface AnnouncementMessage {
  /** `due`: to be sent; `sending`: perhaps sent; `posted`: there; `gone`: people removed it, and it is not sent again. */
  readonly state: "due" | "sending" | "posted" | "gone";
  readonly handle: string;
  readonly since: number;
  readonly channelId?: string | undefined;
  readonly messageId?: string | undefined;
  /** Where its place says so: whether the followers of its channel have it. False: it can't be published. */
  readonly isPublished?: boolean | undefined;
  /** Where its place says so: whether it has a thread. False: none can be opened. */
  readonly hasThread?: boolean | undefined;
  /** Of a stream's message: what it was posted as, and what it says now, as a short text to compare. */
  readonly as?: StreamNotice["what"] | undefined;
  readonly shown?: string | undefined;
  /** The forum whose post it is. */
  readonly forumId?: string | undefined;
  /** When it may first have been sent; from then on it is looked for. */
  readonly triedAt?: number | undefined;
  /** Nothing is tried before. */
  readonly retryAt?: number | undefined;
}

/** The code for a channel that YouTube no longer has; only people can switch such a feed on again. */
export const channelGoneCode = "channel_gone";

/** Whether the bot posts announcements in this place now. */
export function isPlaceOpen(place: FeedPlace | undefined): place is FeedPlace {
  return place !== undefined && place.off === undefined;
}

export interface StoredFeed {
  readonly feed: Feed;
  readonly progress: FeedProgress;
}

/** Whether the hub should push its videos: not to one that is not polled, or that can't be read. */
export function needsPushes({ feed, progress }: StoredFeed): boolean {
  return isFeedWatched(feed) && progress.keylessSince === undefined;
}

/** Whether the feed is polled. That includes one that only lacks a key or a link, because either may come back. */
export function isFeedWatched({ paused, off, places }: Feed): boolean {
  if (paused !== undefined || off?.code === channelGoneCode) return false;
  return Object.values(places).some(isPlaceOpen);
}

/** The state of a feed. */
export interface FeedStatus {
  readonly feed: Feed;
  readonly progress?: FeedProgress | undefined;
  /** Whether the hub pushes new videos, so that the feed is polled less often. */
  readonly isPushed: boolean;
  /** How often it is polled now. */
  readonly intervalMs: number;
  /**
   * What the polls cost a day, and the streams that are followed now in the next one; other releases cost a little more. 0
   * while nothing is polled.
   */
  readonly unitsADay: number;
  /** How many streams and premieres are coming up or live. */
  readonly currentStreams: number;
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
  /** A message about a stream or premiere that is followed. */
  stream: {
    readonly guildId: string;
    readonly feed: Feed;
    readonly announcement: Announcement;
    readonly video: ReleasedVideo;
    readonly notice: StreamNotice;
    /** Where the stream's first message is, if this is another one. */
    readonly card?: { readonly channelId: string; readonly messageId: string } | undefined;
    /** Its buttons have it, so that it is found again. */
    readonly handle: string;
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
    /** If only Discord's events can no longer be made. */
    readonly isEvents?: true | undefined;
  };
}
