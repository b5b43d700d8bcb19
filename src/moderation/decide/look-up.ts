import type { Comment, VideoClient } from "../../video/index.ts";

/** How comments stand that can be read, by their ids; those that are not in it are rejected or gone. */
export type Standing = ReadonlyMap<string, string | undefined>;

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
  const standing = new Map<string, string | undefined>();
  const wanted = { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
  const { items } = await client.call("comments.list", wanted, { signal });
  for (const comment of items) note(comment);
  const missing = new Set(ids.filter((id) => !standing.has(id)));
  if (missing.size === 0) return standing;
  for await (const comment of waitingOf(client, source, signal)) {
    if (comment.id === undefined || !missing.delete(comment.id)) continue;
    note(comment);
    if (missing.size === 0) break;
  }
  return standing;

  function note({ id, snippet }: Comment): void {
    if (id !== undefined) standing.set(id, snippet?.moderationStatus);
  }
}

async function* waitingOf(
  client: VideoClient,
  source: string,
  signal: AbortSignal,
): AsyncGenerator<Comment> {
  for (const moderationStatus of ["heldForReview", "likelySpam"] as const) {
    const wanted = {
      part: ["snippet", "replies"],
      allThreadsRelatedToChannelId: source,
      moderationStatus,
      textFormat: "plainText",
      maxResults: 100,
    } as const;
    for await (const page of client.pages("commentThreads.list", wanted, { signal, maxPages })) {
      for (const { snippet, replies } of page.items ?? []) {
        if (snippet?.topLevelComment !== undefined) {
          yield snippet.topLevelComment;
        }
        yield* replies?.comments ?? [];
      }
    }
  }
}
