import type { Method, VideoClient } from "../video/index.ts";

/** Lists that show a channel's private things to its own token, and the part that tells which are. */
const revealing: ReadonlySet<Method> = new Set([
  "videos.list",
  "playlists.list",
  "playlistItems.list",
]);

const shown: ReadonlySet<unknown> = new Set(["public", "unlisted"]);

interface Thing {
  readonly status?: { readonly privacyStatus?: string };
}

/** A linked channel's client for answers that everybody reads: what is private is left out. */
export function publicView(client: VideoClient): VideoClient {
  const loose = client.call.bind(client) as (
    method: Method,
    params: { readonly part?: readonly string[] },
    options?: object,
  ) => Promise<{ readonly items?: readonly Thing[] }>;
  const call = async (
    method: Method,
    params: { readonly part?: readonly string[] },
    options?: object,
  ) => {
    if (!revealing.has(method)) return loose(method, params, options);
    const part = [...new Set([...(params.part ?? []), "status"])];
    return onlyShown(await loose(method, { ...params, part }, options));
  };
  async function* pages(method: Method, params: object, options?: object) {
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
      yield revealing.has(method) ? onlyShown(page) : page;
    }
  }
  // The methods keep their types: only entries are taken away.
  return { call: call as VideoClient["call"], pages: pages as VideoClient["pages"] };
}

function onlyShown<P extends { readonly items?: readonly Thing[] }>(page: P): P {
  if (page.items === undefined) return page;
  return { ...page, items: page.items.filter((one) => shown.has(one.status?.privacyStatus)) };
}
