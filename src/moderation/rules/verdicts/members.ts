import { createCache } from "../../../cache.ts";
import { BotError } from "../../../errors.ts";
import { methods, type VideoClient } from "../../../video/index.ts";

/** How long it is cached whether somebody is a member. */
const memberMs = 6 * 3_600_000;
/** How long to wait before asking again, after YouTube refused to list members. */
const closedMs = 3_600_000;
const maxCached = 10_000;
const idsOfCall = methods["members.list"].query.filterByMemberChannelId.maxItems;

/**
 * The paying members among some authors. `closed`: unknown, because the link lacks the permission or the channel has no
 * memberships; `failed`: unknown at present.
 */
type MembersResult =
  | { readonly state: "read"; readonly ids: ReadonlySet<string> }
  | { readonly state: "closed" | "failed"; readonly error: unknown };

interface MemberRequest {
  readonly guildId: string;
  readonly source: string;
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  readonly signal?: AbortSignal;
}

export function createMemberLookup(now: () => number) {
  const timed = { maxSize: maxCached, now } as const;
  const memberCache = createCache<boolean>({ ...timed, maxAgeMs: memberMs });
  const closedCache = createCache<{ readonly error: unknown }>({
    ...timed,
    maxAgeMs: closedMs,
  });

  return async (authorIds: readonly string[], request: MemberRequest): Promise<MembersResult> => {
    const { guildId, source, video, signal } = request;
    const place = `${guildId}:${source}`;
    const options = signal === undefined ? {} : { signal };
    const closed = closedCache.get(place);
    if (closed !== undefined) return { state: "closed", ...closed };
    const isMember = new Map(authorIds.map((id) => [id, memberCache.get(`${place}:${id}`)]));
    const unknown = [...isMember.keys()].filter((id) => isMember.get(id) === undefined);
    try {
      for (let from = 0; from < unknown.length; from += idsOfCall) {
        const ids = unknown.slice(from, from + idsOfCall);
        const client = await video(guildId, source);
        const wanted = {
          part: ["snippet"],
          filterByMemberChannelId: ids,
          maxResults: 1_000,
        } as const;
        const { items = [] } = await client.call("members.list", wanted, options);
        const found = new Set(items.map(({ snippet }) => snippet?.memberDetails?.channelId));
        for (const id of ids) isMember.set(id, found.has(id));
        for (const id of ids) memberCache.set(`${place}:${id}`, found.has(id));
      }
    } catch (error) {
      const isForGood =
        error instanceof BotError && ["connect", "access", "input"].includes(error.kind);
      if (!isForGood) return { state: "failed", error };
      closedCache.set(place, { error });
      return { state: "closed", error };
    }
    return { state: "read", ids: new Set([...isMember.keys()].filter((id) => isMember.get(id))) };
  };
}
