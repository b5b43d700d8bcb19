import type { FeedProgress } from "../record.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Pushed videos that one feed remembers. */
const maxPushed = 50;
/** Looks that the hub may cause per hour; further videos wait for the usual look. */
const maxLooksAnHour = 30;
/** How often a video is requested before it counts as the hub's mistake, and how long to wait after each request. */
const maxTries = 4;
const unreadMs = minuteMs;

interface PushedProgress {
  readonly progress: FeedProgress;
  /** In how many milliseconds to look; undefined if the usual look is enough. */
  readonly lookInMs: number | undefined;
}

/** Pushes within this time cause one look. */
const gatherMs = 2_000;

/** Adds pushed videos, which are to be looked at. */
export function addPushed(
  before: FeedProgress,
  ids: readonly string[],
  now: number,
): PushedProgress {
  const { pushed = [] } = before;
  const isNew = (id: string) => pushed.every((one) => one.id !== id);
  const added = [...new Set(ids)].filter(isNew).map((id) => ({ id, tries: 0 }));
  const all = [...pushed, ...added].slice(0, maxPushed);
  return countLook(
    all.length === pushed.length ? before : { ...before, pushed: all },
    gatherMs,
    now,
  );
}

interface LookedAtVideos {
  readonly looked: readonly string[];
  /** Those that the service does not show yet. */
  readonly unread: readonly string[];
}

/** Removes what was looked at, unless the service does not show it yet. */
export function afterLook(
  { pushed = [], ...rest }: FeedProgress,
  { looked, unread }: LookedAtVideos,
  now: number,
): PushedProgress {
  const open = pushed.flatMap(({ id, tries }) => {
    if (!looked.includes(id)) return [{ id, tries }];
    return unread.includes(id) && tries + 1 < maxTries ? [{ id, tries: tries + 1 }] : [];
  });
  if (open.length === 0) return { progress: rest, lookInMs: undefined };
  return countLook({ ...rest, pushed: open }, unreadMs, now);
}

function countLook(progress: FeedProgress, lookInMs: number, now: number): PushedProgress {
  const { pushes } = progress;
  const isCurrent = pushes !== undefined && now - pushes.since <= hourMs;
  const { since, count } = isCurrent ? pushes : { since: now, count: 0 };
  if (count >= maxLooksAnHour) return { progress, lookInMs: undefined };
  return { progress: { ...progress, pushes: { since, count: count + 1 } }, lookInMs };
}
