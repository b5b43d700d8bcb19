import type { VideoClient } from "../../../video/index.ts";
import { linkKey } from "../links/platform-links.ts";
import type { PlatformLink } from "../matchers/types.ts";

/** Facts: ids of one call. */
const idsOfCall = 50;
/** Most of one channel that are remembered. */
const mostKnown = 5_000;

/** What of the platform's addresses leads to the channel itself, its videos and its playlists. */
export interface OwnLinks {
  /**
   * Of those addresses, as `linkKey` names them; what is new costs a unit for 50 videos or playlists. What nobody could be
   * asked about is not among them. @throws what the client throws
   */
  among(links: readonly PlatformLink[], asking: Asking): Promise<ReadonlySet<string>>;
}

interface Asking {
  readonly client: () => Promise<VideoClient>;
  /** The linked channel. */
  readonly source: string;
  readonly signal?: AbortSignal;
}

export function createOwnLinks(): OwnLinks {
  const known = new Map<string, boolean>();

  return {
    async among(links, asking) {
      const places = new Map(links.map((link) => [`${asking.source} ${linkKey(link)}`, link]));
      if (known.size > mostKnown) known.clear();
      const unknown = [...places].filter(([key]) => !known.has(key));
      if (unknown.length > 0) {
        const own = await ask(
          unknown.map(([, place]) => place),
          asking,
        );
        for (const [key, place] of unknown) known.set(key, own.has(linkKey(place)));
      }
      const own = [...places].filter(([key]) => known.get(key) === true);
      return new Set(own.map(([, place]) => linkKey(place)));
    },
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
    for (const id of chunks(of(kind))) {
      const method = kind === "video" ? "videos.list" : "playlists.list";
      const { items = [] } = await (await client()).call(
        method,
        { part: ["snippet"], id },
        options,
      );
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

function chunks(ids: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / idsOfCall) }, (_, at) =>
    ids.slice(at * idsOfCall, (at + 1) * idsOfCall),
  );
}
