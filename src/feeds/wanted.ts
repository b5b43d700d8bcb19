import type { Announcement } from "../store/index.ts";
import type { Memory } from "./memory.ts";
import type { Upload } from "./read.ts";

interface Told {
  readonly uploads: readonly Upload[];
  /** Ids of videos that the hub told of. */
  readonly pushed: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What `videos.list` has to tell of: new ones, awaited ones whose time has come, and those that the hub told of. */
export function wantedOf(memory: Memory, { uploads, pushed, now }: Told): readonly string[] {
  const isWanted = (id: string) => {
    const state = memory.stateOf(id);
    return state === undefined || state === "awaited";
  };
  const isNew = ({ videoId, isPublic }: Upload) => {
    if (!isPublic) return false;
    const row = memory.open.get(videoId);
    // Awaited without a date: it was not for everybody, and now it is.
    return row === undefined
      ? memory.stateOf(videoId) === undefined
      : row.state === "awaited" && row.lookAt === undefined;
  };
  const listed = uploads.filter(isNew).map(({ videoId }) => videoId);
  const awaited = [...memory.open.values()]
    .filter(({ state, lookAt }) => state === "awaited" && lookAt !== undefined && lookAt <= now)
    .map(({ videoId }) => videoId);
  return [...new Set([...listed, ...awaited, ...pushed.filter(isWanted)])];
}

/** What is still to be announced, the oldest first. */
export function dueOf({ open }: Memory): readonly Announcement[] {
  return [...open.values()]
    .filter(({ state }) => state === "due")
    .sort((one, other) => (one.publishedAt ?? 0) - (other.publishedAt ?? 0));
}
