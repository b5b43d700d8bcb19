import type { Comment, VideoClient } from "../../video/index.ts";

/** One comment or reply; undefined if it does not exist or the client's account can't see it. */
export async function findCommentById(
  client: VideoClient,
  id: string,
  signal: AbortSignal,
): Promise<Comment | undefined> {
  const [comment] = (await findCommentsById(client, [id], signal)).values();
  return comment;
}

/** Comments by id, without those that can't be read. */
export async function findCommentsById(
  client: VideoClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Comment>> {
  const wanted = { part: ["snippet"], id: ids, textFormat: "plainText" } as const;
  const { items } = await client.call("comments.list", wanted, { signal });
  return new Map(items.flatMap((comment) => (comment.id ? [[comment.id, comment]] : [])));
}

/** Video titles by id, without videos that the client's account can't see. */
export async function commentedVideoTitles(
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
