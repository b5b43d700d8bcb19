import type { APIGuildForumTag, APIMessage, APIThreadChannel } from "discord-api-types/v10";
import { findPageChannel } from "./channels.ts";
import type { PageState } from "./page-state.ts";

export interface ShownPost {
  readonly thread: APIThreadChannel;
  readonly tags: readonly APIGuildForumTag[];
  /** What it was begun with; undefined when that was deleted. */
  readonly first: APIMessage | undefined;
  /** Messages beside the first. */
  readonly answers: number;
  /** Id of what was written last. */
  readonly newest: string;
}

export function postTags(state: PageState, thread: APIThreadChannel): readonly APIGuildForumTag[] {
  const { available_tags: known = [] } = findPageChannel(state, thread.parent_id ?? "") ?? {};
  return (thread.applied_tags ?? []).flatMap((id) => known.find((tag) => tag.id === id) ?? []);
}

/** Posts of a forum, the one with the newest message first; archived ones come last. */
export function postsIn(state: PageState, forumId: string): readonly ShownPost[] {
  const threads = state.hello?.threads.filter(({ parent_id: parent }) => parent === forumId) ?? [];
  const byThread = Map.groupBy(state.messages, (message) => message.channel_id);
  return threads
    .map((thread) => {
      const messages = byThread.get(thread.id) ?? [];
      return {
        thread,
        tags: postTags(state, thread),
        first: messages.find(({ id }) => id === thread.id),
        answers: messages.filter(({ id }) => id !== thread.id).length,
        newest: messages.at(-1)?.id ?? thread.id,
      };
    })
    .sort((one, other) => compareAge(other.newest, one.newest))
    .sort((one, other) => Number(isForumPostArchived(one)) - Number(isForumPostArchived(other)));
}

/** Snowflakes grow with time; as decimal numbers without leading zeros they compare by length first. */
export function compareAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

export function isForumPostArchived({ thread }: Pick<ShownPost, "thread">): boolean {
  return thread.thread_metadata?.archived ?? false;
}
