import type { MessageType } from "discord-api-types/v10";
import { Hono } from "hono";
import { botMay } from "../channel-access.ts";
import { createNotice } from "../messages.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState, StoredMessage } from "../state.ts";
import { wantedMessage } from "./channel-messages.ts";
import { isWritten, referenceTo } from "./message-rules.ts";
import { type RestContext, type RestEnv, readLimit, readParam } from "./request.ts";

const maxPage = 50;
/** https://docs.discord.com/developers/resources/message#pin-message */
const maxPins = 250;
/** The type of the notice that a message was pinned. */
const pinNotice = 6 as MessageType;

/** Pinned messages, at the current address and at the older one. */
export function pinRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  function seen(c: RestContext): readonly StoredMessage[] {
    const channelId = readParam(c, "channelId");
    return botMay(state, channelId, "readHistory") ? pinsIn(state, channelId) : [];
  }

  app.get("/:channelId/pins", (c) =>
    c.json(
      seen(c)
        .slice(0, maxPage)
        .map((stored) => state.shown(stored)),
    ),
  );

  app.get("/:channelId/messages/pins", (c) => {
    const { before } = c.req.query();
    const size = readLimit(c, { usual: maxPage, most: maxPage });
    const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = seen(c).filter(({ pinnedAt = 0 }) => pinnedAt < until);
    const items = found.slice(0, size).map((stored) => ({
      pinned_at: new Date(stored.pinnedAt ?? 0).toISOString(),
      message: state.shown(stored),
    }));
    return c.json({ items, has_more: found.length > size });
  });

  for (const base of ["/:channelId/pins", "/:channelId/messages/pins"]) {
    app.put(`${base}/:messageId`, (c) => {
      const stored = demandPinning(state, c);
      if (stored.pinnedAt !== undefined) return c.body(null, 204);
      const { channel_id: channelId } = stored.message;
      if (pinsIn(state, channelId).length >= maxPins) throw rejection("tooManyPins", maxPins);
      setPinned(state, stored, true);
      const author = state.guild.bot;
      const { referenced_message: _, ...extra } = referenceTo(state, stored, channelId);
      createNotice(state, { author, channelId, type: pinNotice, pings: [], extra });
      return c.body(null, 204);
    });

    app.delete(`${base}/:messageId`, (c) => {
      const stored = demandPinning(state, c);
      if (stored.pinnedAt !== undefined) setPinned(state, stored, false);
      return c.body(null, 204);
    });
  }

  return app;
}

function demandPinning(state: PlatformState, c: RestContext): StoredMessage {
  const stored = wantedMessage(state, c);
  if (!botMay(state, stored.message.channel_id, "pin")) throw rejection("missingPermissions");
  if (!isWritten(stored)) throw rejection("systemMessage");
  return stored;
}

/** Messages that are pinned in a channel, the latest pin first. */
function pinsIn({ messages }: PlatformState, channelId: string): readonly StoredMessage[] {
  return [...messages.values()]
    .filter(({ message, pinnedAt }) => message.channel_id === channelId && pinnedAt !== undefined)
    .sort((one, other) => (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0));
}

function setPinned(state: PlatformState, stored: StoredMessage, isPinned: boolean): void {
  stored.pinnedAt = isPinned ? state.now() : undefined;
  stored.message = { ...stored.message, pinned: isPinned };
  const { channel_id: channelId } = stored.message;
  const message = state.shown(stored);
  state.publish({ type: "message", message }, stored.audience);
  state.dispatch({ name: "MESSAGE_UPDATE", data: message, channelId });
  const last = pinsIn(state, channelId)[0]?.pinnedAt;
  state.dispatch({
    name: "CHANNEL_PINS_UPDATE",
    channelId,
    data: {
      channel_id: channelId,
      last_pin_timestamp: last === undefined ? null : new Date(last).toISOString(),
    },
  });
}
