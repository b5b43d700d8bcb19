import { ChannelType, MessageFlags } from "discord-api-types/v10";
import { Hono, type MiddlewareHandler } from "hono";
import { botMay, channelById, partnerIn } from "../channel-access.ts";
import {
  announceMessage,
  createMessage,
  deleteMessage,
  editStoredMessage,
  startTyping,
} from "../messages.ts";
import { failField, rejection } from "../rejection.ts";
import type { PlatformState, StoredMessage } from "../state.ts";
import { findStoredThread } from "../threads.ts";
import {
  demandManaging,
  demandOpen,
  demandRights,
  everyonePings,
  isCrossposted,
  isWritten,
  referenceTo,
} from "./message-rules.ts";
import { bodyFields, type RestContext, type RestEnv, readLimit, readParam } from "./request.ts";

// A repeated nonce answers the earlier message for "the past few minutes".
const nonceLifeMs = 5 * 60_000;
const pageSize = 50;
const maxPage = 100;

/** Refuses what is unknown, and what the bot does not see; all other routes of channels come after it. */
export function channelAccess(state: PlatformState): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const id = c.req.param("channelId") ?? "";
    const partner = partnerIn(state, id);
    const known =
      partner === undefined ? (channelById(state, id) ?? findStoredThread(state, id)) : undefined;
    const isKnown =
      partner === undefined ? known !== undefined : state.openDirectChannels.has(partner);
    if (!isKnown) throw rejection("unknownChannel");
    const isIn = partner !== undefined || state.guildIds.has(state.guild.guildId);
    if (!isIn || !botMay(state, id, "view")) throw rejection("missingAccess");
    await next();
  };
}

/** The latest use of each nonce, by channel. */
type MessageNonces = Map<string, { readonly id: string; readonly at: number }>;

/** The messages everyone sees in a channel or post. */
export function channelRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const nonces: MessageNonces = new Map();
  const all = "/:channelId/messages";
  const one = `${all}/:messageId`;

  app.get(all, (c) => c.json(messagePage(state, c).map((stored) => state.shown(stored))));
  app.post(all, (c) => c.json(state.shown(send(state, c, nonces))));
  app.post("/:channelId/typing", (c) => {
    const channelId = c.req.param("channelId");
    demandRights(state, channelId, { body: {}, files: 0 });
    startTyping(state, channelId, state.guild.bot.id);
    return c.body(null, 204);
  });
  app.get(one, (c) => c.json(state.shown(wantedMessage(state, c))));
  app.patch(one, (c) => {
    const stored = wantedMessage(state, c);
    if (stored.message.author.id !== state.guild.bot.id) throw rejection("notYours");
    demandOpen(state, stored.message.channel_id, "change");
    const { uploads } = c.get("received");
    editStoredMessage(state, stored, { body: bodyFields(c), uploads }, everyonePings);
    return c.json(state.shown(stored));
  });
  app.post(`${one}/crosspost`, (c) => {
    const stored = wantedMessage(state, c);
    publish(state, stored);
    return c.json(state.shown(stored));
  });
  app.delete(one, (c) => {
    const stored = wantedMessage(state, c);
    if (stored.message.author.id !== state.guild.bot.id) demandManaging(state, stored);
    deleteMessage(state, stored);
    return c.body(null, 204);
  });
  return app;
}

/** https://docs.discord.com/developers/resources/message#crosspost-message */
function publish(state: PlatformState, stored: StoredMessage): void {
  const { channel_id: channelId, author, flags = 0 } = stored.message;
  if (channelById(state, channelId)?.type !== ChannelType.GuildAnnouncement) {
    throw rejection("wrongChannelType");
  }
  if (author.id !== state.guild.bot.id) demandManaging(state, stored);
  if (!botMay(state, channelId, "send")) throw rejection("missingPermissions");
  if (!isWritten(stored)) throw rejection("systemMessage");
  if (isCrossposted(stored)) throw rejection("alreadyPublished");
  stored.message = { ...stored.message, flags: flags | MessageFlags.Crossposted };
  announceMessage(state, stored, "MESSAGE_UPDATE");
}

function messagePage(state: PlatformState, c: RestContext): readonly StoredMessage[] {
  const channelId = readParam(c, "channelId");
  if (!botMay(state, channelId, "readHistory")) return [];
  const { before, after, around } = c.req.query();
  const size = readLimit(c, { usual: pageSize, most: maxPage });
  const all = [...state.messages.values()]
    .filter(({ message, audience }) => message.channel_id === channelId && audience === undefined)
    .reverse();
  const middle = all.findIndex((each) => each.message.id === around);
  if (around !== undefined && middle >= 0) {
    const from = Math.max(0, middle - Math.floor(size / 2));
    return all.slice(from, from + size);
  }
  if (after !== undefined) {
    return all.filter(({ message }) => BigInt(message.id) > BigInt(after)).slice(-size);
  }
  return all
    .filter(({ message }) => before === undefined || BigInt(message.id) < BigInt(before))
    .slice(0, size);
}

function send(state: PlatformState, c: RestContext, nonces: MessageNonces): StoredMessage {
  const body = bodyFields(c);
  const { uploads } = c.get("received");
  const channelId = readParam(c, "channelId");
  demandRights(state, channelId, { body, files: uploads.size });
  demandOpen(state, channelId, "write");
  const nonce = body.nonce == null ? undefined : String(body.nonce);
  const nonceKey = `${channelId} ${nonce}`;
  const earlier = nonce === undefined ? undefined : nonces.get(nonceKey);
  const isFresh = earlier !== undefined && state.now() - earlier.at < nonceLifeMs;
  if (body.enforce_nonce === true && isFresh) {
    const repeated = state.messages.get(earlier.id);
    // One that was deleted since is not made again: discord/discord-api-docs#6647.
    if (repeated === undefined) throw rejection("unknownMessage");
    return repeated;
  }
  const reference = replyTo(state, body.message_reference, channelId);
  const made = {
    author: state.guild.bot,
    channelId,
    pings: everyonePings,
    ...(reference === undefined ? {} : { type: 19 }),
    extra: { ...reference, ...(nonce === undefined ? {} : { nonce }) },
  };
  const stored = createMessage(state, "channel", made, { body, uploads });
  if (nonce !== undefined) nonces.set(nonceKey, { id: stored.message.id, at: state.now() });
  return stored;
}

/** @throws Rejection 10008 for what is not there, or not for everyone. */
export function wantedMessage(state: PlatformState, c: RestContext): StoredMessage {
  const stored = state.messages.get(c.req.param("messageId") ?? "");
  const isHere = stored?.message.channel_id === c.req.param("channelId");
  // Ephemeral messages exist for their interaction's token only.
  if (stored === undefined || !isHere || stored.audience !== undefined) {
    throw rejection("unknownMessage");
  }
  return stored;
}

function replyTo(
  state: PlatformState,
  value: unknown,
  channelId: string,
): Partial<StoredMessage["message"]> | undefined {
  if (typeof value !== "object" || value === null || !("message_id" in value)) return undefined;
  const found = state.messages.get(String(value.message_id));
  const stored = found?.message.channel_id === channelId ? found : undefined;
  const isOptional = "fail_if_not_exists" in value && value.fail_if_not_exists === false;
  if (stored === undefined && isOptional) return undefined;
  if (stored === undefined) {
    return failField(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
  }
  return referenceTo(state, stored, channelId);
}
