import { createCache } from "../../../cache.ts";
import type { VideoClient } from "../../../video/index.ts";
import type { QueuedComment, RuleTest } from "../../records/index.ts";

/** YouTube takes at most 50 ids per call. */
const idsOfCall = 50;
/** How many authors are cached, for all channels. */
const maxAuthors = 20_000;
const maxChannels = 1_000;
/** How long the channel's own names and picture are cached. */
const ownMs = 6 * 3_600_000;
/** A channel that is younger counts as new. */
const newMs = 7 * 86_400_000;

/** What rules about author names look at besides the name. */
export interface AuthorFacts {
  /** The title and the handle of the linked channel. */
  readonly ownNames: readonly string[];
  /** The author's picture is the linked channel's. */
  readonly hasOwnPicture: (comment: QueuedComment) => boolean;
  /** When the author's channel was made, if it is new. */
  readonly newSince: (comment: QueuedComment) => number | undefined;
}

export interface AuthorFactsRequest {
  readonly tests: readonly RuleTest[];
  readonly comments: readonly QueuedComment[];
  readonly guildId: string;
  /** The linked channel. */
  readonly source: string;
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  readonly signal?: AbortSignal | undefined;
}

interface OwnFace {
  readonly names: readonly string[];
  readonly picture?: string | undefined;
}

/**
 * Reads what the tests need to know about authors, which costs nothing without a test of names. The linked channel's names
 * cost one unit in six hours; how old authors' channels are costs one unit for 50 authors, once for each.
 * @throws what the client throws
 */
export function createAuthorFactsLookup(now: () => number) {
  const ownCache = createCache<OwnFace>({ maxSize: maxChannels, maxAgeMs: ownMs, now });
  /** When the channel was made; 0 if YouTube does not say. */
  const madeCache = createCache<{ readonly at: number }>({ maxSize: maxAuthors });

  return async (request: AuthorFactsRequest): Promise<AuthorFacts | undefined> => {
    const signs = request.tests.flatMap((test) => (test.kind === "names" ? test.signs : []));
    if (signs.length === 0) return undefined;
    const { source } = request;
    let own = ownCache.get(source);
    if (own === undefined) {
      own = await readOwnFace(request);
      ownCache.set(source, own);
    }
    const made = signs.includes("new") ? await readAges(request) : new Map<string, number>();
    const { names, picture } = own;
    return {
      ownNames: names,
      hasOwnPicture: ({ authorAvatar }) =>
        picture !== undefined && pictureKey(authorAvatar) === picture,
      newSince: ({ authorId = "", publishedAt }) => {
        const at = made.get(authorId) ?? 0;
        return at > 0 && publishedAt - at < newMs ? at : undefined;
      },
    };
  };

  async function readAges({ comments, source, ...request }: AuthorFactsRequest) {
    const authors = new Set(comments.flatMap(({ authorId }) => authorId ?? []));
    authors.delete(source);
    const ages = new Map([...authors].map((id) => [id, madeCache.get(id)?.at]));
    const unknown = [...authors].filter((id) => ages.get(id) === undefined);
    for (let from = 0; from < unknown.length; from += idsOfCall) {
      const ids = unknown.slice(from, from + idsOfCall);
      const channels = await readChannels({ ...request, source }, ids);
      const found = new Map(channels.map(({ id, snippet }) => [id, snippet?.publishedAt]));
      for (const id of ids) {
        const at = Date.parse(found.get(id) ?? "") || 0;
        ages.set(id, at);
        madeCache.set(id, { at });
      }
    }
    return new Map([...ages].map(([id, at = 0]) => [id, at]));
  }
}

async function readOwnFace(request: AuthorFactsRequest): Promise<OwnFace> {
  const [channel] = await readChannels(request, [request.source]);
  const { title, customUrl, thumbnails } = channel?.snippet ?? {};
  return {
    names: [title, customUrl].filter((name) => name !== undefined && name !== "") as string[],
    picture: pictureKey(thumbnails?.default?.url),
  };
}

type ChannelsRequest = Pick<AuthorFactsRequest, "guildId" | "source" | "video" | "signal">;

async function readChannels(
  { guildId, source, video, signal }: ChannelsRequest,
  ids: readonly string[],
) {
  const client = await video(guildId, source);
  const wanted = { part: ["snippet"], id: ids, maxResults: idsOfCall } as const;
  const { items = [] } = await client.call("channels.list", wanted, signal ? { signal } : {});
  return items;
}

/** The address of a picture without its size, which stands after the last `=`. */
function pictureKey(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const [key = ""] = pathname.split("=");
  return key.length > 1 ? `${hostname}${key}` : undefined;
}
