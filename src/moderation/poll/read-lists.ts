import type { CommentThread, VideoClient } from "../../video/index.ts";
import type { Watch, WatchedState } from "../records/index.ts";
import { type Candidate, candidateOf, commentsOf } from "./to-comment.ts";

interface ReadOptions {
  readonly signal: AbortSignal;
  /** To its end, whether or not a page brings anything new. */
  readonly isSweep: boolean;
  /** Units that may be spent beyond a page a list. */
  readonly spareUnits: number;
  /** Whether the queue has all of them. */
  readonly areKnown: (commentIds: readonly string[]) => Promise<boolean>;
  /** Published comments that came before are left alone. */
  readonly since: number;
  /** Which texts of published comments are wanted. */
  readonly matching: (texts: readonly string[]) => Promise<readonly boolean[]>;
}

export interface Reading {
  readonly candidates: readonly Candidate[];
  /** Lists that were read to their ends. */
  readonly whole: ReadonlySet<WatchedState>;
}

const pageSize = 100;
const mostPages = 100;
/** A comment shows up in the lists some time after it was written (facts, section 7). */
export const lateMs = 10 * 60_000;
/** Threads whose replies are read one by one in one poll: a held reply need not come along with its thread. */
const mostThreads = 5;

type Threads = Pick<Watch, "source" | "states">;

/** Reads a watch's lists, the newest first. @throws what `call` throws; nothing is kept of what was read before. */
export async function readLists(
  client: VideoClient,
  watch: Threads,
  options: ReadOptions,
): Promise<Reading> {
  const found = new Map<string, Candidate>();
  const whole = new Set<WatchedState>();
  const allowance = { units: options.spareUnits, threads: mostThreads };
  for (const state of watch.states) {
    const isWhole = await readList(client, watch, { ...options, state, allowance, found });
    if (isWhole) whole.add(state);
  }
  return { candidates: [...found.values()], whole };
}

interface ListOptions extends ReadOptions {
  readonly state: WatchedState;
  readonly allowance: { units: number; threads: number };
  readonly found: Map<string, Candidate>;
}

/** Answers whether it came to the end of the list. */
async function readList(
  client: VideoClient,
  watch: Threads,
  options: ListOptions,
): Promise<boolean> {
  const { state, signal, allowance, found, areKnown, isSweep } = options;
  let pageToken: string | undefined;
  for (let count = 0; count < mostPages; count += 1) {
    const page = await client.call(
      "commentThreads.list",
      {
        part: ["snippet", "replies"],
        allThreadsRelatedToChannelId: watch.source,
        moderationStatus: state,
        order: "time",
        textFormat: "plainText",
        maxResults: pageSize,
        ...(pageToken !== undefined && { pageToken }),
      },
      { signal },
    );
    const told: Candidate[] = [];
    for (const thread of page.items) {
      told.push(...(await wantedIn(client, thread, watch, options)));
    }
    const wanted = state === "published" ? await matchingIn(told, options) : told;
    for (const candidate of wanted) found.set(candidate.comment.id, candidate);
    const next = page.nextPageToken;
    if (next === undefined || next === pageToken) return true;
    if (allowance.units < 1) return false;
    const goesOn =
      state === "published"
        ? reaches(page.items, options.since)
        : isSweep || !(await areKnown(wanted.map(({ comment }) => comment.id)));
    if (!goesOn) return false;
    allowance.units -= 1;
    pageToken = next;
  }
  return false;
}

/** Whether the next page may hold threads that are new enough. */
function reaches(threads: readonly CommentThread[], since: number): boolean {
  const last = threads.at(-1)?.snippet?.topLevelComment?.snippet?.publishedAt;
  return last !== undefined && Date.parse(last) > since - lateMs;
}

async function wantedIn(
  client: VideoClient,
  thread: CommentThread,
  watch: Threads,
  options: ListOptions,
): Promise<readonly Candidate[]> {
  if (options.state === "published") return publishedIn(thread, watch, options);
  const shown = heldIn(thread, watch);
  const { totalReplyCount = 0 } = thread.snippet ?? {};
  const hasMore = totalReplyCount > (thread.replies?.comments?.length ?? 0);
  const { allowance, signal } = options;
  if (shown.length > 0 || !hasMore || allowance.units < 1 || allowance.threads < 1) return shown;
  // The thread is here for one of the replies that did not come along.
  allowance.units -= 1;
  allowance.threads -= 1;
  const parentId = thread.snippet?.topLevelComment?.id ?? thread.id ?? "";
  const { items } = await client.call(
    "comments.list",
    { part: ["snippet"], parentId, textFormat: "plainText", maxResults: pageSize },
    { signal },
  );
  return heldIn({ ...thread, replies: { comments: items } }, watch);
}

/** Those that wait; a thread is in the list for one of its comments, and the others may be published. */
function heldIn(thread: CommentThread, { states }: Threads): readonly Candidate[] {
  const comments = commentsOf(thread);
  return comments.flatMap((comment) => {
    const status = comment.snippet?.moderationStatus;
    const state = states.find((one) => one !== "published" && one === status);
    return (state && candidateOf(comment, thread, state)) ?? [];
  });
}

function publishedIn(
  thread: CommentThread,
  { source }: Threads,
  { since }: ListOptions,
): readonly Candidate[] {
  return commentsOf(thread).flatMap((comment) => {
    const { moderationStatus = "published" } = comment.snippet ?? {};
    const candidate = candidateOf(comment, thread, "published");
    if (moderationStatus !== "published" || candidate === undefined) return [];
    const { publishedAt, authorId } = candidate.comment;
    // What the channel itself writes waits for nobody.
    return publishedAt <= since - lateMs || authorId === source ? [] : [candidate];
  });
}

async function matchingIn(
  candidates: readonly Candidate[],
  { matching }: ListOptions,
): Promise<readonly Candidate[]> {
  const isWanted = await matching(candidates.map(({ comment }) => comment.text));
  return candidates.filter((_, at) => isWanted[at]);
}
