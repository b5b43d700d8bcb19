import type { APIGuildForumTag, REST } from "discord.js";
import { Routes } from "discord-api-types/v10";
import { createCache } from "../../../cache.ts";
import { BotError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { Locks } from "../../../store/index.ts";
import { cut, oneLine } from "../../draw/text.ts";
import type { ChannelFacts } from "../../wire/channel.ts";
import type { ServerInfoCache } from "./server-info-cache.ts";

/** https://docs.discord.com/developers/resources/channel#forum-tag-object */
const maxNameChars = 20;
const maxTags = 20;
/** https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel */
const maxApplied = 5;
/** After this it tries again: somebody may have given the bot the permission. */
const refusedMs = 10 * 60_000;
const maxRefused = 5_000;

/** The tags that a post is to have. */
export interface WantedTags {
  readonly names: readonly string[];
  /** Of further ones, which people chose; those that the forum no longer has are left out. */
  readonly ids?: readonly string[] | undefined;
}

/** Ids of tags for a post. */
interface FoundTags {
  readonly ids: readonly string[];
  /** Those that anyone may give: moderated ones take Manage Threads. */
  readonly openIds: readonly string[];
}

export function createForumTags({
  rest,
  serverInfo,
  turns,
  now,
}: {
  readonly rest: Pick<REST, "patch">;
  readonly serverInfo: ServerInfoCache;
  readonly turns: Locks;
  readonly now: () => number;
}) {
  /** Forums whose tags the bot may not change. */
  const refusedCache = createCache<true>({ maxSize: maxRefused, maxAgeMs: refusedMs, now });
  /** Forums where the bot may not give moderated tags. */
  const isModerationRefused = createCache<true>({ maxSize: maxRefused, maxAgeMs: refusedMs, now });

  /** One after the other, because a change of the tags sends all of them. */
  async function make({ id }: ChannelFacts, names: readonly string[]): Promise<ChannelFacts> {
    serverInfo.forget(id);
    const forum = await serverInfo.channel(id);
    const added = missing(forum, names).slice(0, Math.max(0, maxTags - forum.tags.length));
    if (added.length === 0) return forum;
    const available_tags = [...forum.tags, ...added.map((name) => ({ name }))];
    await rest.patch(Routes.channel(id), { body: { available_tags } });
    serverInfo.forget(id);
    return serverInfo.channel(id);
  }

  return {
    /** The tags of those names and ids. Missing names are made where the bot may, else left out. Never throws. */
    async find(
      known: ChannelFacts,
      { names: wanted, ids: chosen = [] }: WantedTags,
      log: Log,
    ): Promise<FoundTags> {
      const short = wanted.map((name) => cut(oneLine(name), maxNameChars));
      const names = [...new Set(short)].filter(Boolean);
      let forum = known;
      const mayMake = known.tags.length < maxTags && !refusedCache.has(known.id);
      if (missing(forum, names).length > 0 && mayMake) {
        try {
          forum = await turns(`tags ${forum.id}`, () => make(forum, names));
        } catch (error) {
          // Otherwise our store failed, or the turn was lost.
          if (!(error instanceof BotError)) refusedCache.set(forum.id, true);
          log.info("a forum's tags were not made", { channel: forum.id, error });
        }
      }
      const named = names.map((name) => findTag(forum, name));
      const others = chosen.map((id) => forum.tags.find((tag) => tag.id === id));
      const found = [...new Set([...named, ...others])].filter((tag) => tag !== undefined);
      const isOpen = ({ moderated }: APIGuildForumTag) => !moderated;
      // The forum may take no post without a tag, so any has to do.
      const idsOf = (tags: readonly APIGuildForumTag[]) =>
        (tags.length === 0 && forum.needsTag ? forum.tags.filter(isOpen).slice(0, 1) : tags)
          .slice(0, maxApplied)
          .map(({ id }) => id);
      const openIds = idsOf(found.filter(isOpen));
      return { ids: isModerationRefused.has(known.id) ? openIds : idsOf(found), openIds };
    },
    /** From now on it gives no moderated tags in that forum, for some minutes. */
    refuseModerated: (forumId: string) => isModerationRefused.set(forumId, true),
  };
}

function missing(forum: ChannelFacts, names: readonly string[]): readonly string[] {
  return names.filter((name) => findTag(forum, name) === undefined);
}

/** People may have written the name in another case. */
function findTag({ tags }: ChannelFacts, name: string): APIGuildForumTag | undefined {
  return (
    tags.find((tag) => tag.name === name) ??
    tags.find((tag) => tag.name.trim().toLowerCase() === name.toLowerCase())
  );
}
