import { type Method, methods } from "../../video/index.ts";
import type { SendCall } from "./middleware.ts";

/** An entry of a list, with the fields that decide who may see it. */
export interface ListedItem {
  readonly id?: string;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly statistics?: Readonly<Record<string, unknown>>;
  readonly contentDetails?: Readonly<Record<string, unknown>>;
  readonly snippet?: CommentState & {
    readonly type?: string;
    /** For an entry: its playlist. */
    readonly playlistId?: string;
    /** For a subscription: who is subscribed. */
    readonly channelId?: string;
    readonly topLevelComment?: { readonly snippet?: CommentState };
  };
  readonly replies?: { readonly comments?: readonly { readonly snippet?: CommentState }[] };
}

interface CommentState {
  readonly moderationStatus?: string;
  readonly videoId?: string;
}

export interface ItemsPage {
  readonly items?: readonly ListedItem[];
}

/** What has to be looked up to decide who may see the entries of a list. */
export type PublicLookups = ReturnType<typeof createPublicLookups>;

const mostIds = 50;

/** Looks up as the same channel; one unit for fifty ids. */
export function createPublicLookups(send: SendCall, ownId: string | undefined) {
  async function byIds(method: Method, part: string, ids: readonly string[]) {
    const wanted = [...new Set(ids)];
    const found: ListedItem[] = [];
    for (let start = 0; start < wanted.length; start += mostIds) {
      const id = wanted.slice(start, start + mostIds);
      const { items = [] } = (await send({ method, params: { part: [part], id } })) as ItemsPage;
      found.push(...items);
    }
    return found;
  }

  return {
    /** The linked channel's id, where it is known. */
    ownId,
    /** Those of the ids that not only their owner can see. */
    publicIds: async (
      method: "videos.list" | "playlists.list",
      ids: readonly string[],
    ): Promise<ReadonlySet<string>> => {
      const found = await byIds(method, "status", ids);
      return new Set(found.filter(isPubliclyListed).flatMap(({ id }) => id ?? []));
    },
    /** Whether YouTube says that it is private; false for a list that YouTube does not name. */
    isPrivatePlaylist: async (wanted: string) => {
      const found = await byIds("playlists.list", "status", [wanted]);
      return found.some(({ id, status }) => id === wanted && status?.privacyStatus === "private");
    },
    /** The videos that the threads are about, by the threads' ids. */
    videosOf: async (threadIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const found = await byIds("commentThreads.list", "snippet", threadIds);
      return new Map(
        found.flatMap(({ id, snippet }): [string, string][] =>
          id === undefined || snippet?.videoId === undefined ? [] : [[id, snippet.videoId]],
        ),
      );
    },
  };
}

const open: ReadonlySet<unknown> = new Set(["public", "unlisted"]);

/** By its privacy; without one it counts as private. */
export function isPubliclyListed({ status }: ListedItem): boolean {
  return open.has(status?.privacyStatus);
}

/**
 * Comments and threads without those that are held, suspected or rejected, and without those about a video that nobody
 * else sees: YouTube shows them only to the channel itself.
 */
export async function onlyPublished(page: ItemsPage, lookups: PublicLookups): Promise<ItemsPage> {
  if (page.items === undefined) return page;
  const published = page.items
    .filter(({ snippet }) => isPublished(snippet) && isPublished(snippet?.topLevelComment?.snippet))
    .map((thing) => {
      if (thing.replies?.comments === undefined) return thing;
      const comments = thing.replies.comments.filter(({ snippet }) => isPublished(snippet));
      return { ...thing, replies: { ...thing.replies, comments } };
    });
  const videos = await findVideos(published, lookups);
  const shown = await lookups.publicIds("videos.list", [...videos.values()]);
  const items = published.filter((thing) => {
    const videoId = videos.get(threadId(thing));
    // Comments on a post have no video.
    return videoId === undefined || shown.has(videoId);
  });
  return { ...page, items };
}

/** The videos of comments by their threads. A comment does not always name its own; its thread does. */
async function findVideos(
  comments: readonly ListedItem[],
  lookups: PublicLookups,
): Promise<ReadonlyMap<string, string>> {
  const named = comments.flatMap((comment): [string, string][] => {
    const videoId = comment.snippet?.videoId;
    return videoId === undefined ? [] : [[threadId(comment), videoId]];
  });
  const known = new Map(named);
  const unknown = comments.map(threadId).filter((id) => id !== "" && !known.has(id));
  if (unknown.length === 0) return known;
  return new Map([...known, ...(await lookups.videosOf(unknown))]);
}

/** A reply's id begins with that of its thread. */
function threadId({ id = "" }: ListedItem): string {
  return id.split(".")[0] ?? "";
}

function isPublished(state: CommentState | undefined): boolean {
  return state?.moderationStatus === undefined || state.moderationStatus === "published";
}

/** Parts of a channel that only its owner gets. */
const ownParts = methods["channels.list"].query.part.needsToken;

/** A channel without what YouTube shows only to its owner. */
export function withoutOwnFields(channel: ListedItem): ListedItem {
  const left = { ...channel } as Record<string, unknown>;
  for (const part of ownParts) delete left[part];
  const { contentDetails, statistics, status } = channel;
  const { relatedPlaylists } = (contentDetails ?? {}) as { relatedPlaylists?: PublicFields };
  const { uploads } = relatedPlaylists ?? {};
  // YouTube still shows a hidden number of subscribers to the owner.
  const isHidden = statistics?.hiddenSubscriberCount === true;
  return {
    ...left,
    // Of a channel's own lists, only the uploads are public.
    ...(relatedPlaylists && {
      contentDetails: {
        ...contentDetails,
        relatedPlaylists: uploads === undefined ? {} : { uploads },
      },
    }),
    ...(isHidden && { statistics: without(statistics, "subscriberCount") }),
    ...(status && { status: without(status, "selfDeclaredMadeForKids") }),
  };
}

type PublicFields = Readonly<Record<string, unknown>>;

function without(fields: PublicFields, name: string): PublicFields {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** Fields that YouTube shows only to a video's owner, by their parts. */
const ownersFields = {
  contentDetails: "hasCustomThumbnail",
  statistics: "dislikeCount",
  status: "selfDeclaredMadeForKids",
} as const satisfies Partial<Record<keyof ListedItem, string>>;

/** A video without what YouTube shows only to its owner. */
export function withoutOwnersDetails(video: ListedItem): ListedItem {
  const parts = Object.entries(ownersFields).flatMap(([part, field]) => {
    const { [field]: _, ...rest } = video[part as keyof typeof ownersFields] ?? {};
    return part in video ? [[part, rest] as const] : [];
  });
  return { ...video, ...Object.fromEntries(parts) };
}
