import { Hono } from "hono";
import { botMay, channelById } from "../channel-access.ts";
import {
  anything,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  string,
} from "../check/check.ts";
import { createMessage } from "../messages.ts";
import { demand, rejections } from "../rejection.ts";
import type { PlatformState, StoredThread } from "../state.ts";
import {
  activeThreads,
  archiveDurations,
  botMembership,
  isForumChannel,
  isThreadArchived,
  sendThread,
  shownThread,
} from "../threads.ts";
import { appliedTags, tagsFor } from "./forum-tags.ts";
import { demandContentRights, everyonePings } from "./message-rules.ts";
import { bodyFields, type RestEnv } from "./request.ts";

const defaultArchiveAfter = 4_320;
const archivedPage = 50;

const newPost = object({
  name: required(string(1, 100)),
  auto_archive_duration: oneOfValues(archiveDurations),
  rate_limit_per_user: integer(0, 21_600),
  applied_tags: appliedTags,
  // Looked at where messages are made.
  message: required(anything),
});

/** Posts of forums: made in the channel, listed for the server. */
export function threadRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.post("/channels/:channelId/threads", (c) => {
    const channelId = c.req.param("channelId");
    const forum = channelById(state, channelId);
    // Greenroom begins no threads below messages.
    if (forum === undefined || !isForumChannel(forum)) throw rejections.wrongChannelType();
    const body = bodyFields(c);
    const { uploads } = c.get("received");
    demand(newPost, body);
    const message = isObject(body.message) ? body.message : {};
    // The right to write in threads is not needed to begin a post: same page.
    demandContentRights(state, channelId, { body: message, files: uploads.size });
    const tags = tagsFor(state, channelId, { wanted: body.applied_tags });
    if (activeThreads(state).length >= state.activeThreadLimit) throw rejections.tooManyThreads();
    const thread = newThread(state, {
      parentId: channelId,
      name: String(body.name).trim(),
      appliedTags: tags,
      archiveAfter: Number(body.auto_archive_duration ?? defaultArchiveAfter),
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
      throw rejections.isForm(error) ? rejections.form({ message: error.errors ?? {} }) : error;
    }
  });

  app.get("/channels/:channelId/threads/archived/public", (c) => {
    const channelId = c.req.param("channelId");
    if (!botMay(state, channelId, "readHistory")) throw rejections.missingAccess();
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

type NewThread = Pick<StoredThread, "parentId" | "name" | "appliedTags" | "archiveAfter">;

function newThread(state: PlatformState, made: NewThread): StoredThread {
  const at = state.now();
  return {
    ...made,
    id: state.nextId(),
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
