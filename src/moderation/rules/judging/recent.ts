import type { VideoClient } from "../../../video/index.ts";
import { candidateOf, commentsOf } from "../../poll/to-comment.ts";
import type { QueuedComment, WatchedState } from "../../records/index.ts";

/** How many comments of each state a rule is tried on; of what waits, what a page has. */
const most = { heldForReview: 100, likelySpam: 100, published: 200 } as const satisfies Record<
  WatchedState,
  number
>;
const perPage = 100;

/** The channel's comments of lately, newest first: at most 4 units. @throws what the client throws */
export async function recentComments(
  client: VideoClient,
  source: string,
  signal: AbortSignal,
): Promise<readonly QueuedComment[]> {
  const states = Object.keys(most) as WatchedState[];
  const found = new Map<string, QueuedComment>();
  for (const state of states) {
    const comments = await commentsIn(client, { source, state }, signal);
    for (const comment of comments) if (!found.has(comment.id)) found.set(comment.id, comment);
  }
  return [...found.values()].sort((one, other) => other.publishedAt - one.publishedAt);
}

async function commentsIn(
  client: VideoClient,
  { source, state }: { readonly source: string; readonly state: WatchedState },
  signal: AbortSignal,
): Promise<readonly QueuedComment[]> {
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: source,
    moderationStatus: state,
    order: "time",
    textFormat: "plainText",
    maxResults: perPage,
  } as const;
  const maxPages = Math.ceil(most[state] / perPage);
  const found: QueuedComment[] = [];
  for await (const page of client.pages("commentThreads.list", wanted, { signal, maxPages })) {
    for (const thread of page.items ?? []) {
      for (const comment of commentsOf(thread)) {
        // In a thread of another state a reply may wait, and below one that waits nothing is published.
        const own = comment.snippet?.moderationStatus ?? state;
        if (own === state) found.push(...only(candidateOf(comment, thread, state)?.comment));
      }
    }
    if (found.length >= most[state]) break;
  }
  return found.slice(0, most[state]);
}

function only<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
