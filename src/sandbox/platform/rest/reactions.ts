import { Hono } from "hono";
import { botMay } from "../channel-access.ts";
import {
  addReaction,
  clearReactions,
  emojiFrom,
  maxReactions,
  reactionWith,
  removeReaction,
} from "../reactions.ts";
import { rejection } from "../rejection.ts";
import {
  type PlatformState,
  personById,
  type ReactionEmoji,
  type StoredMessage,
} from "../state.ts";
import { wantedMessage } from "./channel-messages.ts";
import { demandManaging, demandOpen } from "./message-rules.ts";
import { type RestContext, type RestEnv, readLimit } from "./request.ts";

// https://docs.discord.com/developers/resources/message#get-reactions
const maxPage = 100;
const page = 25;
const burst = "1";

/** Emoji below messages: the bot's own, and what it does to those of others. */
export function reactionRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const all = "/:channelId/messages/:messageId/reactions";
  const one = `${all}/:emoji`;

  app.put(`${one}/@me`, (c) => {
    const { stored, emoji } = target(state, c);
    const { channel_id: channelId } = stored.message;
    demandOpen(state, channelId, "change");
    const isNew = reactionWith(stored, emoji) === undefined;
    // Joining a reaction takes only seeing it; the first of its kind takes a right of its own.
    const isAllowed =
      botMay(state, channelId, "readHistory") && (!isNew || botMay(state, channelId, "react"));
    if (!isAllowed) throw rejection("missingPermissions");
    if (isNew && stored.reactions.length >= maxReactions) throw rejection("tooManyReactions");
    addReaction(state, stored, { userId: state.guild.bot.id, emoji });
    return c.body(null, 204);
  });

  app.get(one, (c) => {
    const { stored, emoji } = target(state, c);
    const { after = "0", type } = c.req.query();
    const size = readLimit(c, { usual: page, most: maxPage });
    const from = /^\d{1,20}$/.test(after) ? BigInt(after) : 0n;
    const ids = [...(reactionWith(stored, emoji)?.userIds ?? [])]
      .filter((id) => BigInt(id) > from)
      .sort((left, right) => (BigInt(left) < BigInt(right) ? -1 : 1))
      .slice(0, type === burst ? 0 : size);
    return c.json(
      ids.map((id) => {
        const name = personById(state, id);
        return name === undefined ? state.guild.bot : state.person(name).user;
      }),
    );
  });

  app.delete(`${one}/:userId`, (c) => {
    const { stored, emoji } = target(state, c);
    const whose = c.req.param("userId");
    const userId = whose === "@me" ? state.guild.bot.id : whose;
    if (userId !== state.guild.bot.id) demandManaging(state, stored);
    removeReaction(state, stored, { userId, emoji });
    return c.body(null, 204);
  });

  app.delete(one, (c) => {
    const { stored, emoji } = target(state, c);
    demandManaging(state, stored);
    clearReactions(state, stored, emoji);
    return c.body(null, 204);
  });

  app.delete(all, (c) => {
    const stored = wantedMessage(state, c);
    demandManaging(state, stored);
    clearReactions(state, stored);
    return c.body(null, 204);
  });

  return app;
}

interface ReactionTarget {
  readonly stored: StoredMessage;
  readonly emoji: ReactionEmoji;
}

function target(state: PlatformState, c: RestContext): ReactionTarget {
  const stored = wantedMessage(state, c);
  const text = c.req.param("emoji") ?? "";
  // A deleted emoji of the server may still be below messages.
  const left = stored.reactions.find(({ emoji }) => `${emoji.name}:${emoji.id}` === text);
  const emoji = emojiFrom(state, text) ?? left?.emoji;
  if (emoji === undefined) throw rejection("unknownEmoji");
  return { stored, emoji };
}
