import type { Announcement, FeedProgress } from "../store/index.ts";
import type { FeedRef, Rows } from "./rows.ts";

/** What this process knows of a feed's videos; it can be thrown away at any moment. */
export interface Memory {
  /** Undefined for a video that nobody has met yet. */
  stateOf(videoId: string): Announcement["state"] | undefined;
  /** What has to be looked at, or told. */
  readonly open: ReadonlyMap<string, Announcement>;
  note(row: Announcement): void;
}

/** Memories by feed. */
export interface Memories {
  /** Read anew where another process has looked at the feed since this one did. @throws ServiceError `store_unavailable` */
  of(ref: FeedRef, progress: FeedProgress): Promise<Memory>;
  /** This process has written that progress itself. */
  kept(ref: FeedRef, progress: FeedProgress): void;
  forget(ref: FeedRef): void;
}

interface Held {
  readonly memory: Memory;
  polledAt: number | undefined;
}

export function createMemories(rows: Rows): Memories {
  const held = new Map<string, Held>();
  const keyOf = ({ guildId, feedId }: FeedRef) => `${guildId}:${feedId}`;
  return {
    of: async (ref, { polledAt }) => {
      const known = held.get(keyOf(ref));
      if (known !== undefined && known.polledAt === polledAt) return known.memory;
      const memory = memoryOf(await rows.announcements(ref));
      held.set(keyOf(ref), { memory, polledAt });
      return memory;
    },
    kept: (ref, { polledAt }) => {
      const known = held.get(keyOf(ref));
      if (known !== undefined) known.polledAt = polledAt;
    },
    forget: (ref) => void held.delete(keyOf(ref)),
  };
}

function memoryOf(found: readonly Announcement[]): Memory {
  const states = new Map<string, Announcement["state"]>();
  const open = new Map<string, Announcement>();
  const note = (row: Announcement) => {
    const { videoId, state } = row;
    states.set(videoId, state);
    if (state === "awaited" || state === "due") open.set(videoId, row);
    else open.delete(videoId);
  };
  for (const row of found) note(row);
  return { stateOf: (videoId) => states.get(videoId), open, note };
}
