import { Hono } from "hono";
import { botMay, channelById, directChannelFor, partnerIn } from "../channel-access.ts";
import { changeChannel, removeChannel } from "../channel-changes.ts";
import {
  boolean,
  type CheckedFields,
  exactString,
  integer,
  object,
  oneOfValues,
  string,
} from "../check/check.ts";
import { demand, rejection } from "../rejection.ts";
import type { ChannelChanges, PlatformState, StoredThread } from "../state.ts";
import {
  archiveDurations,
  deleteThread,
  findStoredThread,
  isForumChannel,
  isThreadArchived,
  sendThread,
  setArchived,
} from "../threads.ts";
import { appliedTags, availableTags, namedTags, tagsFor } from "./forum-tags.ts";
import { bodyFields, type RestEnv } from "./request.ts";
import { joined } from "./threads.ts";

/** What of a channel the bot has reason to change. */
const channelSettings = object({
  name: string(1, 100),
  topic: exactString(0, 1_024),
});
const forumSettings = object({
  name: string(1, 100),
  topic: exactString(0, 4_096),
  flags: integer(0, 2 ** 31 - 1),
  available_tags: availableTags,
});
const threadSettings = object({
  name: string(1, 100),
  archived: boolean,
  locked: boolean,
  auto_archive_duration: oneOfValues(archiveDurations),
  applied_tags: appliedTags,
});

/** A channel or post itself: what it is, and what of it is changed. */
export function channelSettingRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  function shown(id: string): object {
    const thread = findStoredThread(state, id);
    if (thread !== undefined) return joined(state, thread);
    const partner = partnerIn(state, id);
    const channel = partner ? directChannelFor(state, partner) : channelById(state, id);
    const posts = [...state.threads.values()].filter(({ parentId }) => parentId === id);
    const messages = [...state.messages.values()].filter(
      ({ message, audience }) => message.channel_id === id && audience === undefined,
    );
    // A forum's last message is its newest post.
    const isForum = channel !== undefined && isForumChannel(channel);
    const last = isForum ? posts.at(-1)?.id : messages.at(-1)?.message.id;
    return { ...channel, last_message_id: last ?? null };
  }

  app.get("/:channelId", (c) => c.json(shown(c.req.param("channelId"))));

  app.patch("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const thread = findStoredThread(state, id);
    if (thread !== undefined) changeThread(state, thread, bodyFields(c));
    else changeSettings(state, id, bodyFields(c));
    return c.json(shown(id));
  });

  app.delete("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const thread = findStoredThread(state, id);
    const isHeld = botMay(state, id, thread === undefined ? "manageChannels" : "manageThreads");
    if (!isHeld) throw rejection("missingPermissions");
    const gone = shown(id);
    if (thread === undefined) removeChannel(state, id);
    else deleteThread(state, thread);
    return c.json(gone);
  });

  return app;
}

/**
 * Who made a post may rename, tag and archive it, as long as it is not locked; the rest is for those who manage threads
 * (https://docs.discord.com/developers/topics/threads#editing-deleting-threads).
 */
function changeThread(state: PlatformState, thread: StoredThread, body: CheckedFields): void {
  demand(threadSettings, body);
  const isManager = botMay(state, thread.id, "manageThreads");
  const isOwner = thread.ownerId === state.guild.bot.id;
  if (!isManager && (!isOwner || body.locked != null)) throw rejection("missingPermissions");
  if (!isManager && thread.isLocked) throw rejection("threadLocked");
  if (isThreadArchived(state, thread) && body.archived !== false) throw rejection("threadArchived");
  if (body.applied_tags != null) {
    const tags = { wanted: body.applied_tags, had: thread.appliedTags };
    thread.appliedTags = tagsFor(state, thread.parentId, tags);
  }
  if (body.name != null) thread.name = String(body.name).trim();
  if (body.auto_archive_duration != null) thread.archiveAfter = Number(body.auto_archive_duration);
  if (typeof body.locked === "boolean") thread.isLocked = body.locked;
  if (typeof body.archived === "boolean") setArchived(state, thread, body.archived);
  sendThread(state, thread);
}

function changeSettings(state: PlatformState, id: string, body: CheckedFields): void {
  const channel = channelById(state, id);
  if (channel === undefined) throw rejection("notYoursHere");
  if (!botMay(state, id, "manageChannels")) throw rejection("missingPermissions");
  demand(isForumChannel(channel) ? forumSettings : channelSettings, body);
  const changes = Object.entries(body).filter(([, value]) => value !== null);
  const had = isForumChannel(channel) ? channel.available_tags : [];
  const { available_tags: tags, ...rest }: ChannelChanges = Object.fromEntries(changes);
  const named = tags === undefined ? {} : { available_tags: namedTags(state, tags, had) };
  changeChannel(state, id, { ...rest, ...named });
}
