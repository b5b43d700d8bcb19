import { createCache } from "../../cache.ts";
import { smallThumbnail, type Video, type VideoClient } from "../../video/index.ts";
import type { HeldComment } from "../records/index.ts";

type Shown = NonNullable<HeldComment["video"]>;

interface TitlesAsked {
  readonly guildId: string;
  readonly source: string;
  readonly videoIds: readonly string[];
  readonly signal: AbortSignal;
}

const freshMs = 24 * 3_600_000;
const mostTitles = 2_000;
const idsOfCall = 50;

/**
 * What videos are called, remembered for a day: by id, those that are known; one unit for 50 that are not remembered.
 * @throws what `call` throws.
 */
export function createTitleCache(now: () => number) {
  /**
   * By server, linked channel and video: what one server's consent showed, such as a private video's title, is not shown in
   * another that has linked the same channel.
   */
  const cache = createCache<{ readonly shown: Shown | undefined }>({
    maxSize: mostTitles,
    maxAgeMs: freshMs,
    now,
  });

  return async (
    client: VideoClient,
    { guildId, source, videoIds, signal }: TitlesAsked,
  ): Promise<ReadonlyMap<string, Shown>> => {
    const keyOf = (id: string) => `${guildId} ${source} ${id}`;
    const wanted = [...new Set(videoIds)];
    const shown = new Map(
      wanted.flatMap((id) => {
        const known = cache.get(keyOf(id));
        return known === undefined ? [] : [[id, known.shown] as const];
      }),
    );
    const missing = wanted.filter((id) => !shown.has(id));
    for (let from = 0; from < missing.length; from += idsOfCall) {
      const id = missing.slice(from, from + idsOfCall);
      const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
      const found = new Map(items.map((video) => [video.id ?? "", shownOf(video)]));
      for (const one of id) {
        shown.set(one, found.get(one));
        cache.set(keyOf(one), { shown: found.get(one) });
      }
    }
    return new Map([...shown].flatMap(([id, one]) => (one === undefined ? [] : [[id, one]])));
  };
}

function shownOf({ snippet }: Video): Shown | undefined {
  if (snippet?.title === undefined) return undefined;
  return { title: snippet.title, thumbnailUrl: smallThumbnail(snippet.thumbnails) };
}
