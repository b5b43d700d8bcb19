import type { Method } from "../../../video/index.ts";
import type { LooseClient } from "../../declare/loose-client.ts";

/** An entry of a list, as far as its rules look at it. */
export interface Thing {
  readonly id?: string;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly statistics?: Readonly<Record<string, unknown>>;
  readonly contentDetails?: Readonly<Record<string, unknown>>;
  readonly snippet?: Said & {
    readonly type?: string;
    /** Of an entry: its playlist. */
    readonly playlistId?: string;
    /** Of a subscription: who is subscribed. */
    readonly channelId?: string;
    readonly topLevelComment?: { readonly snippet?: Said };
  };
  readonly replies?: { readonly comments?: readonly { readonly snippet?: Said }[] };
}

export interface Said {
  readonly moderationStatus?: string;
  readonly videoId?: string;
}

export interface Page {
  readonly items?: readonly Thing[];
}

/** What the rules may ask about the entries of a list. */
export interface Seeing {
  /** The linked channel's id, where it is known. */
  readonly ownId: string | undefined;
  /** Those of them that others than their owner see. */
  shown(
    method: "videos.list" | "playlists.list",
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Whether the service says so; of a list that it does not name it says nothing. */
  isPrivatePlaylist(id: string): Promise<boolean>;
  /** The videos that threads stand below, by the threads' ids. */
  videosOf(threadIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Ids of one call (facts: limits). */
const mostIds = 50;

/** Asks with the same client; a unit for each fifty. */
export function seeingOf(client: LooseClient<Page>, ownId: string | undefined): Seeing {
  async function byIds(method: Method, part: string, ids: readonly string[]) {
    const wanted = [...new Set(ids)];
    const found: Thing[] = [];
    for (let start = 0; start < wanted.length; start += mostIds) {
      const id = wanted.slice(start, start + mostIds);
      const { items = [] } = await client.call(method, { part: [part], id });
      found.push(...items);
    }
    return found;
  }

  return {
    ownId,
    shown: async (method, ids) => {
      const found = await byIds(method, "status", ids);
      return new Set(found.filter(isShown).flatMap(({ id }) => id ?? []));
    },
    isPrivatePlaylist: async (wanted) => {
      const found = await byIds("playlists.list", "status", [wanted]);
      return found.some(({ id, status }) => id === wanted && status?.privacyStatus === "private");
    },
    videosOf: async (threadIds) => {
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

/** By its own word; what does not say is not. */
export function isShown({ status }: Thing): boolean {
  return open.has(status?.privacyStatus);
}
