import type { Page } from "./resources/index.ts";
import type { Given } from "./split.ts";

/** Ten thousand items in pages of 50. Whoever wants more says so, because each page costs a call. */
const defaultMaxPages = 200;

type List = (params: Given) => Promise<Page<unknown>>;

/**
 * Walks a list to its end. Short and empty pages end nothing, only a missing token does; a token that comes again and
 * too many pages do, because some lists never end.
 */
export async function* pagesOf(
  given: Given,
  list: List,
  maxPages = defaultMaxPages,
): AsyncGenerator<Page<unknown>, void, void> {
  const seen = new Set<unknown>([given.pageToken]);
  let params = keepPageToken(given);
  for (let count = 0; count < maxPages; count++) {
    const page = await list(params);
    yield page;
    const { nextPageToken } = page;
    if (!nextPageToken || seen.has(nextPageToken)) return;
    seen.add(nextPageToken);
    params = { ...params, pageToken: nextPageToken };
  }
}

/** A trimmed answer must still say how the list goes on. */
export function keepPageToken(given: Given): Given {
  const { fields } = given;
  if (typeof fields !== "string" || fields === "" || hasPageToken(fields)) return given;
  return { ...given, fields: `${fields},nextPageToken` };
}

/** Whether a selector like `items(id,snippet/title),nextPageToken` names the token, or everything, at its top. */
function hasPageToken(fields: string): boolean {
  let top = fields;
  for (let inner = ""; inner !== top; ) {
    inner = top;
    top = inner.replace(/\([^()]*\)/g, "");
  }
  return top.split(",").some((name) => ["nextPageToken", "*"].includes(name.trim()));
}
