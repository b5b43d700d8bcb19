import { Hono } from "hono";
import { botMay } from "../places.ts";
import {
  addReaction,
  clearReactions,
  emojiFrom,
  maxReactions,
  type ReactionEmoji,
  reactionWith,
  removeReaction,
} from "../reactions.ts";
import { rejections } from "../rejection.ts";
import { personById, type StoredMessage, type World } from "../world.ts";
import { wantedMessage } from "./channels.ts";
import { limitOf, type RestContext, type RestEnv } from "./request.ts";
import { demandManaging, demandOpen } from "./sending.ts";

// https://docs.discord.com/developers/resources/message#get-reactions
const maxPage = 100;
const page = 25;
const burst = "1";

/** Emoji below messages: the bot's own, and what it does to those of others. */
export function reactionRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const all = "/:channelId/messages/:messageId/reactions";
  const one = `${all}/:emoji`;

  app.put(`${one}/@me`, (c) => {
    const { stored, emoji } = target(world, c);
    demandReacting(world, stored, emoji);
    addReaction(world, stored, { userId: world.cast.bot.id, emoji });
    return c.body(null, 204);
  });

  app.get(one, (c) => {
    const { stored, emoji } = target(world, c);
    const { after = "0", type } = c.req.query();
    const size = limitOf(c, { usual: page, most: maxPage });
    const from = /^\d{1,20}$/.test(after) ? BigInt(after) : 0n;
    const ids = [...(reactionWith(stored, emoji)?.userIds ?? [])]
      .filter((id) => BigInt(id) > from)
      .sort((left, right) => (BigInt(left) < BigInt(right) ? -1 : 1))
      .slice(0, type === burst ? 0 : size);
    return c.json(ids.map((id) => userOf(world, id)));
  });

  app.delete(`${one}/:userId`, (c) => {
    const { stored, emoji } = target(world, c);
    const asked = c.req.param("userId");
    const userId = asked === "@me" ? world.cast.bot.id : asked;
    if (userId !== world.cast.bot.id) demandManaging(world, stored);
    removeReaction(world, stored, { userId, emoji });
    return c.body(null, 204);
  });

  app.delete(one, (c) => {
    const { stored, emoji } = target(world, c);
    demandManaging(world, stored);
    clearReactions(world, stored, emoji);
    return c.body(null, 204);
  });

  app.delete(all, (c) => {
    const stored = wantedMessage(world, c);
    demandManaging(world, stored);
    clearReactions(world, stored);
    return c.body(null, 204);
  });

  return app;
}

interface Target {
  readonly stored: StoredMessage;
  readonly emoji: ReactionEmoji;
}

function target(world: World, c: RestContext): Target {
  const stored = wantedMessage(world, c);
  const text = c.req.param("emoji") ?? "";
  // What was taken away from the server may stand below messages still.
  const left = stored.reactions.find(({ emoji }) => `${emoji.name}:${emoji.id}` === text);
  const emoji = emojiFrom(world, text) ?? left?.emoji;
  if (emoji === undefined) throw rejections.unknownEmoji();
  return { stored, emoji };
}

/** Joining a reaction takes only seeing it; the first of its kind takes a right of its own. */
function demandReacting(world: World, stored: StoredMessage, emoji: ReactionEmoji): void {
  const { channel_id: channelId } = stored.message;
  demandOpen(world, channelId, "change");
  const isNew = reactionWith(stored, emoji) === undefined;
  const isAllowed =
    botMay(world, channelId, "readHistory") && (!isNew || botMay(world, channelId, "react"));
  if (!isAllowed) throw rejections.missingPermissions();
  if (isNew && stored.reactions.length >= maxReactions) throw rejections.tooManyReactions();
}

function userOf(world: World, id: string): object {
  const name = personById(world, id);
  return name === undefined ? world.cast.bot : world.person(name).user;
}
