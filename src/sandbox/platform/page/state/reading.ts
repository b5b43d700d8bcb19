import type { APIMessage } from "discord-api-types/v10";
import { isNewer } from "./age.ts";
import type { PageState } from "./page.ts";

/** How far a person has read, by channel: the id of the newest message that they saw there. */
export type Reading = Readonly<Record<string, string>>;

/** The page with its open channel read to the end. */
export function readOn(state: PageState): PageState {
  const { channelId, messages, reading } = state;
  const newest = messages.findLast((message) => message.channel_id === channelId);
  if (newest === undefined || !isNewer(newest.id, reading[channelId])) return state;
  return { ...state, reading: { ...reading, [channelId]: newest.id } };
}

/** How many messages of others wait in a channel. */
export function unreadIn({ messages, reading, hello }: PageState, channelId: string): number {
  return messages.filter(
    ({ channel_id: where, author, id }: APIMessage) =>
      where === channelId && author.id !== hello?.me.user.id && isNewer(id, reading[channelId]),
  ).length;
}
