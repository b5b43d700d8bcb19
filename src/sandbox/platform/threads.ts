import type { APIGuildForumChannel, APIThreadChannel } from "discord-api-types/v10";
import type { World } from "./world.ts";

/** A post of a forum; its first message has its id. */
export interface Thread {
  readonly id: string;
  readonly parentId: string;
  readonly ownerId: string;
  readonly createdAt: number;
  name: string;
  appliedTags: readonly string[];
  /** Minutes without a message until it is archived by itself. */
  archiveAfter: number;
  isLocked: boolean;
  /** Archived by hand; one that has been quiet for too long is archived without it. */
  isArchived: boolean;
  /** When it was made, archived or taken out of the archive. */
  archiveChangedAt: number;
  activeAt: number;
  /** Messages ever written in it, without the first. */
  sent: number;
  readonly messageIds: Set<string>;
}

export const archiveDurations = [60, 1_440, 4_320, 10_080] as const;

export function threadOf(world: World, id: string): Thread | undefined {
  const thread = world.threads.get(id);
  return thread === undefined || world.removedChannels.has(thread.parentId) ? undefined : thread;
}

export function isForum(channel: { readonly type: number }): channel is APIGuildForumChannel {
  return channel.type === 15;
}

export function isArchived({ now }: World, thread: Thread): boolean {
  return thread.isArchived || now() - thread.activeAt >= thread.archiveAfter * 60_000;
}

/** Threads that are not archived, newest first. */
export function activeThreads(world: World): readonly Thread[] {
  return [...world.threads.values()]
    .filter(({ id }) => threadOf(world, id) !== undefined)
    .filter((thread) => !isArchived(world, thread))
    .reverse();
}

export function archive(world: World, thread: Thread, isIn: boolean): void {
  if (isArchived(world, thread) !== isIn) thread.archiveChangedAt = world.now();
  thread.isArchived = isIn;
  if (!isIn) thread.activeAt = world.now();
}

/** As the platform shows it; without who is in it, which only the bot's own requests bring. */
export function shownThread(world: World, thread: Thread): APIThreadChannel {
  const { id, ownerId, messageIds } = thread;
  const shown = {
    id,
    type: 11,
    last_message_id: [...messageIds].at(-1) ?? null,
    flags: 0,
    guild_id: world.cast.guildId,
    name: thread.name,
    parent_id: thread.parentId,
    rate_limit_per_user: 0,
    owner_id: ownerId,
    thread_metadata: {
      archived: isArchived(world, thread),
      archive_timestamp: new Date(thread.archiveChangedAt).toISOString(),
      auto_archive_duration: thread.archiveAfter,
      locked: thread.isLocked,
      create_timestamp: new Date(thread.createdAt).toISOString(),
    },
    message_count: messageIds.size - (messageIds.has(id) ? 1 : 0),
    member_count: 1,
    total_message_sent: thread.sent,
    applied_tags: thread.appliedTags,
  };
  // The types ask for a pin time, which such a thread has not.
  return shown as unknown as APIThreadChannel;
}

/** The bot is a member of the posts that it began. */
export function botMembership({ cast }: World, thread: Thread): readonly object[] {
  const joined = new Date(thread.createdAt).toISOString();
  return thread.ownerId === cast.bot.id
    ? [{ id: thread.id, user_id: cast.bot.id, join_timestamp: joined, flags: 0 }]
    : [];
}

export function tellThread(world: World, thread: Thread, isNew?: "new"): void {
  const shown = shownThread(world, thread);
  world.publish({ type: "thread", thread: shown });
  const { parentId: channelId } = thread;
  world.dispatch(
    isNew === undefined
      ? { name: "THREAD_UPDATE", data: shown, channelId }
      : { name: "THREAD_CREATE", data: { ...shown, newly_created: true }, channelId },
  );
}

/** Changes a post as a moderator would. */
export function setThread(
  world: World,
  id: string,
  { archived, locked }: { readonly archived?: boolean; readonly locked?: boolean },
): void {
  const thread = threadOf(world, id);
  if (thread === undefined) throw new TypeError(`there is no post ${id}`);
  if (locked !== undefined) thread.isLocked = locked;
  if (archived !== undefined) archive(world, thread, archived);
  tellThread(world, thread);
}

/** Deletes a post with all that was written in it. */
export function deleteThread(world: World, thread: Thread): void {
  world.threads.delete(thread.id);
  for (const id of thread.messageIds) world.messages.delete(id);
  const { id, parentId } = thread;
  world.publish({ type: "thread-deleted", threadId: id, parentId });
  const data = { id, parent_id: parentId, type: 11 };
  world.dispatch({ name: "THREAD_DELETE", data, channelId: parentId });
}
