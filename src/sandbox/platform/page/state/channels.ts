import type { APIThreadChannel } from "discord-api-types/v10";
import type { HelloEvent, PageChannel } from "../../protocol.ts";
import { shownName } from "./names.ts";
import type { PageState } from "./page-state.ts";

/** What the page calls a place. */
export interface ShownChannel {
  readonly kind: "text" | "announcements" | "forum" | "post" | "direct";
  readonly name: string;
  /** Before the name wherever it is written out. */
  readonly mark: "#" | "@" | "";
  /** The forum of a post. */
  readonly parent?: PageChannel | undefined;
  readonly thread?: APIThreadChannel;
}

const announcementsType = 5;
const forumType = 15;
const kinds: Readonly<Record<number, ShownChannel["kind"]>> = {
  [announcementsType]: "announcements",
  [forumType]: "forum",
};

export function isForumOnPage(channel: Pick<PageChannel, "type"> | undefined): boolean {
  return channel?.type === forumType;
}

export function findPageChannel(
  { hello }: Pick<PageState, "hello">,
  channelId: string,
): PageChannel | undefined {
  return hello?.channels.find(({ id }) => id === channelId);
}

/** The conversation with the bot, a channel of the server, or a post of a forum. */
export function describeChannel(state: Pick<PageState, "hello">, channelId: string): ShownChannel {
  const { hello } = state;
  if (hello && channelId === hello.directChannelId) {
    return { kind: "direct", name: shownName(hello.bot), mark: "@" };
  }
  const channel = findPageChannel(state, channelId);
  if (channel) return { kind: kinds[channel.type] ?? "text", name: channel.name, mark: "#" };
  const thread = hello?.threads.find(({ id }) => id === channelId);
  if (!thread) return { kind: "text", name: "", mark: "#" };
  const parent = findPageChannel(state, thread.parent_id ?? "");
  return { kind: "post", name: thread.name, mark: "", parent, thread };
}

const contexts = { "#": 0, "": 0, "@": 1 } as const;

/** Commands of the place that is open: in a conversation only those that say so. */
export function offeredHere(state: PageState): HelloEvent["commands"] {
  const context = contexts[describeChannel(state, state.channelId).mark];
  return (state.hello?.commands ?? []).filter(
    (command) => command.contexts?.includes(context) ?? true,
  );
}
