import {
  type APIGuildForumChannel,
  type APIMessage,
  type APIThreadChannel,
  ChannelType,
} from "discord-api-types/v10";
import type { PlatformState, StoredThread } from "./state.ts";

export const archiveDurations = [60, 1_440, 4_320, 10_080] as const;

export function findStoredThread(state: PlatformState, id: string): StoredThread | undefined {
  const thread = state.threads.get(id);
  return thread === undefined || state.removedChannels.has(thread.parentId) ? undefined : thread;
}

export function isForumChannel(channel: {
  readonly type: number;
}): channel is APIGuildForumChannel {
  return channel.type === 15;
}

export function isThreadArchived({ now }: PlatformState, thread: StoredThread): boolean {
  return thread.isArchived || now() - thread.activeAt >= thread.archiveAfter * 60_000;
}

/** Threads that are not archived, newest first. */
export function activeThreads(state: PlatformState): readonly StoredThread[] {
  return [...state.threads.values()]
    .filter(({ id }) => findStoredThread(state, id) !== undefined)
    .filter((thread) => !isThreadArchived(state, thread))
    .reverse();
}

export function setArchived(state: PlatformState, thread: StoredThread, isIn: boolean): void {
  if (isThreadArchived(state, thread) !== isIn) thread.archiveChangedAt = state.now();
  thread.isArchived = isIn;
  if (!isIn) thread.activeAt = state.now();
}

function threadType({ guild }: PlatformState, { parentId }: StoredThread) {
  const parent = guild.channels.find(({ id }) => id === parentId);
  const isAnnouncement = parent?.type === ChannelType.GuildAnnouncement;
  return isAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread;
}

/** As Discord shows it; without who is in it, which only the bot's own requests bring. */
export function shownThread(state: PlatformState, thread: StoredThread): APIThreadChannel {
  const { id, ownerId, messageIds, starterId } = thread;
  const parent = state.guild.channels.find((channel) => channel.id === thread.parentId);
  const shown = {
    id,
    type: threadType(state, thread),
    last_message_id: [...messageIds].at(-1) ?? null,
    flags: 0,
    guild_id: state.guild.guildId,
    name: thread.name,
    parent_id: thread.parentId,
    rate_limit_per_user: thread.slowmode,
    owner_id: ownerId,
    thread_metadata: {
      archived: isThreadArchived(state, thread),
      archive_timestamp: new Date(thread.archiveChangedAt).toISOString(),
      auto_archive_duration: thread.archiveAfter,
      locked: thread.isLocked,
      create_timestamp: new Date(thread.createdAt).toISOString(),
    },
    message_count: messageIds.size - (messageIds.has(starterId) ? 1 : 0),
    member_count: 1,
    total_message_sent: thread.sent,
    ...(parent && isForumChannel(parent) && { applied_tags: thread.appliedTags }),
  };
  // The type requires a pin time, which such a thread does not have.
  return shown as unknown as APIThreadChannel;
}

/** The thread that was begun from a message, unless it is gone. */
export function threadOfMessage(
  state: PlatformState,
  { id, channel_id: channelId }: Pick<APIMessage, "id" | "channel_id">,
): StoredThread | undefined {
  const thread = findStoredThread(state, id);
  return thread?.parentId === channelId ? thread : undefined;
}

/** The bot is a member of the posts that it began. */
export function botMembership({ guild }: PlatformState, thread: StoredThread): readonly object[] {
  const joined = new Date(thread.createdAt).toISOString();
  return thread.ownerId === guild.bot.id
    ? [{ id: thread.id, user_id: guild.bot.id, join_timestamp: joined, flags: 0 }]
    : [];
}

export function sendThread(state: PlatformState, thread: StoredThread, isNew?: "new"): void {
  const shown = shownThread(state, thread);
  state.publish({ type: "thread", thread: shown });
  const { parentId: channelId } = thread;
  state.dispatch(
    isNew === undefined
      ? { name: "THREAD_UPDATE", data: shown, channelId }
      : { name: "THREAD_CREATE", data: { ...shown, newly_created: true }, channelId },
  );
}

/** Deletes a post with all that was written in it. */
export function deleteThread(state: PlatformState, thread: StoredThread): void {
  state.threads.delete(thread.id);
  for (const id of thread.messageIds) state.messages.delete(id);
  const { id, parentId } = thread;
  state.publish({ type: "thread-deleted", threadId: id, parentId });
  const data = { id, parent_id: parentId, type: threadType(state, thread) };
  state.dispatch({ name: "THREAD_DELETE", data, channelId: parentId });
}
