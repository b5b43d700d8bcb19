import type { FeedProgress } from "../record.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Videos that one feed remembers to look at. */
const mostPushed = 50;
/** Looks an hour that the hub may cause; what is beyond waits for the usual one. */
const mostLooks = 30;
/** How often a video is asked for before it is taken for a slip of the hub's, and how long after each time. */
const mostTries = 4;
const unreadMs = minuteMs;

interface WithPushed {
  readonly progress: FeedProgress;
  /** When a look is worth it; undefined for the usual one. */
  readonly lookInMs: number | undefined;
}

/** Several things that the hub tells in a row are one look. */
const gatherMs = 2_000;

/** With what the hub told of, to be looked at. */
export function withPushed(before: FeedProgress, ids: readonly string[], now: number): WithPushed {
  const { pushed = [] } = before;
  const isNew = (id: string) => pushed.every((one) => one.id !== id);
  const added = [...new Set(ids)].filter(isNew).map((id) => ({ id, tries: 0 }));
  const all = [...pushed, ...added].slice(0, mostPushed);
  return counted(all.length === pushed.length ? before : { ...before, pushed: all }, gatherMs, now);
}

interface LookedAt {
  readonly looked: readonly string[];
  /** Those of them that the service does not show yet. */
  readonly unread: readonly string[];
}

/** With what is still to be looked at after a look at some of it. */
export function afterLook(
  { pushed = [], ...rest }: FeedProgress,
  { looked, unread }: LookedAt,
  now: number,
): WithPushed {
  const open = pushed.flatMap(({ id, tries }) => {
    if (!looked.includes(id)) return [{ id, tries }];
    return unread.includes(id) && tries + 1 < mostTries ? [{ id, tries: tries + 1 }] : [];
  });
  if (open.length === 0) return { progress: rest, lookInMs: undefined };
  return counted({ ...rest, pushed: open }, unreadMs, now);
}

function counted(progress: FeedProgress, lookInMs: number, now: number): WithPushed {
  const { pushes } = progress;
  const isCurrent = pushes !== undefined && now - pushes.since <= hourMs;
  const { since, count } = isCurrent ? pushes : { since: now, count: 0 };
  if (count >= mostLooks) return { progress, lookInMs: undefined };
  return { progress: { ...progress, pushes: { since, count: count + 1 } }, lookInMs };
}
