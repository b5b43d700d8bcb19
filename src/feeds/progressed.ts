import type { FeedProgress } from "../store/index.ts";
import { gapOf } from "./pace.ts";
import type { Upload } from "./read.ts";

/** What a channel's list told; empty for a channel that is there and has none. */
export interface Listed {
  readonly uploads: readonly Upload[];
  /** Since when neither the list nor the channel are found. Milliseconds since the epoch. */
  readonly missingSince: number | undefined;
}

interface Looked extends Listed {
  readonly isDue: boolean;
  readonly announcedAt: number | undefined;
  readonly now: number;
}

/** How far a feed is after a look at it. */
export function progressed(
  stored: FeedProgress,
  { isDue, uploads, missingSince, announcedAt, now }: Looked,
): FeedProgress {
  const { missingSince: _missing, keylessSince: _keyless, ...kept } = stored;
  const dates = uploads.flatMap(({ isPublic, publishedAt }) => (isPublic && publishedAt) || []);
  const gapMs = gapOf(dates);
  return {
    ...kept,
    failures: 0,
    ...(announcedAt !== undefined && { announcedAt }),
    ...(isDue && { polledAt: now }),
    ...(!isDue && _missing !== undefined && { missingSince: _missing }),
    ...(missingSince !== undefined && { missingSince }),
    ...(gapMs !== undefined && { gapMs }),
    ...(dates.length > 0 && { newestAt: Math.max(...dates) }),
  };
}
