import { Hono } from "hono";
import { createMessage, deleteMessage, editMessage } from "../messages.ts";
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
    const known = world.cast.channels.some(({ id }) => id === c.req.param("channelId"));
    if (!known) throw rejections.unknownChannel();
    if (!world.guildIds.has(world.cast.guildId)) throw rejections.missingAccess();
    await next();
  });

  app.get("/:channelId", (c) => {
    const id = c.req.param("channelId");
    const last = [...world.messages.values()].findLast(
      ({ message, audience }) => message.channel_id === id && audience === undefined,
    );
    const channel = world.cast.channels.find((each) => each.id === id);
    return c.json({ ...channel, last_message_id: last?.message.id ?? null });
  });

  app.get("/:channelId/messages", (c) => {
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
    const nonce = body.nonce == null ? undefined : String(body.nonce);
    const earlier = nonces.get(nonce ?? "");
    const repeated = world.messages.get(earlier?.id ?? "");
    const isFresh = earlier !== undefined && world.now() - earlier.at < nonceLifeMs;
    if (body.enforce_nonce === true && repeated !== undefined && isFresh) {
      return c.json(world.shown(repeated));
    }
    const channelId = c.req.param("channelId");
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
    deleteMessage(world, wanted(c));
    return c.body(null, 204);
  });

  return app;
}

function replyTo(
  world: World,
  given: unknown,
  channelId: string,
): Partial<StoredMessage["message"]> | undefined {
  if (typeof given !== "object" || given === null || !("message_id" in given)) return undefined;
  const stored = world.messages.get(String(given.message_id));
  const isOptional = "fail_if_not_exists" in given && given.fail_if_not_exists === false;
  if (stored === undefined && isOptional) return undefined;
  if (stored === undefined) {
    return refuse(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
  }
  return referenceTo(world, stored, channelId);
}
