import type { APIGuildForumTag } from "discord-api-types/v10";
import { botMay, channelById } from "../channel-access.ts";
import {
  array,
  boolean,
  exactString,
  isObject,
  object,
  required,
  snowflakeId,
  string,
} from "../check/check.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import { isForumChannel } from "../threads.ts";

const requireTag = 1 << 4;

/** Ids, as a post names its tags. */
export const appliedTags = array(snowflakeId, 0, 5);

/** What a forum has for tags from now on. */
export const availableTags = array(
  object({
    id: snowflakeId,
    name: required(string(1, 20)),
    moderated: boolean,
    emoji_id: snowflakeId,
    emoji_name: exactString(0, 100),
  }),
  0,
  20,
);

/**
 * Tags of the forum that a post may get from the bot.
 * @throws Rejection 10087 for one that is not there, 50013 for one that is not the bot's to give, 40067 without any
 * where one is needed.
 */
export function tagsFor(
  state: PlatformState,
  forumId: string,
  { wanted, had = [] }: { readonly wanted: unknown; readonly had?: readonly string[] },
): readonly string[] {
  const forum = channelById(state, forumId);
  if (forum === undefined || !isForumChannel(forum)) throw rejection("wrongChannelType");
  const ids = Array.isArray(wanted) ? wanted.map(String) : [];
  const known = ids.map((id) => forum.available_tags.find((tag) => tag.id === id));
  if (known.includes(undefined)) throw rejection("unknownTag");
  const changed = forum.available_tags.filter(({ id }) => ids.includes(id) !== had.includes(id));
  const isModerated = changed.some(({ moderated }) => moderated);
  if (isModerated && !botMay(state, forumId, "manageThreads"))
    throw rejection("missingPermissions");
  const isNeeded = ((forum.flags ?? 0) & requireTag) !== 0;
  if (isNeeded && ids.length === 0) throw rejection("tagRequired");
  return ids;
}

/** A tag with its id stays, one without is new, and the others are gone. */
export function namedTags(
  state: PlatformState,
  value: unknown,
  had: readonly APIGuildForumTag[],
): APIGuildForumTag[] {
  const tags = (Array.isArray(value) ? value : []).filter(isObject).map((each) => {
    if (each.id != null && !had.some(({ id }) => id === String(each.id))) {
      throw rejection("unknownTag");
    }
    return {
      id: each.id == null ? state.nextId() : String(each.id),
      name: String(each.name).trim(),
      moderated: each.moderated === true,
      emoji_id: each.emoji_id == null ? null : String(each.emoji_id),
      emoji_name: each.emoji_name == null ? null : String(each.emoji_name),
    };
  });
  if (new Set(tags.map(({ name }) => name.toLowerCase())).size < tags.length) {
    throw rejection("tagNamesMustDiffer");
  }
  return tags;
}
