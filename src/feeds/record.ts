/** What a channel brings out. */
export type ReleaseKind = "upload" | "live" | "short";

/** Where one kind is announced, and how. */
export interface FeedPlace {
  /** Discord's channel. */
  readonly channelId: string;
  /** Each release is a post of its own there. */
  readonly isForum?: true;
  readonly roleId?: string;
  /** With `{channel}`, `{title}` and `{kind}`; the usual sentence when absent. */
  readonly template?: string;
  /** Why the bot announces nothing there. */
  readonly off?: SwitchedOff;
}

/** Something that the bot switched off by itself. */
export interface SwitchedOff {
  readonly at: number;
  /** Of an error. */
  readonly code: string;
  /** Whether its owner has been told. */
  readonly isTold?: true;
}

/** A channel whose releases are announced. Times are milliseconds since the epoch. */
export interface Feed {
  /** 16 hex digits. */
  readonly id: string;
  /** The channel at the video service, as it was called when it was read last. */
  readonly source: string;
  readonly title: string;
  readonly titleReadAt: number;
  /** Its playlist of uploads. */
  readonly uploads: string;
  /** At least one. */
  readonly places: Readonly<Partial<Record<ReleaseKind, FeedPlace>>>;
  readonly paused?: { readonly at: number; readonly by: string };
  /** Why it was switched off by the bot. */
  readonly off?: SwitchedOff;
  readonly addedBy: string;
  /** Nothing that came out before is announced. */
  readonly addedAt: number;
}

/** How far a feed is. */
export interface FeedProgress {
  readonly polledAt?: number;
  readonly nextPollAt?: number;
  /** Polls in a row that failed for good. */
  readonly failures?: number;
  /** Whose units its looks take, and how many it would like a day; absent while nobody looks at it. */
  readonly project?: string;
  readonly looksADay?: number;
  /** Videos that the hub told of and that were not looked at yet. */
  readonly pushed?: readonly PushedVideo[];
  /** Looks that the hub caused, and since when they are counted. */
  readonly pushes?: { readonly since: number; readonly count: number };
  /** When what is too old to matter was forgotten last. */
  readonly forgottenAt?: number;
  /** What the hub tells us until then; the secret is sealed elsewhere. */
  readonly pushUntil?: number;
  /** When the hub was asked last to tell it. */
  readonly pushAskedAt?: number;
  /** For how many seconds it is asked next, once it refused more; 0 when it refused every lease. */
  readonly pushLeaseS?: number;
  /** The usual time between two releases, in milliseconds. */
  readonly gapMs?: number;
  /** The newest release that was seen. */
  readonly newestAt?: number;
  readonly announcedAt?: number;
  /** Since when neither its playlist nor its channel is found. */
  readonly missingSince?: number;
  /** Since when there is nothing to read it with. */
  readonly keylessSince?: number;
}

export interface PushedVideo {
  readonly id: string;
  /** How often the service was asked for it and did not show it. */
  readonly tries: number;
}

/** One video of a feed, announced or not. Kept so that nothing is announced twice. */
export interface Announcement {
  readonly feedId: string;
  readonly videoId: string;
  /** `known`: came out before the feed began; `awaited`: announced by the service for later; `skipped`: of a kind nobody wants. */
  readonly state: "known" | "awaited" | "skipped" | "due" | "done";
  readonly kind?: ReleaseKind;
  /** When it came out, in milliseconds since the epoch. */
  readonly publishedAt?: number;
  readonly card?: AnnouncementMessage;
  /** When it was perhaps sent first; from then on it is looked for. */
  readonly triedAt?: number;
  /** Of what is awaited: when it is looked at again. */
  readonly lookAt?: number;
  readonly at: number;
}

/** The message that announces it, from before it is sent. */
export interface AnnouncementMessage {
  /** `due`: to be sent; `sending`: perhaps sent; `posted`: there. */
  readonly state: "due" | "sending" | "posted";
  readonly handle: string;
  readonly since: number;
  readonly channelId?: string;
  readonly messageId?: string;
}

/** The code of a channel that the service no longer has; only people switch such a feed on again. */
export const channelGone = "channel_gone";

/** Whether something is announced there. */
export function isOpen(place: FeedPlace | undefined): place is FeedPlace {
  return place !== undefined && place.off === undefined;
}

/** Whether the feed is looked at: what only lacks a key or link is, because either may be back. */
export function isWatched({ paused, off, places }: Feed): boolean {
  if (paused !== undefined || off?.code === channelGone) return false;
  return Object.values(places).some(isOpen);
}
