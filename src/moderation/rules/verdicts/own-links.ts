import { createCache } from "../../../cache.ts";
import type { VideoClient } from "../../../video/index.ts";
import type { RuleBook } from "../../records/index.ts";
import { comparedHandle, linkKey, type YouTubeLink } from "../links/youtube-links.ts";

/** YouTube takes at most 50 ids per call. */
const idsOfCall = 50;
/** How many links are cached, for all channels. */
const maxCached = 5_000;

interface OwnLinkRequest {
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  readonly guildId: string;
  /** The linked channel. */
  readonly source: string;
  readonly signal?: AbortSignal;
}

/**
 * Which YouTube links lead to the channel itself, its videos or its playlists; returns their `linkKey`s. Links that are not
 * cached cost one unit for 50 videos or playlists. @throws what the client throws
 */
export function createOwnLinkLookup() {
  const ownCache = createCache<boolean>({ maxSize: maxCached });

  return async (
    links: readonly YouTubeLink[],
    request: OwnLinkRequest,
  ): Promise<ReadonlySet<string>> => {
    const { source } = request;
    const wanted = new Map(links.map((link) => [linkKey(link), link]));
    const isOwn = new Map([...wanted.keys()].map((key) => [key, ownCache.get(`${source} ${key}`)]));
    const unknown = [...wanted].filter(([key]) => isOwn.get(key) === undefined);
    if (unknown.length > 0) {
      const links = unknown.map(([, link]) => link);
      const own = await fetchOwnLinks(links, request);
      for (const [key] of unknown) isOwn.set(key, own.has(key));
      for (const [key] of unknown) ownCache.set(`${source} ${key}`, own.has(key));
    }
    return new Set([...isOwn.keys()].filter((key) => isOwn.get(key)));
  };
}

/** Sites that any of a server's rules about links allows, such as its own or those of friends. */
export function allowedSites({ rules }: RuleBook): readonly string[] {
  return rules.flatMap(({ test }) => (test.kind === "links" ? test.allowed : []));
}

async function fetchOwnLinks(
  places: readonly YouTubeLink[],
  { video, guildId, source, signal }: OwnLinkRequest,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>([linkKey({ kind: "channel", id: source })]);
  const of = (kind: YouTubeLink["kind"]) =>
    places.filter((place) => place.kind === kind).map(({ id }) => id);
  const options = signal === undefined ? {} : { signal };
  for (const kind of ["video", "playlist"] as const) {
    const ids = of(kind);
    for (let from = 0; from < ids.length; from += idsOfCall) {
      const method = kind === "video" ? "videos.list" : "playlists.list";
      const wanted = { part: ["snippet"], id: ids.slice(from, from + idsOfCall) } as const;
      const client = await video(guildId, source);
      const { items = [] } = await client.call(method, wanted, options);
      for (const { id: found, snippet } of items) {
        if (found !== undefined && snippet?.channelId === source)
          own.add(linkKey({ kind, id: found }));
      }
    }
  }
  if (of("handle").length > 0) {
    const wanted = { part: ["snippet"], id: [source] } as const;
    const client = await video(guildId, source);
    const { items = [] } = await client.call("channels.list", wanted, options);
    const handle = items[0]?.snippet?.customUrl;
    if (handle !== undefined) own.add(linkKey({ kind: "handle", id: comparedHandle(handle) }));
  }
  return own;
}
