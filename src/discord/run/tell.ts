import { nonceOf } from "../../desk.ts";
import type { Log } from "../../log.ts";
import type { Event, EventPlace, EventReply, Happening, Posted } from "../declare/events.ts";
import type { Routes } from "../declare/routes.ts";
import { explain } from "../draw/explain.ts";
import { pages } from "../draw/links.ts";
import type { Button } from "../draw/reply.ts";
import { type Words, wordsOf } from "../draw/words.ts";
import { directChannel, type GuildInfo, guildInfo, isClosed, postMessage } from "../wire/post.ts";
import { editOriginal, type SendTools } from "../wire/send.ts";
import type { Services } from "./context.ts";
import { createDrawing } from "./drawing.ts";
import { eventCtx } from "./event-ctx.ts";

export interface TellParts {
  readonly routes: Pick<Routes, "actions" | "events">;
  readonly services: Services;
  readonly rest: SendTools["rest"];
  /** The bot's own user, in whose name it speaks unasked. */
  readonly botId: string;
}

/**
 * Says what happened where its event wants it said; answers the messages that it left, none where nobody could be
 * reached. Never throws: what goes wrong is logged, and told in the message that waits for an answer.
 */
export type Tell = (happening: Happening) => Promise<readonly Posted[]>;

export function createTell({ routes, services, rest, botId }: TellParts): Tell {
  const { store, languages, random } = services;
  const drawing = createDrawing({ routes, continuations: store.continuations });
  const tools = { rest, random };

  async function tell(happening: Happening): Promise<readonly Posted[]> {
    const log = services.log.child({ event: happening.name });
    try {
      const event = routes.events.get(happening.name);
      if (event?.to === undefined) throw new TypeError(`no event is called ${happening.name}`);
      return await say({ event, facts: happening.facts, place: event.to(happening.facts), log });
    } catch (error) {
      log.error("an event was not told", { error });
      return [];
    }
  }

  function say(telling: Telling): Promise<readonly Posted[]> {
    const { place } = telling;
    if (place.kind === "answer") return answer(telling, place);
    return place.kind === "channel" ? post(telling, place) : notify(telling, place);
  }

  async function answer(telling: Telling, place: Answered): Promise<readonly Posted[]> {
    const { answerTo, guildId, userId } = place;
    const words = wordsOf(languages.of(answerTo.locale));
    const holder = { guildId, userId, words, isPrivate: true };
    const reply = await replyOf(telling, words).catch((error: unknown) => {
      telling.log.warn("an event failed", { error });
      return explain(error, "-", words);
    });
    const address = { applicationId: answerTo.applicationId, token: answerTo.interactionToken };
    const message = await editOriginal(address, await drawing.message(reply, holder), tools);
    const { id = "", channel_id = "" } = Object(message) as Readonly<Record<string, string>>;
    return [{ channelId: channel_id, messageId: id }];
  }

  async function post(telling: Telling, place: InChannel): Promise<readonly Posted[]> {
    const guild = await infoOf(telling);
    const words = wordsIn(guild);
    return left(telling, place.channelId, await replyOf(telling, words), words);
  }

  async function notify(telling: Telling, { guildId }: EventPlace): Promise<readonly Posted[]> {
    const [guild, settings] = await Promise.all([infoOf(telling), settingsOf(guildId)]);
    const words = wordsIn(guild);
    const reply = await replyOf(telling, words);
    const { noticeChannelId } = settings;
    const posted =
      noticeChannelId === undefined ? [] : await left(telling, noticeChannelId, reply, words);
    const told = guild === undefined ? [] : await toOwner(telling, guild, reply, words);
    if (posted.length + told.length === 0) telling.log.warn("an event reached nobody", { guildId });
    return [...posted, ...told];
  }

  /** A channel that is gone or closed to the bot is no reason to keep silent elsewhere. */
  async function left(
    telling: Telling,
    channelId: string,
    reply: EventReply,
    words: Words,
  ): Promise<readonly Posted[]> {
    const { place, log } = telling;
    const holder = { guildId: place.guildId, userId: botId, words };
    try {
      if (reply.kept !== undefined) await drawing.keep(reply.kept, holder);
      const drawn = await drawing.message(reply, holder);
      const nonce = nonceFor(telling, channelId);
      return [{ channelId, messageId: await postMessage(channelId, drawn, { ...tools, nonce }) }];
    } catch (error) {
      log.warn("an event was not posted", { channel: channelId, error });
      return [];
    }
  }

  /** Outside servers nothing can be pressed, so a link to the server stands in its place. */
  async function toOwner(
    telling: Telling,
    guild: GuildInfo,
    reply: EventReply,
    words: Words,
  ): Promise<readonly Posted[]> {
    const url = pages.server(telling.place.guildId);
    const label = words.say("common.to_server", { server: guild.name });
    try {
      const channelId = await directChannel(guild.ownerId, tools);
      return await left(telling, channelId, unpressable(reply, { label, url }), words);
    } catch (error) {
      if (!isClosed(error)) telling.log.warn("the owner was not told", { error });
      return [];
    }
  }

  async function replyOf({ event, facts, place, log }: Telling, words: Words) {
    const { guildId } = place;
    const settings = await settingsOf(guildId);
    const serverName = async () => (await guildInfo(guildId, rest)).name;
    const ctx = eventCtx({ guildId, words, settings, log, serverName }, services);
    return event.run(ctx, facts);
  }

  async function infoOf({ place, log }: Telling): Promise<GuildInfo | undefined> {
    return guildInfo(place.guildId, rest).catch((error: unknown) => {
      log.warn("the server was not read", { error });
      return undefined;
    });
  }

  async function settingsOf(guildId: string) {
    const read = await store.settings.read(guildId);
    return read.state === "found" ? read.value : {};
  }

  function wordsIn(guild: GuildInfo | undefined): Words {
    return wordsOf(languages.of(guild?.locale ?? "en-US"));
  }

  return tell;
}

type Answered = Extract<EventPlace, { kind: "answer" }>;
type InChannel = Extract<EventPlace, { kind: "channel" }>;

interface Telling {
  readonly event: Event;
  readonly facts: unknown;
  readonly place: EventPlace;
  readonly log: Log;
}

function unpressable(reply: EventReply, button: Button): EventReply {
  const { selects: _, ...plain } = reply;
  if (plain.kind !== "list") return { ...plain, buttons: [button] };
  const items = plain.items.map(({ buttons: _, ...item }) => item);
  return { ...plain, items, buttons: [button] };
}

/** The same facts of one event are one message in a channel, whichever process tells them. */
function nonceFor({ event, facts }: Telling, channelId: string): string {
  return nonceOf(JSON.stringify([event.name, facts, channelId]));
}
