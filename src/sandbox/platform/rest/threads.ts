import { Hono } from "hono";
import { anything, choice, isFields, required, shape, text, whole } from "../check/check.ts";
import { createMessage } from "../messages.ts";
import { botMay, channelOf } from "../places.ts";
import { demand, rejections } from "../rejection.ts";
import {
  activeThreads,
  archiveDurations,
  botMembership,
  isArchived,
  isForum,
  shownThread,
  type Thread,
  tellThread,
} from "../threads.ts";
import type { World } from "../world.ts";
import { appliedTags, tagsFor } from "./forum-tags.ts";
import { bodyOf, type RestEnv } from "./request.ts";
import { demandContentRights, everyonePings } from "./sending.ts";

const defaultArchiveAfter = 4_320;
const archivedPage = 50;

const newPost = shape({
  name: required(text(1, 100)),
  auto_archive_duration: choice(archiveDurations),
  rate_limit_per_user: whole(0, 21_600),
  applied_tags: appliedTags,
  // Looked at where messages are made.
  message: required(anything),
});

/** Posts of forums: made in the channel, listed for the server. */
export function threadRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.post("/channels/:channelId/threads", (c) => {
    const channelId = c.req.param("channelId");
    const forum = channelOf(world, channelId);
    // Greenroom begins no threads below messages.
    if (forum === undefined || !isForum(forum)) throw rejections.wrongChannelType();
    const body = bodyOf(c);
    const { uploads } = c.get("received");
    demand(newPost, body);
    const message = isFields(body.message) ? body.message : {};
    // The right to write in threads is not needed to begin a post: same page.
    demandContentRights(world, channelId, { body: message, files: uploads.size });
    const tags = tagsFor(world, channelId, { wanted: body.applied_tags });
    if (activeThreads(world).length >= world.activeThreadLimit) throw rejections.tooManyThreads();
    const thread = newThread(world, {
      parentId: channelId,
      name: String(body.name).trim(),
      appliedTags: tags,
      archiveAfter: Number(body.auto_archive_duration ?? defaultArchiveAfter),
    });
    const made = {
      author: world.cast.bot,
      channelId: thread.id,
      pings: everyonePings,
      extra: { id: thread.id, position: 0 },
    };
    world.threads.set(thread.id, thread);
    try {
      const stored = createMessage(world, "starter", made, { body: message, uploads });
      tellThread(world, thread, "new");
      return c.json({ ...joined(world, thread), message: world.shown(stored) }, 201);
    } catch (error) {
      world.threads.delete(thread.id);
      throw rejections.isForm(error) ? rejections.form({ message: error.errors ?? {} }) : error;
    }
  });

  app.get("/channels/:channelId/threads/archived/public", (c) => {
    const channelId = c.req.param("channelId");
    if (!botMay(world, channelId, "readHistory")) throw rejections.missingAccess();
    const { before, limit } = c.req.query();
    const size = Math.min(100, Math.max(2, Number(limit ?? archivedPage) || archivedPage));
    const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = [...world.threads.values()]
      .filter((thread) => thread.parentId === channelId && isArchived(world, thread))
      .filter((thread) => thread.archiveChangedAt < until)
      .sort((one, other) => other.archiveChangedAt - one.archiveChangedAt);
    return c.json(listed(world, found.slice(0, size), found.length > size));
  });

  app.get("/guilds/:guildId/threads/active", (c) => {
    const seen = activeThreads(world).filter(({ id }) => botMay(world, id, "view"));
    const isHere = c.req.param("guildId") === world.cast.guildId;
    return c.json(listed(world, isHere ? seen : [], false));
  });

  return app;
}

/** With the bot's own membership, as its requests bring it. */
export function joined(world: World, thread: Thread): object {
  const [member] = botMembership(world, thread);
  return { ...shownThread(world, thread), ...(member === undefined ? {} : { member }) };
}

function listed(world: World, threads: readonly Thread[], hasMore: boolean): object {
  return {
    threads: threads.map((thread) => shownThread(world, thread)),
    members: threads.flatMap((thread) => botMembership(world, thread)),
    has_more: hasMore,
  };
}

type NewThread = Pick<Thread, "parentId" | "name" | "appliedTags" | "archiveAfter">;

function newThread(world: World, made: NewThread): Thread {
  const at = world.now();
  return {
    ...made,
    id: world.nextId(),
    ownerId: world.cast.bot.id,
    createdAt: at,
    isLocked: false,
    isArchived: false,
    archiveChangedAt: at,
    activeAt: at,
    sent: 0,
    messageIds: new Set(),
  };
}
