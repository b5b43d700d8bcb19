import { type Ctx, cut } from "../../discord/index.ts";
import type { Comment, CommentThread } from "../../video/index.ts";
import { videoTitles } from "./find.ts";

/** The two lists in which comments wait for the channel. */
export const waitingStates = ["heldForReview", "likelySpam"] as const;
export type WaitingState = (typeof waitingStates)[number];

/** A position in the lists: a page of threads may have more waiting comments than are shown at once. */
export interface Place {
  readonly state: WaitingState;
  readonly token?: string | undefined;
  readonly chunk: number;
}

export interface Turning {
  /** The lists to go through, in this order. */
  readonly states: readonly WaitingState[];
  readonly place: Place;
  readonly before: readonly Place[];
}

/** What a page stores about a comment, so that choosing one needs no call. */
export interface Shown {
  readonly id: string;
  readonly comment: Comment;
  readonly video?: string | undefined;
}

export interface DeepVideo {
  readonly id: string;
  readonly title?: string | undefined;
}

export interface Page extends Turning {
  readonly shown: readonly Shown[];
  readonly next?: Place | undefined;
  /** Videos with a waiting reply that the service does not give with its thread. */
  readonly deep: readonly DeepVideo[];
}

/** Comments of a page; a message holds six with most of their texts. */
const perPage = 6;
/** The most videos that are named on a page. */
const mostDeep = 3;
/** Characters stored of a text; the whole is on the video's page. */
const keptText = 400;

/** One page of what waits, read anew. */
export async function readPage(ctx: Ctx, turning: Turning): Promise<Page> {
  const { place, states } = turning;
  const { own, signal } = ctx;
  const wanted = {
    part: ["snippet", "replies"],
    allThreadsRelatedToChannelId: await ownId(ctx),
    moderationStatus: place.state,
    textFormat: "plainText",
    maxResults: perPage,
    ...(place.token === undefined ? {} : { pageToken: place.token }),
  } as const;
  const { items, nextPageToken } = await own.call("commentThreads.list", wanted, { signal });
  const waiting = items.flatMap((thread) => waitingIn(thread));
  const here = waiting.slice(place.chunk * perPage, (place.chunk + 1) * perPage);
  const deep = items.flatMap((thread) =>
    place.chunk === 0 && waitingIn(thread).length === 0 ? (thread.snippet?.videoId ?? []) : [],
  );
  const ids = [...here.map(({ snippet }) => snippet?.videoId), ...deep];
  const titles = await videoTitles(own, ids, signal);
  return {
    ...turning,
    shown: here.flatMap((comment) =>
      comment.id === undefined
        ? []
        : [
            {
              id: comment.id,
              comment: kept(comment),
              video: titles.get(comment.snippet?.videoId ?? ""),
            },
          ],
    ),
    next: nextPlace(place, states, {
      hasMoreHere: waiting.length > (place.chunk + 1) * perPage,
      token: nextPageToken,
    }),
    deep: [...new Set(deep)].slice(0, mostDeep).map((id) => ({ id, title: titles.get(id) })),
  };
}

/** Links from early versions do not name their channel. */
async function ownId({ own, channelId, signal }: Ctx): Promise<string> {
  if (channelId !== undefined) return channelId;
  const mine = { part: ["id"], mine: true } as const;
  const { items } = await own.call("channels.list", mine, { signal });
  return items?.[0]?.id ?? "";
}

function nextPlace(
  { state, token, chunk }: Place,
  states: readonly WaitingState[],
  after: { readonly hasMoreHere: boolean; readonly token: string | undefined },
): Place | undefined {
  if (after.hasMoreHere) return { state, token, chunk: chunk + 1 };
  if (after.token !== undefined) return { state, token: after.token, chunk: 0 };
  const next = states[states.indexOf(state) + 1];
  return next === undefined ? undefined : { state: next, chunk: 0 };
}

/** A thread is listed when it or one of its replies waits, so each is checked by itself (facts, section 7). */
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

function kept({ id, snippet }: Comment): Comment {
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
    textDisplay: text === undefined ? undefined : cut(text, keptText),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...(id === undefined ? {} : { id }), snippet: Object.fromEntries(present) };
}
