import { gapOf } from "./pace.ts";
import type { Upload } from "./read.ts";
import type { FeedProgress } from "./record.ts";

/** What a channel's list told; empty for a channel that is there and has none. */
export interface Listed {
  readonly uploads: readonly Upload[];
  /** Since when neither the list nor the channel are found. Milliseconds since the epoch. */
  readonly missingSince: number | undefined;
}

/** How far a feed is after its list was read; the same where it was not due. */
export function progressed(
  stored: FeedProgress,
  { uploads, missingSince }: Listed,
  now: number,
): FeedProgress {
  const { missingSince: _, ...rest } = stored;
  const dates = uploads.flatMap(({ isPublic, publishedAt }) => (isPublic && publishedAt) || []);
  const gapMs = gapOf(dates);
  return {
    ...{ ...rest, polledAt: now },
    ...(missingSince !== undefined && { missingSince }),
    ...(gapMs !== undefined && { gapMs }),
    ...(dates.length > 0 && { newestAt: Math.max(...dates) }),
  };
}
