import type { MessageType } from "discord-api-types/v10";
import { Hono } from "hono";
import { createNotice } from "../messages.ts";
import { botMay } from "../places.ts";
import { rejections } from "../rejection.ts";
import type { StoredMessage, World } from "../world.ts";
import { wantedMessage } from "./channels.ts";
import { limitOf, paramOf, type RestContext, type RestEnv } from "./request.ts";
import { referenceTo } from "./sending.ts";

const maxPage = 50;
// Text, replies and what commands and menus answered; the rest is the platform's own.
const pinnable: readonly number[] = [0, 19, 20, 23];

/** Messages that are kept at hand: by the address of today, and by the one before it. */
export function pinRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  function seen(c: RestContext): readonly StoredMessage[] {
    const channelId = paramOf(c, "channelId");
    return botMay(world, channelId, "readHistory") ? pinsIn(world, channelId) : [];
  }

  app.get("/:channelId/pins", (c) =>
    c.json(
      seen(c)
        .slice(0, maxPage)
        .map((stored) => world.shown(stored)),
    ),
  );

  app.get("/:channelId/messages/pins", (c) => {
    const { before } = c.req.query();
    const size = limitOf(c, { usual: maxPage, most: maxPage });
    const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = seen(c).filter(({ pinnedAt = 0 }) => pinnedAt < until);
    const items = found.slice(0, size).map((stored) => ({
      pinned_at: new Date(stored.pinnedAt ?? 0).toISOString(),
      message: world.shown(stored),
    }));
    return c.json({ items, has_more: found.length > size });
  });

  for (const base of ["/:channelId/pins", "/:channelId/messages/pins"]) {
    app.put(`${base}/:messageId`, (c) => {
      pin(world, demandPinning(world, c));
      return c.body(null, 204);
    });

    app.delete(`${base}/:messageId`, (c) => {
      const stored = demandPinning(world, c);
      if (stored.pinnedAt !== undefined) setPinned(world, stored, false);
      return c.body(null, 204);
    });
  }

  return app;
}

function demandPinning(world: World, c: RestContext): StoredMessage {
  const stored = wantedMessage(world, c);
  if (!botMay(world, stored.message.channel_id, "pin")) throw rejections.missingPermissions();
  if (!pinnable.includes(stored.message.type)) throw rejections.systemMessage();
  return stored;
}

/** Says so in the channel, once. */
function pin(world: World, stored: StoredMessage): void {
  const { channel_id: channelId } = stored.message;
  if (stored.pinnedAt !== undefined) return;
  if (pinsIn(world, channelId).length >= maxPins) throw rejections.tooManyPins(maxPins);
  setPinned(world, stored, true);
  const { referenced_message: _, ...reference } = referenceTo(world, stored, channelId);
  createNotice(world, {
    author: world.cast.bot,
    channelId,
    type: pinNotice,
    pings: [],
    extra: reference,
  });
}

/** https://docs.discord.com/developers/resources/message#pin-message */
const maxPins = 250;

/** Messages that are pinned in a channel, the latest pin first. */
function pinsIn({ messages }: World, channelId: string): readonly StoredMessage[] {
  return [...messages.values()]
    .filter(({ message, pinnedAt }) => message.channel_id === channelId && pinnedAt !== undefined)
    .sort((one, other) => (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0));
}

/** Pins or unpins a message, and lets people and the bot know. */
function setPinned(world: World, stored: StoredMessage, isPinned: boolean): void {
  stored.pinnedAt = isPinned ? world.now() : undefined;
  stored.message = { ...stored.message, pinned: isPinned };
  const { channel_id: channelId } = stored.message;
  const message = world.shown(stored);
  world.publish({ type: "message", message }, stored.audience);
  world.dispatch({ name: "MESSAGE_UPDATE", data: message, channelId });
  const last = pinsIn(world, channelId)[0]?.pinnedAt;
  world.dispatch({
    name: "CHANNEL_PINS_UPDATE",
    channelId,
    data: {
      channel_id: channelId,
      last_pin_timestamp: last === undefined ? null : new Date(last).toISOString(),
    },
  });
}

/** What stands in the channel where something was pinned. */
const pinNotice = 6 as MessageType;
