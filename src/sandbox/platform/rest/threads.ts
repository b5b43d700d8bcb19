import { Hono } from "hono";
import { botMay, channelById } from "../channel-access.ts";
import {
  anything,
  type CheckedFields,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  string,
} from "../check/check.ts";
import { announceMessage, createMessage, createNotice } from "../messages.ts";
import { demand, rejection, withinField } from "../rejection.ts";
import type { PlatformState, StoredMessage, StoredThread } from "../state.ts";
import {
  activeThreads,
  archiveDurations,
  botMembership,
  isForumChannel,
  isThreadArchived,
  sendThread,
  shownThread,
  threadOfMessage,
} from "../threads.ts";
import { wantedMessage } from "./channel-messages.ts";
import { appliedTags, tagsFor } from "./forum-tags.ts";
import { demandContentRights, everyonePings, isWritten, referenceTo } from "./message-rules.ts";
import { bodyFields, type RestEnv } from "./request.ts";

const defaultArchiveAfter = 4_320;
const archivedPage = 50;
/** The message in a thread that shows what it was begun from. */
const starterNotice = 21;

const settings = {
  name: required(string(1, 100)),
  auto_archive_duration: oneOfValues(archiveDurations),
  rate_limit_per_user: integer(0, 21_600),
} as const;
const newThreadFields = object(settings);
const newPost = object({
  ...settings,
  applied_tags: appliedTags,
  // Looked at where messages are made.
  message: required(anything),
});

/** Posts of forums and threads of messages: made in the channel, listed for the server. */
export function threadRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.post("/channels/:channelId/threads", (c) => {
    const channelId = c.req.param("channelId");
    const forum = channelById(state, channelId);
    if (forum === undefined || !isForumChannel(forum)) throw rejection("wrongChannelType");
    const body = bodyFields(c);
    const { uploads } = c.get("received");
    demand(newPost, body);
    const message = isObject(body.message) ? body.message : {};
    // The right to write in threads is not needed to begin a post: same page.
    demandContentRights(state, channelId, { body: message, files: uploads.size });
    const tags = tagsFor(state, channelId, { wanted: body.applied_tags });
    demandRoom(state);
    const id = state.nextId();
    const thread = newThread(state, body, {
      id,
      starterId: id,
      parentId: channelId,
      appliedTags: tags,
    });
    const made = {
      author: state.guild.bot,
      channelId: thread.id,
      pings: everyonePings,
      extra: { id: thread.id, position: 0 },
    };
    state.threads.set(thread.id, thread);
    try {
      const stored = createMessage(state, "starter", made, { body: message, uploads });
      sendThread(state, thread, "new");
      return c.json({ ...joined(state, thread), message: state.shown(stored) }, 201);
    } catch (error) {
      state.threads.delete(thread.id);
      throw withinField("message", error);
    }
  });

  app.post("/channels/:channelId/messages/:messageId/threads", (c) => {
    const thread = beginThread(state, wantedMessage(state, c), bodyFields(c));
    return c.json(joined(state, thread), 201);
  });

  app.get("/channels/:channelId/threads/archived/public", (c) => {
    const channelId = c.req.param("channelId");
    if (!botMay(state, channelId, "readHistory")) throw rejection("missingAccess");
    const { before, limit } = c.req.query();
    const size = Math.min(100, Math.max(2, Number(limit ?? archivedPage) || archivedPage));
    const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = [...state.threads.values()]
      .filter((thread) => thread.parentId === channelId && isThreadArchived(state, thread))
      .filter((thread) => thread.archiveChangedAt < until)
      .sort((one, other) => other.archiveChangedAt - one.archiveChangedAt);
    return c.json(listed(state, found.slice(0, size), found.length > size));
  });

  app.get("/guilds/:guildId/threads/active", (c) => {
    const seen = activeThreads(state).filter(({ id }) => botMay(state, id, "view"));
    const isHere = c.req.param("guildId") === state.guild.guildId;
    return c.json(listed(state, isHere ? seen : [], false));
  });

  return app;
}

/** With the bot's own membership, as its requests bring it. */
export function joined(state: PlatformState, thread: StoredThread): object {
  const [member] = botMembership(state, thread);
  return { ...shownThread(state, thread), ...(member === undefined ? {} : { member }) };
}

function listed(state: PlatformState, threads: readonly StoredThread[], hasMore: boolean): object {
  return {
    threads: threads.map((thread) => shownThread(state, thread)),
    members: threads.flatMap((thread) => botMembership(state, thread)),
    has_more: hasMore,
  };
}

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
function beginThread(
  state: PlatformState,
  stored: StoredMessage,
  body: CheckedFields,
): StoredThread {
  const { message } = stored;
  const { channel_id: parentId } = message;
  const channel = channelById(state, parentId);
  // Neither in a thread nor in a direct conversation.
  if (channel === undefined || isForumChannel(channel)) throw rejection("wrongChannelType");
  demand(newThreadFields, body);
  if (!botMay(state, parentId, "beginThreads")) throw rejection("missingPermissions");
  if (!isWritten(stored)) throw rejection("systemMessage");
  if (threadOfMessage(state, message) !== undefined) throw rejection("hasThread");
  demandRoom(state);
  const starterId = state.nextId();
  const made = { id: message.id, starterId, parentId, appliedTags: [] };
  const thread = newThread(state, body, made);
  state.threads.set(thread.id, thread);
  sendThread(state, thread, "new");
  const extra = { id: starterId, position: 0, ...referenceTo(state, stored, parentId) };
  const author = state.guild.bot;
  createNotice(state, { author, channelId: thread.id, type: starterNotice, pings: [], extra });
  announceMessage(state, stored, "MESSAGE_UPDATE");
  return thread;
}

function demandRoom(state: PlatformState): void {
  if (activeThreads(state).length >= state.activeThreadLimit) throw rejection("tooManyThreads");
}

type NewThread = Pick<StoredThread, "id" | "starterId" | "parentId" | "appliedTags">;

function newThread(state: PlatformState, body: CheckedFields, made: NewThread): StoredThread {
  const at = state.now();
  return {
    ...made,
    name: String(body.name).trim(),
    archiveAfter: Number(body.auto_archive_duration ?? defaultArchiveAfter),
    slowmode: Number(body.rate_limit_per_user ?? 0),
    ownerId: state.guild.bot.id,
    createdAt: at,
    isLocked: false,
    isArchived: false,
    archiveChangedAt: at,
    activeAt: at,
    sent: 0,
    messageIds: new Set(),
  };
}
