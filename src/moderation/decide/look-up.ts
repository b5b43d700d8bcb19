import type { Comment, VideoClient } from "../../video/index.ts";

export interface Standing {
  /** Of those that can be read, by their ids. */
  readonly statuses: ReadonlyMap<string, string | undefined>;
  /** Whether all that waits was looked through: what is missing then is rejected or gone. */
  readonly isWhole: boolean;
}

/** Pages of a hundred that are looked through in each of the two lists. */
const maxPages = 5;

/**
 * How comments stand now. Whether waiting comments can be read by their ids is written nowhere, so those that can't are
 * looked for where they wait. @throws what the client throws.
 */
export async function lookUp(
  client: VideoClient,
  { ids, source }: { readonly ids: readonly string[]; readonly source: string },
  signal: AbortSignal,
): Promise<Standing> {
  const statuses = new Map<string, string | undefined>();
  const wanted = { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
  const { items } = await client.call("comments.list", wanted, { signal });
  for (const comment of items) note(comment);
  if (!isMissing()) return { statuses, isWhole: true };
  let isWhole = true;
  for (const state of ["heldForReview", "likelySpam"] as const) {
    let isCut = false;
    for await (const page of waiting(client, { source, state }, signal)) {
      for (const { snippet, replies } of page.items ?? []) {
        if (snippet?.topLevelComment !== undefined) note(snippet.topLevelComment);
        replies?.comments?.forEach(note);
      }
      if (!isMissing()) return { statuses, isWhole: true };
      isCut = page.nextPageToken !== undefined;
    }
    isWhole &&= !isCut;
  }
  return { statuses, isWhole };

  function note({ id, snippet }: Comment): void {
    if (id !== undefined && !statuses.has(id)) statuses.set(id, snippet?.moderationStatus);
  }

  function isMissing(): boolean {
    return ids.some((id) => !statuses.has(id));
  }
}

function waiting(
  client: VideoClient,
  { source, state }: { readonly source: string; readonly state: "heldForReview" | "likelySpam" },
  signal: AbortSignal,
) {
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: source,
    moderationStatus: state,
    textFormat: "plainText",
    maxResults: 100,
  } as const;
  return client.pages("commentThreads.list", wanted, { signal, maxPages });
}
