import { createCache } from "../../../cache.ts";
import type { VideoClient } from "../../../video/index.ts";
import { linkKey, type PlatformLink } from "../links/platform-links.ts";

/** Facts: ids of one call. */
const idsOfCall = 50;
/** Most of one channel that are remembered. */
const mostKnown = 5_000;

interface Asking {
  readonly client: () => Promise<VideoClient>;
  /** The linked channel. */
  readonly source: string;
  readonly signal?: AbortSignal;
}

/**
 * What of the platform's addresses leads to the channel itself, its videos and its playlists, as `linkKey` names them; what is
 * new costs a unit for 50 videos or playlists. What nobody could be asked about is not among them. @throws what the client throws
 */
export function createOwnLinks() {
  const ownCache = createCache<boolean>({ maxSize: mostKnown });

  return async (links: readonly PlatformLink[], asking: Asking): Promise<ReadonlySet<string>> => {
    const placeOf = (key: string) => `${asking.source} ${key}`;
    const wanted = new Map(links.map((link) => [linkKey(link), link]));
    const isOwn = new Map([...wanted.keys()].map((key) => [key, ownCache.get(placeOf(key))]));
    const unknown = [...wanted].filter(([key]) => isOwn.get(key) === undefined);
    if (unknown.length > 0) {
      const asked = unknown.map(([, link]) => link);
      const own = await ask(asked, asking);
      for (const [key] of unknown) isOwn.set(key, own.has(key));
      for (const [key] of unknown) ownCache.set(placeOf(key), own.has(key));
    }
    return new Set([...isOwn.keys()].filter((key) => isOwn.get(key)));
  };
}

async function ask(
  places: readonly PlatformLink[],
  { client, source, signal }: Asking,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>([linkKey({ kind: "channel", id: source })]);
  const of = (kind: PlatformLink["kind"]) =>
    places.filter((place) => place.kind === kind).map(({ id }) => id);
  const options = signal === undefined ? {} : { signal };
  for (const kind of ["video", "playlist"] as const) {
    const ids = of(kind);
    for (let from = 0; from < ids.length; from += idsOfCall) {
      const method = kind === "video" ? "videos.list" : "playlists.list";
      const wanted = { part: ["snippet"], id: ids.slice(from, from + idsOfCall) } as const;
      const { items = [] } = await (await client()).call(method, wanted, options);
      for (const { id: found, snippet } of items) {
        if (found !== undefined && snippet?.channelId === source)
          own.add(linkKey({ kind, id: found }));
      }
    }
  }
  if (of("handle").length > 0) {
    const wanted = { part: ["snippet"], id: [source] } as const;
    const { items = [] } = await (await client()).call("channels.list", wanted, options);
    const handle = items[0]?.snippet?.customUrl?.toLowerCase();
    if (handle !== undefined)
      own.add(linkKey({ kind: "handle", id: `@${handle.replace(/^@/u, "")}` }));
  }
  return own;
}
