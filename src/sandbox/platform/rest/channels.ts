import { Hono, type MiddlewareHandler } from "hono";
import { createMessage, deleteMessage, editMessage } from "../messages.ts";
import { botMay, channelOf, partnerIn } from "../places.ts";
import { refuse, rejections } from "../rejection.ts";
import { threadOf } from "../threads.ts";
import { startTyping } from "../typing.ts";
import type { StoredMessage, World } from "../world.ts";
import { referenceTo } from "./reply.ts";
import { bodyOf, type RestContext, type RestEnv } from "./request.ts";
import { demandOpen, demandRights, everyonePings } from "./sending.ts";

// A repeated nonce answers the earlier message for "the past few minutes".
const nonceLifeMs = 5 * 60_000;
const pageSize = 50;

/** Refuses what is unknown, and what the bot does not see; all other routes of channels come after it. */
export function channelAccess(world: World): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const id = c.req.param("channelId") ?? "";
    const partner = partnerIn(world, id);
    const known = partner === undefined ? (channelOf(world, id) ?? threadOf(world, id)) : undefined;
    const isKnown = partner === undefined ? known !== undefined : world.openTo.has(partner);
    if (!isKnown) throw rejections.unknownChannel();
    const isIn = partner !== undefined || world.guildIds.has(world.cast.guildId);
    if (!isIn || !botMay(world, id, "view")) throw rejections.missingAccess();
    await next();
  };
}

/** The messages everyone sees in a channel or post. */
export function channelRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const nonces = new Map<string, { readonly id: string; readonly at: number }>();

  app.get("/:channelId/messages", (c) => {
    if (!botMay(world, c.req.param("channelId"), "readHistory")) return c.json([]);
    const { before, after, around, limit } = c.req.query();
    const size = Math.min(100, Math.max(1, Number(limit ?? pageSize) || pageSize));
    const all = [...world.messages.values()]
      .filter(({ message, audience }) => {
        return message.channel_id === c.req.param("channelId") && audience === undefined;
      })
      .reverse();
    const idOf = ({ message }: StoredMessage): bigint => BigInt(message.id);
    const older = all.filter((each) => before === undefined || idOf(each) < BigInt(before));
    const newer = all.filter((each) => after === undefined || idOf(each) > BigInt(after));
    const middle = all.findIndex((each) => each.message.id === around);
    const from = Math.max(0, middle - Math.floor(size / 2));
    const page =
      around !== undefined && middle >= 0
        ? all.slice(from, from + size)
        : after !== undefined
          ? newer.slice(-size)
          : older.slice(0, size);
    return c.json(page.map((stored) => world.shown(stored)));
  });

  app.post("/:channelId/messages", (c) => {
    const body = bodyOf(c);
    const { uploads } = c.get("received");
    const channelId = c.req.param("channelId");
    demandRights(world, channelId, { body, files: uploads.size });
    demandOpen(world, channelId, true);
    const nonce = body.nonce == null ? undefined : String(body.nonce);
    const nonceKey = `${channelId} ${nonce}`;
    const earlier = nonce === undefined ? undefined : nonces.get(nonceKey);
    const isFresh = earlier !== undefined && world.now() - earlier.at < nonceLifeMs;
    if (body.enforce_nonce === true && isFresh) {
      const repeated = world.messages.get(earlier.id);
      // One that was deleted since is not made again: discord/discord-api-docs#6647.
      if (repeated === undefined) throw rejections.unknownMessage();
      return c.json(world.shown(repeated));
    }
    const reference = replyTo(world, body.message_reference, channelId);
    const stored = createMessage(
      world,
      "channel",
      {
        author: world.cast.bot,
        channelId,
        pings: everyonePings,
        ...(reference === undefined ? {} : { type: 19 }),
        extra: { ...reference, ...(nonce === undefined ? {} : { nonce }) },
      },
      { body, uploads },
    );
    if (nonce !== undefined) nonces.set(nonceKey, { id: stored.message.id, at: world.now() });
    return c.json(world.shown(stored));
  });

  app.post("/:channelId/typing", (c) => {
    const channelId = c.req.param("channelId");
    demandRights(world, channelId, { body: {}, files: 0 });
    startTyping(world, channelId, world.cast.bot.id);
    return c.body(null, 204);
  });

  app.get("/:channelId/messages/:messageId", (c) => c.json(world.shown(wantedMessage(world, c))));

  app.patch("/:channelId/messages/:messageId", (c) => {
    const stored = wantedMessage(world, c);
    if (stored.message.author.id !== world.cast.bot.id) throw rejections.notYours();
    demandOpen(world, c.req.param("channelId"), false);
    const { uploads } = c.get("received");
    editMessage(world, stored, { body: bodyOf(c), uploads }, everyonePings);
    return c.json(world.shown(stored));
  });

  app.delete("/:channelId/messages/:messageId", (c) => {
    const stored = wantedMessage(world, c);
    const isOwn = stored.message.author.id === world.cast.bot.id;
    if (!isOwn && !botMay(world, c.req.param("channelId"), "manageMessages")) {
      const isDirect = partnerIn(world, c.req.param("channelId")) !== undefined;
      throw isDirect ? rejections.notYoursHere() : rejections.missingPermissions();
    }
    deleteMessage(world, stored);
    return c.body(null, 204);
  });

  return app;
}

/** @throws Rejection 10008 for what is not there, or not for everyone. */
export function wantedMessage(world: World, c: RestContext): StoredMessage {
  const stored = world.messages.get(c.req.param("messageId") ?? "");
  const isHere = stored?.message.channel_id === c.req.param("channelId");
  // Ephemeral messages exist for their interaction's token only.
  if (stored === undefined || !isHere || stored.audience !== undefined) {
    throw rejections.unknownMessage();
  }
  return stored;
}

function replyTo(
  world: World,
  given: unknown,
  channelId: string,
): Partial<StoredMessage["message"]> | undefined {
  if (typeof given !== "object" || given === null || !("message_id" in given)) return undefined;
  const found = world.messages.get(String(given.message_id));
  const stored = found?.message.channel_id === channelId ? found : undefined;
  const isOptional = "fail_if_not_exists" in given && given.fail_if_not_exists === false;
  if (stored === undefined && isOptional) return undefined;
  if (stored === undefined) {
    return refuse(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
  }
  return referenceTo(world, stored, channelId);
}
