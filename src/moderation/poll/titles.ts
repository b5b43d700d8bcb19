import type { QueueItem } from "../../store/index.ts";
import { smallThumbnail, type Video, type VideoClient } from "../../video/index.ts";

type Shown = NonNullable<QueueItem["video"]>;

interface TitlesAsked {
  readonly guildId: string;
  readonly source: string;
  readonly videoIds: readonly string[];
  readonly signal: AbortSignal;
}

/** What videos are called, remembered for a while. */
export interface Titles {
  /** By id, those that are known; one unit for 50 that are not remembered. @throws what `call` throws. */
  of(client: VideoClient, asked: TitlesAsked): Promise<ReadonlyMap<string, Shown>>;
}

const keptMs = 24 * 3_600_000;
const mostKept = 2_000;
const idsOfCall = 50;

export function createTitles(now: () => number): Titles {
  /**
   * By server, linked channel and video: what one server's consent showed, such as a private video's title, is not shown in
   * another that has linked the same channel. The oldest first.
   */
  const kept = new Map<string, { readonly at: number; readonly shown: Shown | undefined }>();

  function keep(key: string, shown: Shown | undefined): void {
    kept.delete(key);
    kept.set(key, { at: now(), shown });
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) return;
      kept.delete(oldest);
    }
  }

  return {
    async of(client, { guildId, source, videoIds, signal }) {
      const keyOf = (id: string) => `${guildId} ${source} ${id}`;
      const wanted = [...new Set(videoIds)];
      const isKnown = (id: string) => (kept.get(keyOf(id))?.at ?? -Infinity) > now() - keptMs;
      const missing = wanted.filter((id) => !isKnown(id));
      for (let from = 0; from < missing.length; from += idsOfCall) {
        const id = missing.slice(from, from + idsOfCall);
        const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
        const found = new Map(items.map((video) => [video.id ?? "", shownOf(video)]));
        for (const one of id) keep(keyOf(one), found.get(one));
      }
      return new Map(
        wanted.flatMap((id) => {
          const shown = kept.get(keyOf(id))?.shown;
          return shown === undefined ? [] : [[id, shown] as const];
        }),
      );
    },
  };
}

function shownOf({ snippet }: Video): Shown | undefined {
  if (snippet?.title === undefined) return undefined;
  const thumbnailUrl = smallThumbnail(snippet.thumbnails);
  return { title: snippet.title, ...(thumbnailUrl !== undefined && { thumbnailUrl }) };
}
