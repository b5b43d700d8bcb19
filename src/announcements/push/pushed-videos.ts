import { hourMs, minuteMs } from "../../clock.ts";
import type { FeedProgress } from "../record.ts";

/** Pushed videos that one feed remembers. */
const maxPushed = 50;
/** Polls that the hub may cause per hour; further videos wait for the usual poll. */
const maxPollsAnHour = 30;
/** How often a video is requested before it counts as the hub's mistake, and how long to wait after each request. */
const maxTries = 4;
const unreadMs = minuteMs;

interface PushedProgress {
  readonly progress: FeedProgress;
  /** In how many milliseconds to poll; undefined if the usual poll is enough. */
  readonly pollInMs: number | undefined;
}

/** Pushes within this time cause one poll. */
const gatherMs = 2_000;

/** Adds pushed videos, which are to be read. */
export function addPushed(
  before: FeedProgress,
  ids: readonly string[],
  now: number,
): PushedProgress {
  const { pushed = [] } = before;
  const added = [...new Set(ids)]
    .filter((id) => pushed.every((one) => one.id !== id))
    .map((id) => ({ id, tries: 0 }));
  const all = [...pushed, ...added].slice(0, maxPushed);
  return countPoll(
    all.length === pushed.length ? before : { ...before, pushed: all },
    gatherMs,
    now,
  );
}

interface ReadVideos {
  readonly read: readonly string[];
  /** Those that YouTube does not show yet. */
  readonly unread: readonly string[];
}

/** Removes what was read, unless YouTube does not show it yet. */
export function afterPoll(
  { pushed = [], ...rest }: FeedProgress,
  { read, unread }: ReadVideos,
  now: number,
): PushedProgress {
  const open = pushed.flatMap(({ id, tries }) => {
    if (!read.includes(id)) return [{ id, tries }];
    return unread.includes(id) && tries + 1 < maxTries ? [{ id, tries: tries + 1 }] : [];
  });
  if (open.length === 0) return { progress: rest, pollInMs: undefined };
  return countPoll({ ...rest, pushed: open }, unreadMs, now);
}

function countPoll(progress: FeedProgress, pollInMs: number, now: number): PushedProgress {
  const { pushes } = progress;
  const isCurrent = pushes !== undefined && now - pushes.since <= hourMs;
  const { since, count } = isCurrent ? pushes : { since: now, count: 0 };
  if (count >= maxPollsAnHour) return { progress, pollInMs: undefined };
  return { progress: { ...progress, pushes: { since, count: count + 1 } }, pollInMs };
}
