import type { CallParams } from "./methods/spec.ts";
import type { ResourcePage } from "./resources/index.ts";

/** Ten thousand items in pages of 50. Callers must ask for more, because each page costs a call. */
const defaultMaxPages = 200;

/** YouTube may answer empty pages before the first items. A list that is not walked passes over so many of them. */
export const maxEmptyPages = 5;

/** The first page with items, from a token on; the last one that was read if none has any. */
export async function firstFilled<P extends ResourcePage<unknown>>(
  pageAt: (pageToken?: string) => Promise<P>,
  pageToken?: string,
): Promise<P> {
  let page = await pageAt(pageToken);
  for (let passed = 0; passed < maxEmptyPages; passed++) {
    const { items, nextPageToken } = page;
    if (items.length > 0 || nextPageToken === undefined) break;
    page = await pageAt(nextPageToken);
  }
  return page;
}

type ListPage = (params: CallParams) => Promise<ResourcePage<unknown>>;

/**
 * Walks a list to its end, which is a missing page token; short and empty pages do not end it. A token that comes again
 * and too many pages end it too, because some lists never end.
 */
export async function* walkPages(
  firstParams: CallParams,
  list: ListPage,
  maxPages = defaultMaxPages,
): AsyncGenerator<ResourcePage<unknown>, void, void> {
  const seen = new Set<unknown>([firstParams.pageToken]);
  let params = keepPageToken(firstParams);
  for (let count = 0; count < maxPages; count++) {
    const page = await list(params);
    yield page;
    const { nextPageToken } = page;
    if (!nextPageToken || seen.has(nextPageToken)) return;
    seen.add(nextPageToken);
    params = { ...params, pageToken: nextPageToken };
  }
}

/** Adds the page token to a `fields` selector; without it the list could not be continued. */
export function keepPageToken(params: CallParams): CallParams {
  const { fields } = params;
  if (typeof fields !== "string" || fields === "" || hasPageToken(fields)) return params;
  return { ...params, fields: `${fields},nextPageToken` };
}

/** Whether a selector like `items(id,snippet/title),nextPageToken` names the token, or everything, at its top level. */
function hasPageToken(fields: string): boolean {
  let topLevel = fields;
  for (let inner = ""; inner !== topLevel; ) {
    inner = topLevel;
    topLevel = inner.replace(/\([^()]*\)/g, "");
  }
  return topLevel.split(",").some((name) => ["nextPageToken", "*"].includes(name.trim()));
}
