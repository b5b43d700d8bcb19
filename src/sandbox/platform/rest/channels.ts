import { Hono } from "hono";
import type { Fields } from "../check/check.ts";
import { createMessage, deleteMessage, editMessage } from "../messages.ts";
import { botMay, channelOf, directChannelOf, partnerIn } from "../places.ts";
import { refuse, rejections } from "../rejection.ts";
import type { StoredMessage, World } from "../world.ts";
import { referenceTo } from "./reply.ts";
import { bodyOf, type RestContext, type RestEnv } from "./request.ts";

// A repeated nonce answers the earlier message for "the past few minutes".
const nonceLifeMs = 5 * 60_000;
const pageSize = 50;
const everyonePings = ["users", "roles", "everyone"];

/** Channels and the messages everyone sees in them. */
export function channelRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const nonces = new Map<string, { readonly id: string; readonly at: number }>();

  function wanted(c: RestContext): StoredMessage {
    const stored = world.messages.get(c.req.param("messageId") ?? "");
    const isHere = stored?.message.channel_id === c.req.param("channelId");
    // Ephemeral messages exist for their interaction's token only.
    if (stored === undefined || !isHere || stored.audience !== undefined) {
      throw rejections.unknownMessage();
    }
    return stored;
  }

  app.use("/:channelId/*", async (c, next) => {
    const id = c.req.param("channelId");
    const partner = partnerIn(world, id);
    const isKnown = partner === undefined ? channelOf(world, id) : world.openTo.has(partner);
    if (!isKnown) throw rejections.unknownChannel();
    const isIn = partner !== undefined || world.guildIds.has(world.cast.guildId);
    if (!isIn || !botMay(world, id, "view")) throw rejections.missingAccess();
    await next();
  });

  app.get("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const last = [...world.messages.values()].findLast(
      ({ message, audience }) => message.channel_id === id && audience === undefined,
    );
    const partner = partnerIn(world, id);
    const channel = partner ? directChannelOf(world, partner) : channelOf(world, id);
    return c.json({ ...channel, last_message_id: last?.message.id ?? null });
  });

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
    const nonce = body.nonce == null ? undefined : String(body.nonce);
    const earlier = nonces.get(nonce ?? "");
    const repeated = world.messages.get(earlier?.id ?? "");
    const isFresh = earlier !== undefined && world.now() - earlier.at < nonceLifeMs;
    if (body.enforce_nonce === true && repeated !== undefined && isFresh) {
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
    if (nonce !== undefined) nonces.set(nonce, { id: stored.message.id, at: world.now() });
    return c.json(world.shown(stored));
  });

  app.get("/:channelId/messages/:messageId", (c) => c.json(world.shown(wanted(c))));

  app.patch("/:channelId/messages/:messageId", (c) => {
    const stored = wanted(c);
    if (stored.message.author.id !== world.cast.bot.id) throw rejections.notYours();
    const { uploads } = c.get("received");
    editMessage(world, stored, { body: bodyOf(c), uploads }, everyonePings);
    return c.json(world.shown(stored));
  });

  app.delete("/:channelId/messages/:messageId", (c) => {
    const stored = wanted(c);
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

interface Sent {
  readonly body: Fields;
  readonly files: number;
}

/** @throws Rejection 50007 or 50278 where a person is not reached, 50013 or 160002 where the bot may not. */
function demandRights(world: World, channelId: string, { body, files }: Sent): void {
  const partner = partnerIn(world, channelId);
  if (partner !== undefined && !world.guildIds.has(world.cast.guildId)) {
    throw rejections.noMutualServer();
  }
  if (partner !== undefined && world.closedTo.has(partner)) throw rejections.takesNoMessages();
  const hasEmbeds = Array.isArray(body.embeds) && body.embeds.length > 0;
  const isAllowed =
    botMay(world, channelId, "send") &&
    (!hasEmbeds || botMay(world, channelId, "embed")) &&
    (files === 0 || botMay(world, channelId, "attach"));
  if (!isAllowed) throw rejections.missingPermissions();
  const isReply = body.message_reference != null;
  if (isReply && !botMay(world, channelId, "readHistory")) throw rejections.mayNotReply();
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
