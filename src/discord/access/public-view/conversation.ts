import type { Page, Said, Seeing, Thing } from "./seeing.ts";

/**
 * Comments and threads without what is held, suspected or rejected, and without what stands below a video that
 * nobody else sees; only the channel's token is told of either.
 */
export async function onlyPublished(page: Page, seeing: Seeing): Promise<Page> {
  if (page.items === undefined) return page;
  const published = page.items
    .filter(({ snippet }) => isPublished(snippet) && isPublished(snippet?.topLevelComment?.snippet))
    .map(withPublishedReplies);
  const videos = await videosOf(published, seeing);
  const shown = await seeing.shown("videos.list", [...videos.values()]);
  const items = published.filter((thing) => {
    const videoId = videos.get(threadOf(thing));
    // Below a post stands no video.
    return videoId === undefined || shown.has(videoId);
  });
  return { ...page, items };
}

/** The videos of comments by their threads. A comment does not always name its own; its thread does. */
async function videosOf(
  comments: readonly Thing[],
  seeing: Seeing,
): Promise<ReadonlyMap<string, string>> {
  const named = comments.flatMap((comment): [string, string][] => {
    const videoId = comment.snippet?.videoId;
    return videoId === undefined ? [] : [[threadOf(comment), videoId]];
  });
  const known = new Map(named);
  const unknown = comments.map(threadOf).filter((id) => id !== "" && !known.has(id));
  if (unknown.length === 0) return known;
  return new Map([...known, ...(await seeing.videosOf(unknown))]);
}

/** A reply's id begins with that of its thread. */
function threadOf({ id = "" }: Thing): string {
  return id.split(".")[0] ?? "";
}

function withPublishedReplies(thing: Thing): Thing {
  if (thing.replies?.comments === undefined) return thing;
  const comments = thing.replies.comments.filter(({ snippet }) => isPublished(snippet));
  return { ...thing, replies: { ...thing.replies, comments } };
}

function isPublished(said: Said | undefined): boolean {
  return said?.moderationStatus === undefined || said.moderationStatus === "published";
}
