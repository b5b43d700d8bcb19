import type { APIMessage } from "discord-api-types/v10";
import type { HelloEvent } from "../../protocol.ts";
import { isForumOnPage, pageChannelOf } from "./channels.ts";
import type { PageState } from "./page-state.ts";

/** The page with its open channel read to the end. */
export function readToEnd(state: PageState): PageState {
  const { channelId, reading } = state;
  const newest = newestIn(state, channelId);
  if (newest === undefined || !isNewer(newest, reading[channelId])) return state;
  return { ...state, reading: { ...reading, [channelId]: newest } };
}

function newestIn(state: PageState, channelId: string): string | undefined {
  if (isForumOnPage(pageChannelOf(state, channelId))) return threadsIn(state, channelId).at(-1)?.id;
  return state.messages.findLast((message) => message.channel_id === channelId)?.id;
}

function threadsIn({ hello }: PageState, forumId: string): HelloEvent["threads"] {
  return hello?.threads.filter(({ parent_id: parent }) => parent === forumId) ?? [];
}

/** How many messages of others wait in a channel, or how many new posts in a forum. */
export function unreadIn(state: PageState, channelId: string): number {
  const { reading, hello } = state;
  if (!isForumOnPage(pageChannelOf(state, channelId))) {
    return waiting(state, (where) => where === channelId).length;
  }
  return threadsIn(state, channelId).filter(
    ({ id, owner_id: owner }) =>
      owner !== hello?.me.user.id && isNewer(id, reading[channelId]) && isNewer(id, reading[id]),
  ).length;
}

/** How many of the messages that wait call this person; those in a forum's posts count for the forum. */
export function mentionsIn(state: PageState, channelId: string): number {
  const places = new Set([channelId, ...threadsIn(state, channelId).map(({ id }) => id)]);
  const waits = waiting(state, (where) => places.has(where));
  return waits.filter((message) => isMention(message, state.hello)).length;
}

function waiting(
  { messages, reading, hello }: PageState,
  isHere: (channelId: string) => boolean,
): readonly APIMessage[] {
  return messages.filter(
    ({ channel_id: where, author, id }) =>
      isHere(where) && author.id !== hello?.me.user.id && isNewer(id, reading[where]),
  );
}

/** Whether a message calls this person: by name, by their role, or with everyone. */
export function isMention(message: APIMessage, hello: HelloEvent | undefined): boolean {
  if (hello === undefined || message.author.id === hello.me.user.id) return false;
  const { user, role } = hello.me;
  return (
    message.mention_everyone ||
    message.mention_roles.includes(role.id) ||
    message.mentions.some(({ id }) => id === user.id)
  );
}

/** Snowflakes grow with time; as decimal numbers without leading zeros they compare by length first. */
export function compareAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether an id was given out after another; after none it always was. */
export function isNewer(id: string, other: string | undefined): boolean {
  return other === undefined || compareAge(id, other) > 0;
}
