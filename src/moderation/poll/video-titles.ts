import { createCache } from "../../cache.ts";
import { smallThumbnail, type Video, type VideoClient } from "../../video/index.ts";
import type { HeldComment } from "../records/index.ts";

type VideoTitle = NonNullable<HeldComment["video"]>;

interface TitleRequest {
  readonly guildId: string;
  readonly source: string;
  readonly videoIds: readonly string[];
  readonly signal: AbortSignal;
}

const titleMaxAgeMs = 24 * 3_600_000;
const maxTitles = 2_000;
const idsOfCall = 50;

/**
 * Reads titles of videos and caches them for a day. Returns them by video id; 50 that are not cached cost one unit.
 * @throws what `call` throws.
 */
export function createTitleCache(now: () => number) {
  /**
   * By server, linked channel and video: a title that one server may read, such as a private video's, must not be shown in
   * another server that has linked the same channel.
   */
  const cache = createCache<{ readonly shown: VideoTitle | undefined }>({
    maxSize: maxTitles,
    maxAgeMs: titleMaxAgeMs,
    now,
  });

  return async (
    client: VideoClient,
    { guildId, source, videoIds, signal }: TitleRequest,
  ): Promise<ReadonlyMap<string, VideoTitle>> => {
    const key = (id: string) => `${guildId} ${source} ${id}`;
    const wanted = [...new Set(videoIds)];
    const shown = new Map(wanted.map((id) => [id, cache.get(key(id))]));
    const missing = wanted.filter((id) => shown.get(id) === undefined);
    for (let from = 0; from < missing.length; from += idsOfCall) {
      const id = missing.slice(from, from + idsOfCall);
      const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
      const found = new Map(items.map((video) => [video.id ?? "", toVideoTitle(video)]));
      for (const one of id) {
        const entry = { shown: found.get(one) };
        shown.set(one, entry);
        cache.set(key(one), entry);
      }
    }
    return new Map([...shown].flatMap(([id, one]) => (one?.shown ? [[id, one.shown]] : [])));
  };
}

function toVideoTitle({ snippet }: Video): VideoTitle | undefined {
  if (snippet?.title === undefined) return undefined;
  return { title: snippet.title, thumbnailUrl: smallThumbnail(snippet.thumbnails) };
}
