import type { Comment, VideoClient } from "../../video/index.ts";
import type { CommentStatus, QueuedComment } from "../records/index.ts";

const idsOfCall = 50;

/** What became of a comment that no list tells any more. */
export type Fate = Extract<CommentStatus, "elsewhere" | "gone"> | "waits";

/**
 * Asks for comments one by one: 50 a unit. One that nobody tells was deleted, or rejected on the platform, and
 * nothing tells which. @throws what `call` throws.
 */
export async function fatesOf(
  client: VideoClient,
  comments: readonly Pick<QueuedComment, "id" | "state">[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Fate>> {
  const fates = new Map<string, Fate>();
  for (let from = 0; from < comments.length; from += idsOfCall) {
    const some = comments.slice(from, from + idsOfCall);
    const { items } = await client.call(
      "comments.list",
      { part: ["snippet"], id: some.map(({ id }) => id), textFormat: "plainText" },
      { signal },
    );
    const told = new Map(items.map((comment) => [comment.id ?? "", comment]));
    for (const { id, state } of some) fates.set(id, fateOf(told.get(id), state));
  }
  return fates;
}

function fateOf(comment: Comment | undefined, state: QueuedComment["state"]): Fate {
  if (comment === undefined) return "gone";
  const { moderationStatus } = comment.snippet ?? {};
  if (moderationStatus === "rejected") return "elsewhere";
  return moderationStatus === "published" && state !== "published" ? "elsewhere" : "waits";
}
