import { BotError } from "../../../errors.ts";
import { methods, type VideoClient } from "../../../video/index.ts";

/** How long somebody is taken for a member, or for none. */
const rememberMs = 6 * 3_600_000;
/** How long a channel without memberships, or a link without that permission, is not asked again. */
const closedMs = 3_600_000;
const mostKnown = 10_000;
const idsOfCall = methods["members.list"].query.filterByMemberChannelId.maxItems;

/**
 * The paying members among some authors. `closed`: nobody can tell, because the link lacks that permission or the
 * channel has no members; `failed`: not now.
 */
export type MembersAmong =
  | { readonly state: "read"; readonly ids: ReadonlySet<string> }
  | { readonly state: "closed" | "failed"; readonly error: unknown };

interface MembersAsking {
  readonly guildId: string;
  readonly source: string;
  readonly client: () => Promise<VideoClient>;
  readonly signal?: AbortSignal;
}

export function createMembers(now: () => number) {
  const known = new Map<string, { readonly isMember: boolean; readonly until: number }>();
  const closed = new Map<string, { readonly error: unknown; readonly until: number }>();

  async function ask(
    authorIds: readonly string[],
    asking: MembersAsking,
    place: string,
  ): Promise<void> {
    const { client, signal } = asking;
    for (let at = 0; at < authorIds.length; at += idsOfCall) {
      const asked = authorIds.slice(at, at + idsOfCall);
      const wanted = {
        part: ["snippet"],
        filterByMemberChannelId: asked,
        maxResults: 1_000,
      } as const;
      const { items = [] } = await (await client()).call("members.list", wanted, {
        ...(signal && { signal }),
      });
      const found = new Set(items.map(({ snippet }) => snippet?.memberDetails?.channelId));
      const until = now() + rememberMs;
      for (const id of asked) known.set(`${place}:${id}`, { isMember: found.has(id), until });
    }
  }

  return async (authorIds: readonly string[], asking: MembersAsking): Promise<MembersAmong> => {
    const place = `${asking.guildId}:${asking.source}`;
    const shut = closed.get(place);
    if (shut !== undefined && shut.until > now()) return { state: "closed", error: shut.error };
    if (known.size > mostKnown) known.clear();
    const keyOf = (id: string) => `${place}:${id}`;
    const ids = [...new Set(authorIds)];
    const unknown = ids.filter((id) => (known.get(keyOf(id))?.until ?? 0) <= now());
    try {
      await ask(unknown, asking, place);
    } catch (error) {
      if (!isFinal(error)) return { state: "failed", error };
      closed.set(place, { error, until: now() + closedMs });
      return { state: "closed", error };
    }
    return { state: "read", ids: new Set(ids.filter((id) => known.get(keyOf(id))?.isMember)) };
  };
}

function isFinal(error: unknown): boolean {
  return error instanceof BotError && ["connect", "access", "input"].includes(error.kind);
}
