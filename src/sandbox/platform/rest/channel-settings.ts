import { Hono } from "hono";
import { changeChannel, removeChannel } from "../channel-changes.ts";
import { choice, exactText, type Fields, flag, shape, text, whole } from "../check/check.ts";
import { botMay, channelOf, directChannelOf, partnerIn } from "../places.ts";
import { demand, rejections } from "../rejection.ts";
import {
  archive,
  archiveDurations,
  deleteThread,
  isArchived,
  isForum,
  type Thread,
  tellThread,
  threadOf,
} from "../threads.ts";
import type { ChannelChanges, World } from "../world.ts";
import { appliedTags, availableTags, namedTags, tagsFor } from "./forum-tags.ts";
import { bodyOf, type RestEnv } from "./request.ts";
import { joined } from "./threads.ts";

/** What of a channel the bot has reason to change. */
const channelSettings = shape({
  name: text(1, 100),
  topic: exactText(0, 1_024),
});
const forumSettings = shape({
  name: text(1, 100),
  topic: exactText(0, 4_096),
  flags: whole(0, 2 ** 31 - 1),
  available_tags: availableTags,
});
const threadSettings = shape({
  name: text(1, 100),
  archived: flag,
  locked: flag,
  auto_archive_duration: choice(archiveDurations),
  applied_tags: appliedTags,
});

/** A channel or post itself: what it is, and what of it is changed. */
export function channelSettingRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  function shown(id: string): object {
    const thread = threadOf(world, id);
    if (thread !== undefined) return joined(world, thread);
    const partner = partnerIn(world, id);
    const channel = partner ? directChannelOf(world, partner) : channelOf(world, id);
    return { ...channel, last_message_id: lastIn(world, id) ?? null };
  }

  app.get("/:channelId", (c) => c.json(shown(c.req.param("channelId"))));

  app.patch("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const thread = threadOf(world, id);
    if (thread !== undefined) changeThread(world, thread, bodyOf(c));
    else changeSettings(world, id, bodyOf(c));
    return c.json(shown(id));
  });

  app.delete("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const thread = threadOf(world, id);
    const isHeld = botMay(world, id, thread === undefined ? "manageChannels" : "manageThreads");
    if (!isHeld) throw rejections.missingPermissions();
    const gone = shown(id);
    if (thread === undefined) removeChannel(world, id);
    else deleteThread(world, thread);
    return c.json(gone);
  });

  return app;
}

/** The newest message; in a forum, the newest post. */
function lastIn(world: World, id: string): string | undefined {
  const channel = channelOf(world, id);
  if (channel !== undefined && isForum(channel)) {
    return [...world.threads.values()].findLast(({ parentId }) => parentId === id)?.id;
  }
  const last = [...world.messages.values()].findLast(
    ({ message, audience }) => message.channel_id === id && audience === undefined,
  );
  return last?.message.id;
}

/**
 * Who made a post may rename, tag and archive it, as long as it is not locked; the rest is for those who manage threads
 * (https://docs.discord.com/developers/topics/threads#editing-deleting-threads).
 */
function changeThread(world: World, thread: Thread, body: Fields): void {
  demand(threadSettings, body);
  const isManager = botMay(world, thread.id, "manageThreads");
  const isOwner = thread.ownerId === world.cast.bot.id;
  if (!isManager && (!isOwner || body.locked != null)) throw rejections.missingPermissions();
  if (!isManager && thread.isLocked) throw rejections.threadLocked();
  if (isArchived(world, thread) && body.archived !== false) throw rejections.threadArchived();
  if (body.applied_tags != null) {
    const tags = { wanted: body.applied_tags, had: thread.appliedTags };
    thread.appliedTags = tagsFor(world, thread.parentId, tags);
  }
  if (body.name != null) thread.name = String(body.name).trim();
  if (body.auto_archive_duration != null) thread.archiveAfter = Number(body.auto_archive_duration);
  if (typeof body.locked === "boolean") thread.isLocked = body.locked;
  if (typeof body.archived === "boolean") archive(world, thread, body.archived);
  tellThread(world, thread);
}

function changeSettings(world: World, id: string, body: Fields): void {
  const channel = channelOf(world, id);
  if (channel === undefined) throw rejections.notYoursHere();
  if (!botMay(world, id, "manageChannels")) throw rejections.missingPermissions();
  demand(isForum(channel) ? forumSettings : channelSettings, body);
  const given = Object.entries(body).filter(([, value]) => value !== null);
  const had = isForum(channel) ? channel.available_tags : [];
  const { available_tags: tags, ...rest }: ChannelChanges = Object.fromEntries(given);
  const named = tags === undefined ? {} : { available_tags: namedTags(world, tags, had) };
  changeChannel(world, id, { ...rest, ...named });
}
