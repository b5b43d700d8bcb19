import { DiscordAPIError } from "@discordjs/rest";
import { Routes } from "discord-api-types/v10";
import { createNonce, type Notification } from "../../../channel-messages.ts";
import { ServiceError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { LostError } from "../../../ownership.ts";
import { type ServerSettings, type StoreRead, storedIn } from "../../../store/index.ts";
import { isOpenToEveryone } from "../../access/channel-permissions.ts";
import type { NotificationReply, NotificationTarget } from "../../declare/events.ts";
import { describeFailure } from "../../draw/explain.ts";
import type { Button } from "../../draw/reply.ts";
import { channelMention, join } from "../../draw/text.ts";
import { readChannelFacts } from "../../wire/channel.ts";
import { readServerInfo, type ServerInfo, sendMessageOnce } from "../../wire/post.ts";
import { editOrFollowUp, type MessageSendDeps, sendUntilDone } from "../../wire/send.ts";
import { wordsIn } from "../requester.ts";
import type { Services } from "../services.ts";
import { askDiscord } from "./failure.ts";
import type { NotificationReader, NotificationRenderer } from "./notification-renderer.ts";

interface NotifyDeps {
  readonly drawing: NotificationRenderer;
  readonly services: Services;
  readonly rest: MessageSendDeps["rest"];
  /** For a message that waits for an answer, by the interaction's token. */
  readonly answerRest: MessageSendDeps["rest"];
}

/**
 * Sends a notification where its declaration says. What goes wrong is logged, and shown in the message that waits for an
 * answer. @throws ServiceError `store_unavailable`, and LostError for a job that this process has no more.
 */
export type Notify = (notification: Notification) => Promise<void>;

export function createNotify(deps: NotifyDeps): Notify {
  return async (notification) => {
    const { name, facts } = notification;
    const log = deps.services.log.child({ event: name });
    try {
      const place = deps.drawing.findSpec(name).to?.(facts);
      if (place === undefined) throw new TypeError(`no event is called ${name}`);
      await send({ ...deps, notification, log }, place);
    } catch (error) {
      if (isUnowned(error)) throw error;
      log.error("an event was not sent", { error });
    }
  };
}

/** The job that sends it has to run again: here, or where it was taken over. */
function isUnowned(error: unknown): boolean {
  const isStoreAway = error instanceof ServiceError && error.code === "store_unavailable";
  return isStoreAway || error instanceof LostError;
}

interface NotificationSending extends NotifyDeps {
  readonly notification: Notification;
  readonly log: Log;
}

type AnswerPlace = Extract<NotificationTarget, { kind: "answer" }>;
type ServerPlace = Exclude<NotificationTarget, AnswerPlace>;

async function send(sending: NotificationSending, place: NotificationTarget): Promise<void> {
  if (place.kind === "answer") return answer(sending, place);
  const { drawing, notification, services, rest, log } = sending;
  const { guildId } = place;
  const [server, settings] = await Promise.all([
    look(sending, () => readServerInfo(guildId, rest)).catch((error: unknown) => {
      log.warn("the server was not read", { error });
      return undefined;
    }),
    place.kind === "notices" ? services.store.settings.read(guildId) : undefined,
  ]);
  const reader = readerFor(sending, guildId, server?.locale);
  const drawn = await drawing.replyTo(notification, reader);
  const { channelId, isConfidential } = channelIn(place, server, settings);
  const isOpen =
    isConfidential &&
    channelId !== undefined &&
    (await isOpenNow(sending, server, { guildId, channelId }));
  const reply = isOpen ? heldBack(drawn, channelId, reader) : drawn;
  const isPosted =
    channelId !== undefined && !isOpen && (await post(sending, { channelId, reply, reader }));
  if (place.kind === "welcome" ? isPosted : place.kind === "channel" && !isOpen) return;
  const isRead = server !== undefined && (await sendToOwner(sending, server, { reply, reader }));
  if (!isPosted && !isRead) log.warn("an event reached nobody", { guildId });
}

/** Where it is posted, and whether that must not be where everyone can read it. */
function channelIn(
  place: ServerPlace,
  server: ServerInfo | undefined,
  settings: StoreRead<ServerSettings> | undefined,
): { readonly channelId: string | undefined; readonly isConfidential: boolean } {
  if (place.kind === "channel") return { isConfidential: false, ...place };
  if (place.kind === "welcome")
    return { channelId: server?.systemChannelId, isConfidential: false };
  const { noticeChannelId, noticesMayBePublic } = (settings && storedIn(settings)) ?? {};
  return { channelId: noticeChannelId, isConfidential: noticesMayBePublic !== true };
}

/** What Discord does not tell is no reason to keep silent: people were asked when the channel was chosen. */
async function isOpenNow(
  sending: NotificationSending,
  server: ServerInfo | undefined,
  { guildId, channelId }: { readonly guildId: string; readonly channelId: string },
): Promise<boolean> {
  if (server?.everyone === undefined) return false;
  try {
    const { overwrites } = await look(sending, () => readChannelFacts(channelId, sending.rest));
    return isOpenToEveryone({ guildId, overwrites }, BigInt(server.everyone));
  } catch (error) {
    sending.log.warn("the channel was not read", { channel: channelId, error });
    return false;
  }
}

/** For the owner: with a line about why it comes to them. */
function heldBack(
  reply: NotificationReply,
  channelId: string,
  { words }: NotificationReader,
): NotificationReply {
  const why = words.md("places.held_back", { place: channelMention(channelId) });
  return { ...reply, text: join([why, "", reply.text]) };
}

async function answer(sending: NotificationSending, place: AnswerPlace): Promise<void> {
  const { drawing, notification, services, answerRest, log } = sending;
  const { answerTo, guildId, userId } = place;
  const reader = readerFor(sending, guildId, answerTo.locale);
  const { words } = reader;
  const reply = await drawing.replyTo(notification, reader).catch((error: unknown) => {
    log.warn("an event failed", { error });
    return describeFailure(error, "-", words);
  });
  const { applicationId, interactionToken: token } = answerTo;
  const to = { applicationId, token, random: services.random, rest: answerRest };
  const message = await drawing.message(reply, { guildId, userId, words, isPrivate: true });
  await editOrFollowUp(to, message);
}

/** A notification as it is sent to one channel. */
interface DrawnNotification {
  readonly channelId: string;
  readonly reply: NotificationReply;
  readonly reader: NotificationReader;
}

/** Whether it was posted: a channel that is gone or closed to the bot is no reason to keep silent elsewhere. */
async function post(
  { drawing, notification, services, rest, log }: NotificationSending,
  { channelId, reply, reader }: DrawnNotification,
): Promise<boolean> {
  const { name, facts } = notification;
  // The same facts are one message in a channel, whichever process sends them.
  const nonce = createNonce(JSON.stringify([name, facts, channelId]));
  try {
    const message = await drawing.ownMessage(reply, reader);
    await sendUntilDone(services, () => sendMessageOnce(channelId, message, { rest, nonce }));
    return true;
  } catch (error) {
    if (isUnowned(error)) throw error;
    log.warn("an event was not posted", { channel: channelId, error });
    return false;
  }
}

/** Outside servers nothing can be pressed, so a link to the server stands in its place. */
async function sendToOwner(
  sending: NotificationSending,
  server: ServerInfo,
  { reply, reader }: Omit<DrawnNotification, "channelId">,
): Promise<boolean> {
  const { rest, services, log } = sending;
  const url = `https://discord.com/channels/${BigInt(reader.guildId)}`;
  const label = reader.words.say("common.to_server", { server: server.name });
  try {
    const { id: channelId } = await sendUntilDone<{ readonly id: string }>(services, () =>
      rest.post(Routes.userChannels(), { body: { recipient_id: server.ownerId } }),
    );
    return await post(sending, { channelId, reply: withoutPresses(reply, { label, url }), reader });
  } catch (error) {
    if (isUnowned(error)) throw error;
    // Discord refuses where the person accepts no messages, which is nothing for the log.
    const isRefused = error instanceof DiscordAPIError && error.status >= 400 && error.status < 500;
    if (!isRefused) log.warn("the owner was not notified", { error });
    return false;
  }
}

function withoutPresses(reply: NotificationReply, button: Button): NotificationReply {
  const { selects: _, ...plain } = reply;
  if (plain.kind !== "list") return { ...plain, buttons: [button] };
  const items = plain.items.map(({ buttons: _, ...item }) => item);
  return { ...plain, items, buttons: [button] };
}

/** Asks Discord again after a failure that passes: without an answer, a notification might be posted for everyone. */
function look<T>({ services }: NotificationSending, read: () => Promise<T>): Promise<T> {
  return askDiscord({ what: "look" }, read, services);
}

/** English where the language is not known. */
function readerFor(
  { services, rest }: NotificationSending,
  guildId: string,
  locale = "en-US",
): NotificationReader {
  return {
    guildId,
    words: wordsIn(locale, services),
    serverName: async () => (await readServerInfo(guildId, rest)).name,
  };
}
