import { Hono, type MiddlewareHandler } from "hono";
import { createMessage, deleteMessage, editMessage, startTyping } from "../messages.ts";
import { botMay, channelOf, partnerIn } from "../places.ts";
import { refuse, rejections } from "../rejection.ts";
import { threadOf } from "../threads.ts";
import type { StoredMessage, World } from "../world.ts";
import { bodyOf, limitOf, paramOf, type RestContext, type RestEnv } from "./request.ts";
import { demandManaging, demandOpen, demandRights, everyonePings, referenceTo } from "./sending.ts";

// A repeated nonce answers the earlier message for "the past few minutes".
const nonceLifeMs = 5 * 60_000;
const pageSize = 50;
const maxPage = 100;

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

/** The latest use of each nonce, by channel. */
type Nonces = Map<string, { readonly id: string; readonly at: number }>;

/** The messages everyone sees in a channel or post. */
export function channelRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const nonces: Nonces = new Map();
  const all = "/:channelId/messages";
  const one = `${all}/:messageId`;

  app.get(all, (c) => c.json(pageOf(world, c).map((stored) => world.shown(stored))));
  app.post(all, (c) => c.json(world.shown(send(world, c, nonces))));
  app.post("/:channelId/typing", (c) => {
    const channelId = c.req.param("channelId");
    demandRights(world, channelId, { body: {}, files: 0 });
    startTyping(world, channelId, world.cast.bot.id);
    return c.body(null, 204);
  });
  app.get(one, (c) => c.json(world.shown(wantedMessage(world, c))));
  app.patch(one, (c) => c.json(world.shown(edit(world, c))));
  app.delete(one, (c) => {
    remove(world, c);
    return c.body(null, 204);
  });
  return app;
}

function pageOf(world: World, c: RestContext): readonly StoredMessage[] {
  const channelId = paramOf(c, "channelId");
  if (!botMay(world, channelId, "readHistory")) return [];
  const { before, after, around } = c.req.query();
  const size = limitOf(c, { usual: pageSize, most: maxPage });
  const all = [...world.messages.values()]
    .filter(({ message, audience }) => message.channel_id === channelId && audience === undefined)
    .reverse();
  const idOf = ({ message }: StoredMessage): bigint => BigInt(message.id);
  const middle = all.findIndex((each) => each.message.id === around);
  if (around !== undefined && middle >= 0) {
    const from = Math.max(0, middle - Math.floor(size / 2));
    return all.slice(from, from + size);
  }
  if (after !== undefined) return all.filter((each) => idOf(each) > BigInt(after)).slice(-size);
  return all.filter((each) => before === undefined || idOf(each) < BigInt(before)).slice(0, size);
}

function send(world: World, c: RestContext, nonces: Nonces): StoredMessage {
  const body = bodyOf(c);
  const { uploads } = c.get("received");
  const channelId = paramOf(c, "channelId");
  demandRights(world, channelId, { body, files: uploads.size });
  demandOpen(world, channelId, "write");
  const nonce = body.nonce == null ? undefined : String(body.nonce);
  const nonceKey = `${channelId} ${nonce}`;
  const earlier = nonce === undefined ? undefined : nonces.get(nonceKey);
  const isFresh = earlier !== undefined && world.now() - earlier.at < nonceLifeMs;
  if (body.enforce_nonce === true && isFresh) {
    const repeated = world.messages.get(earlier.id);
    // One that was deleted since is not made again: discord/discord-api-docs#6647.
    if (repeated === undefined) throw rejections.unknownMessage();
    return repeated;
  }
  const reference = replyTo(world, body.message_reference, channelId);
  const made = {
    author: world.cast.bot,
    channelId,
    pings: everyonePings,
    ...(reference === undefined ? {} : { type: 19 }),
    extra: { ...reference, ...(nonce === undefined ? {} : { nonce }) },
  };
  const stored = createMessage(world, "channel", made, { body, uploads });
  if (nonce !== undefined) nonces.set(nonceKey, { id: stored.message.id, at: world.now() });
  return stored;
}

function edit(world: World, c: RestContext): StoredMessage {
  const stored = wantedMessage(world, c);
  if (stored.message.author.id !== world.cast.bot.id) throw rejections.notYours();
  demandOpen(world, stored.message.channel_id, "change");
  const { uploads } = c.get("received");
  editMessage(world, stored, { body: bodyOf(c), uploads }, everyonePings);
  return stored;
}

function remove(world: World, c: RestContext): void {
  const stored = wantedMessage(world, c);
  const isOwn = stored.message.author.id === world.cast.bot.id;
  if (!isOwn) demandManaging(world, stored);
  deleteMessage(world, stored);
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
