import type { Method, VideoClient } from "../video/index.ts";

/** Lists that show a channel's private things to its own token; the part `status` tells which are. */
const revealing: ReadonlySet<Method> = new Set([
  "videos.list",
  "playlists.list",
  "playlistItems.list",
]);

const shown: ReadonlySet<unknown> = new Set(["public", "unlisted"]);

/** Lists whose entries tell by themselves that they wait for a decision of the channel. */
const conversing: ReadonlySet<Method> = new Set(["comments.list", "commentThreads.list"]);

interface Said {
  readonly moderationStatus?: string;
}

interface Thing {
  readonly id?: string;
  readonly status?: { readonly privacyStatus?: string };
  readonly snippet?: Said & { readonly topLevelComment?: { readonly snippet?: Said } };
  readonly replies?: { readonly comments?: readonly { readonly snippet?: Said }[] };
}

/** A linked channel's client for answers that everybody reads: what is private is left out. */
export function publicView(client: VideoClient): VideoClient {
  const loose = client.call.bind(client) as (
    method: Method,
    params: { readonly part?: readonly string[]; readonly id?: readonly string[] },
    options?: object,
  ) => Promise<{ readonly items?: readonly Thing[] }>;
  const call = async (
    method: Method,
    params: { readonly part?: readonly string[] },
    options?: object,
  ) => {
    if (conversing.has(method)) return onlyPublished(await loose(method, params, options));
    if (!revealing.has(method)) return loose(method, params, options);
    if (await isClosed(method, params)) return { items: [] };
    const part = [...new Set([...(params.part ?? []), "status"])];
    return onlyShown(await loose(method, { ...params, part }, options));
  };
  /** Of a private playlist even public videos are not told: that they stand in it is private. */
  async function isClosed(method: Method, params: object): Promise<boolean> {
    const { playlistId } = params as { readonly playlistId?: string };
    if (method !== "playlistItems.list" || playlistId === undefined) return false;
    const { items = [] } = await loose("playlists.list", { part: ["status"], id: [playlistId] });
    return items.some(({ id, status }) => id === playlistId && status?.privacyStatus === "private");
  }

  async function* pages(method: Method, params: object, options?: object) {
    if (await isClosed(method, params)) {
      yield { items: [] };
      return;
    }
    const part = "part" in params ? (params.part as readonly string[]) : [];
    const asked = revealing.has(method)
      ? { ...params, part: [...new Set([...part, "status"])] }
      : params;
    const walk = client.pages as (
      m: Method,
      p: object,
      o?: object,
    ) => AsyncIterableIterator<object>;
    for await (const page of walk(method, asked, options)) {
      if (conversing.has(method)) yield onlyPublished(page);
      else yield revealing.has(method) ? onlyShown(page) : page;
    }
  }
  // The methods keep their types: only entries are taken away.
  return { call: call as VideoClient["call"], pages: pages as VideoClient["pages"] };
}

function onlyShown<P extends { readonly items?: readonly Thing[] }>(page: P): P {
  if (page.items === undefined) return page;
  return { ...page, items: page.items.filter((one) => shown.has(one.status?.privacyStatus)) };
}

/** Comments and threads without what is held, suspected or rejected; only the channel's token is told of it. */
function onlyPublished<P extends { readonly items?: readonly Thing[] }>(page: P): P {
  if (page.items === undefined) return page;
  const items = page.items
    .filter(({ snippet }) => isPublished(snippet) && isPublished(snippet?.topLevelComment?.snippet))
    .map(withPublishedReplies);
  return { ...page, items };
}

function withPublishedReplies(thing: Thing): Thing {
  if (thing.replies?.comments === undefined) return thing;
  const comments = thing.replies.comments.filter(({ snippet }) => isPublished(snippet));
  return { ...thing, replies: { ...thing.replies, comments } };
}

function isPublished(said: Said | undefined): boolean {
  return said?.moderationStatus === undefined || said.moderationStatus === "published";
}
