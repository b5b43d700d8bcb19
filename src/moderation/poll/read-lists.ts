import { parseTime } from "../../clock.ts";
import type { CommentThread, VideoClient } from "../../video/index.ts";
import { commentsInThread, type ListedComment, toListedComment } from "../listed-comment.ts";
import type { Watch, WatchedState } from "../records/index.ts";

interface ReadListsOptions {
  readonly signal: AbortSignal;
  /** Read the lists to their ends, even if a page has nothing new. */
  readonly isSweep: boolean;
  /** Units that may be spent beyond one page per list. */
  readonly spareUnits: number;
  /** Whether all of these comments are stored already. */
  readonly areKnown: (commentIds: readonly string[]) => Promise<boolean>;
  /** Published comments that are older are ignored. */
  readonly since: number;
  /** Which of these published comments the watch shows. */
  readonly matching: (listed: readonly ListedComment[]) => Promise<readonly boolean[]>;
  /** Read with a key alone. */
  readonly isByKey: boolean;
}

export interface ReadListsResult {
  readonly candidates: readonly ListedComment[];
  /** The lists that were read to their ends. */
  readonly whole: ReadonlySet<WatchedState>;
  /** When the newest published comment was written, shown or not. */
  readonly newestAt: number | undefined;
}

const pageSize = 100;
const maxPages = 100;
/** A comment may appear in YouTube's lists only this long after it was written. */
export const listDelayMs = 10 * 60_000;
/** How many threads per poll have their replies read separately: a held reply is not always listed with its thread. */
const maxThreads = 5;

type WatchedLists = Pick<Watch, "source" | "states">;

/** Reads a watch's lists, newest first. @throws what `call` throws; then the whole result is lost. */
export async function readLists(
  client: VideoClient,
  watch: WatchedLists,
  options: ReadListsOptions,
): Promise<ReadListsResult> {
  const found = new Map<string, ListedComment>();
  const whole = new Set<WatchedState>();
  const allowance = { units: options.spareUnits, threads: maxThreads };
  const newest = { at: 0 };
  for (const state of watch.states) {
    const isWhole = await readList(client, watch, { ...options, state, allowance, found, newest });
    if (isWhole) whole.add(state);
  }
  return { candidates: [...found.values()], whole, newestAt: newest.at || undefined };
}

interface ReadListOptions extends ReadListsOptions {
  readonly state: WatchedState;
  readonly allowance: { units: number; threads: number };
  readonly found: Map<string, ListedComment>;
  readonly newest: { at: number };
}

/** Reads one list; returns whether it got to its end. */
async function readList(
  client: VideoClient,
  watch: WatchedLists,
  options: ReadListOptions,
): Promise<boolean> {
  const { state, signal, allowance, found, newest, areKnown, isSweep, isByKey } = options;
  let pageToken: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const page = await client.call(
      "commentThreads.list",
      {
        part: ["snippet", "replies"],
        allThreadsRelatedToChannelId: watch.source,
        // The parameter goes with a token alone: docs/services/youtube.md#held-comments
        ...(!isByKey && { moderationStatus: state }),
        order: "time",
        textFormat: "plainText",
        maxResults: pageSize,
        ...(pageToken !== undefined && { pageToken }),
      },
      { signal },
    );
    const listed: ListedComment[] = [];
    for (const thread of page.items) {
      listed.push(...(await readWanted(client, thread, watch, options)));
    }
    const isPublished = state === "published";
    if (isPublished)
      newest.at = Math.max(newest.at, ...listed.map((one) => one.comment.publishedAt));
    const isWanted = isPublished ? await options.matching(listed) : listed.map(() => true);
    const wanted = listed.filter((_, at) => isWanted[at]);
    for (const candidate of wanted) found.set(candidate.comment.id, candidate);
    const next = page.nextPageToken;
    if (next === undefined || next === pageToken) return true;
    if (allowance.units < 1) return false;
    const lastAt = parseTime(page.items.at(-1)?.snippet?.topLevelComment?.snippet?.publishedAt);
    const goesOn = isPublished
      ? lastAt !== undefined && lastAt > options.since - listDelayMs
      : isSweep || !(await areKnown(wanted.map(({ comment }) => comment.id)));
    if (!goesOn) return false;
    allowance.units -= 1;
    pageToken = next;
  }
  return false;
}

async function readWanted(
  client: VideoClient,
  thread: CommentThread,
  watch: WatchedLists,
  options: ReadListOptions,
): Promise<readonly ListedComment[]> {
  if (options.state === "published") return publishedIn(thread, watch, options);
  const shown = heldIn(thread, watch);
  const { totalReplyCount = 0 } = thread.snippet ?? {};
  const hasMore = totalReplyCount > (thread.replies?.comments?.length ?? 0);
  const { allowance, signal } = options;
  if (shown.length > 0 || !hasMore || allowance.units < 1 || allowance.threads < 1) return shown;
  // The thread must be listed because of a reply that was not included.
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

/** The waiting comments of a thread. A thread is listed because of one comment; the others may be published. */
function heldIn(thread: CommentThread, { states }: WatchedLists): readonly ListedComment[] {
  const comments = commentsInThread(thread);
  return comments.flatMap((comment) => {
    const status = comment.snippet?.moderationStatus;
    const state = states.find((one) => one !== "published" && one === status);
    return (state && toListedComment(comment, thread, state)) ?? [];
  });
}

function publishedIn(
  thread: CommentThread,
  { source }: WatchedLists,
  { since }: ReadListOptions,
): readonly ListedComment[] {
  const comments = commentsInThread(thread);
  // A comment that the channel itself has answered waits for nobody.
  const isAnswered = comments.some(({ snippet }) => snippet?.authorChannelId?.value === source);
  return comments.flatMap((comment, index) => {
    if (index === 0 && isAnswered) return [];
    const { moderationStatus = "published" } = comment.snippet ?? {};
    const candidate = toListedComment(comment, thread, "published");
    if (moderationStatus !== "published" || candidate === undefined) return [];
    const { publishedAt, authorId } = candidate.comment;
    // Nobody moderates what the channel itself writes.
    return publishedAt <= since - listDelayMs || authorId === source ? [] : [candidate];
  });
}
