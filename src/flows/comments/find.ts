import type { Comment, VideoClient } from "../../video/index.ts";

/** One comment or reply; undefined when the reader may not see it, or there is none. */
export async function findComment(
  client: VideoClient,
  id: string,
  signal: AbortSignal,
): Promise<Comment | undefined> {
  const { items } = await client.call("comments.list", wanted([id]), { signal });
  return items[0];
}

/** The comments that can be read, by id. */
export async function findComments(
  client: VideoClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Comment>> {
  const { items } = await client.call("comments.list", wanted(ids), { signal });
  return new Map(items.flatMap((comment) => (comment.id ? [[comment.id, comment]] : [])));
}

function wanted(ids: readonly string[]) {
  return { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
}

/** How many replies are deleted with a comment; a reply has none. */
export async function repliesTo(
  client: VideoClient,
  { id, snippet }: Comment,
  signal: AbortSignal,
): Promise<number> {
  if (id === undefined || snippet?.parentId !== undefined) return 0;
  const part = ["snippet"] as const;
  const { items } = await client.call("commentThreads.list", { part, id: [id] }, { signal });
  return items[0]?.snippet?.totalReplyCount ?? 0;
}

/** Titles of the videos that the reader may see, by id. */
export async function videoTitles(
  client: VideoClient,
  ids: readonly (string | undefined)[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const id = [...new Set(ids.filter((one) => one !== undefined))];
  if (id.length === 0) return new Map();
  const { items } = await client.call("videos.list", { part: ["snippet"], id }, { signal });
  return new Map(
    items.flatMap((video) => (video.id ? [[video.id, video.snippet?.title ?? ""]] : [])),
  );
}
