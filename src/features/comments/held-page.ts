import { cut } from "../../discord/index.ts";
import type { Comment, CommentThread } from "../../video/index.ts";
import { requireOwnChannelId } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { givenFields } from "../options/index.ts";
import { commentedVideoTitles } from "./find.ts";

/** The two lists of comments that wait for the channel's decision. */
export const waitingStates = ["heldForReview", "likelySpam"] as const;
export type WaitingState = (typeof waitingStates)[number];

/** A position in the lists. A call returns more waiting comments than are shown at once: hence `chunk`. */
interface HeldPlace {
  readonly state: WaitingState;
  readonly token?: string | undefined;
  readonly chunk: number;
}

export interface HeldPageTurn {
  /** The lists to go through, in this order. */
  readonly states: readonly WaitingState[];
  readonly place: HeldPlace;
  readonly before: readonly HeldPlace[];
}

/** What a page's buttons store about a comment, so that choosing one needs no call. */
export interface ShownHeldComment {
  readonly id: string;
  readonly comment: Comment;
  readonly video?: string | undefined;
}

export interface DeepVideo {
  readonly id: string;
  readonly title?: string | undefined;
}

export interface HeldPage extends HeldPageTurn {
  readonly shown: readonly ShownHeldComment[];
  readonly next?: HeldPlace | undefined;
  /** Videos with a waiting reply that YouTube leaves out of its thread. */
  readonly deep: readonly DeepVideo[];
  /** The channel is watched, so its comments can be reviewed too. */
  readonly isWatched?: true;
}

/** Comments on a page: a message can hold six with most of their texts. */
const perPage = 6;
/** Threads of one call, for many pages. They cost as much as one: docs/services/youtube.md#lists-and-pages */
const threadsAtOnce = 100;
/** The most videos that a page names. */
const maxDeepVideos = 3;
/** How many characters of a text are stored; the whole text is on the video's page. */
const maxTextChars = 400;

export async function readHeldPage(ctx: Ctx, turning: HeldPageTurn): Promise<HeldPage> {
  const { place, states } = turning;
  const { own, signal } = ctx;
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: await requireOwnChannelId(ctx),
    moderationStatus: place.state,
    textFormat: "plainText",
    maxResults: threadsAtOnce,
    pageToken: place.token,
  } as const;
  const { items, nextPageToken } = await own.call("commentThreads.list", wanted, { signal });
  const waiting = items.flatMap((thread) => waitingIn(thread));
  const here = waiting.slice(place.chunk * perPage, (place.chunk + 1) * perPage);
  const deep = items.flatMap((thread) =>
    place.chunk === 0 && waitingIn(thread).length === 0 ? (thread.snippet?.videoId ?? []) : [],
  );
  const ids = items.map(({ snippet }) => snippet?.videoId);
  const titles = await commentedVideoTitles(own, ids, signal);
  return {
    ...turning,
    shown: here.flatMap((comment) =>
      comment.id === undefined
        ? []
        : [
            {
              id: comment.id,
              comment: storedComment(comment),
              video: titles.get(comment.snippet?.videoId ?? ""),
            },
          ],
    ),
    next: nextPlace(place, states, {
      hasMoreHere: waiting.length > (place.chunk + 1) * perPage,
      token: nextPageToken,
    }),
    deep: [...new Set(deep)].slice(0, maxDeepVideos).map((id) => ({ id, title: titles.get(id) })),
  };
}

function nextPlace(
  { state, token, chunk }: HeldPlace,
  states: readonly WaitingState[],
  after: { readonly hasMoreHere: boolean; readonly token: string | undefined },
): HeldPlace | undefined {
  if (after.hasMoreHere) return { state, token, chunk: chunk + 1 };
  if (after.token !== undefined) return { state, token: after.token, chunk: 0 };
  const next = states[states.indexOf(state) + 1];
  return next === undefined ? undefined : { state: next, chunk: 0 };
}

/** YouTube lists a thread if it or one of its replies waits, so each comment is checked. */
function waitingIn({ snippet, replies }: CommentThread): readonly Comment[] {
  const top = snippet?.topLevelComment;
  const all = [...(top === undefined ? [] : [top]), ...(replies?.comments ?? [])];
  return all
    .filter((comment) => waitingStates.some((one) => one === comment.snippet?.moderationStatus))
    .map((comment) => ({
      ...comment,
      snippet: { videoId: snippet?.videoId ?? "", ...comment.snippet },
    }));
}

function storedComment({ id, snippet }: Comment): Comment {
  const { authorDisplayName, videoId, parentId, publishedAt, updatedAt, moderationStatus } =
    snippet ?? {};
  const text = snippet?.textDisplay;
  const fields = {
    authorDisplayName,
    videoId,
    parentId,
    publishedAt,
    updatedAt,
    moderationStatus,
    imageUrl: snippet?.imageUrl,
    textDisplay: text === undefined ? undefined : cut(text, maxTextChars),
  };
  return { ...(id === undefined ? {} : { id }), snippet: givenFields(fields) ?? {} };
}
