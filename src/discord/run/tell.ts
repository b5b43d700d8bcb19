import { nonceOf } from "../../desk.ts";
import type { Log } from "../../log.ts";
import type { GuildSettings } from "../../store/index.ts";
import type { Event, EventPlace, EventReply, Happening, Posted } from "../declare/events.ts";
import type { Routes } from "../declare/routes.ts";
import { explain } from "../draw/explain.ts";
import { pages } from "../draw/links.ts";
import type { Button } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import { directChannel, type GuildInfo, guildInfo, isClosed, postMessage } from "../wire/post.ts";
import { editOriginal, type SendTools } from "../wire/send.ts";
import { type Services, wordsIn } from "./context.ts";
import { createDrawing, type Drawing } from "./drawing.ts";
import { eventCtx } from "./event-ctx.ts";

export interface TellDeps {
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

interface Teller extends TellDeps {
  readonly drawing: Drawing;
  readonly tools: SendTools;
}

interface Telling {
  readonly event: Event;
  readonly facts: unknown;
  readonly place: EventPlace;
  readonly log: Log;
}

type Answered = Extract<EventPlace, { kind: "answer" }>;

/** An event's reply for one channel, in one language. */
interface Said {
  readonly channelId: string;
  readonly reply: EventReply;
  readonly words: Words;
}

export function createTell(deps: TellDeps): Tell {
  const { routes, services, rest } = deps;
  const { store, random } = services;
  const drawing = createDrawing({ routes, continuations: store.continuations });
  const teller: Teller = { ...deps, drawing, tools: { rest, random } };
  return async ({ name, facts }) => {
    const log = services.log.child({ event: name });
    try {
      const event = routes.events.get(name);
      if (event?.to === undefined) throw new TypeError(`no event is called ${name}`);
      return await tell(teller, { event, facts, place: event.to(facts), log });
    } catch (error) {
      log.error("an event was not told", { error });
      return [];
    }
  };
}

async function tell(teller: Teller, telling: Telling): Promise<readonly Posted[]> {
  const { place } = telling;
  if (place.kind === "answer") return answer(teller, telling, place);
  if (place.kind === "notices") return notify(teller, telling);
  const words = serverWords(teller, await infoOf(teller, telling));
  const reply = await replyOf(teller, telling, words);
  return leave(teller, telling, { channelId: place.channelId, reply, words });
}

async function answer(
  teller: Teller,
  telling: Telling,
  { answerTo, guildId, userId }: Answered,
): Promise<readonly Posted[]> {
  const { drawing, services, tools } = teller;
  const words = wordsIn(answerTo.locale, services.languages);
  const holder = { guildId, userId, words, isPrivate: true };
  const reply = await replyOf(teller, telling, words).catch((error: unknown) => {
    telling.log.warn("an event failed", { error });
    return explain(error, "-", words);
  });
  const address = { applicationId: answerTo.applicationId, token: answerTo.interactionToken };
  const message = await editOriginal(address, await drawing.message(reply, holder), tools);
  const { id = "", channel_id = "" } = Object(message) as Readonly<Record<string, string>>;
  return [{ channelId: channel_id, messageId: id }];
}

async function notify(teller: Teller, telling: Telling): Promise<readonly Posted[]> {
  const { guildId } = telling.place;
  const [guild, settings] = await Promise.all([
    infoOf(teller, telling),
    settingsOf(teller, guildId),
  ]);
  const words = serverWords(teller, guild);
  const reply = await replyOf(teller, telling, words);
  const { noticeChannelId: channelId } = settings;
  const posted =
    channelId === undefined ? [] : await leave(teller, telling, { channelId, reply, words });
  const told = guild === undefined ? [] : await tellOwner(teller, telling, { guild, reply, words });
  if (posted.length + told.length === 0) telling.log.warn("an event reached nobody", { guildId });
  return [...posted, ...told];
}

/** A channel that is gone or closed to the bot is no reason to keep silent elsewhere. */
async function leave(
  { drawing, tools, botId }: Teller,
  telling: Telling,
  { channelId, reply, words }: Said,
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
async function tellOwner(
  teller: Teller,
  telling: Telling,
  { guild, reply, words }: Omit<Said, "channelId"> & { readonly guild: GuildInfo },
): Promise<readonly Posted[]> {
  const url = pages.server(telling.place.guildId);
  const label = words.say("common.to_server", { server: guild.name });
  try {
    const channelId = await directChannel(guild.ownerId, teller.tools);
    const said = { channelId, reply: unpressable(reply, { label, url }), words };
    return await leave(teller, telling, said);
  } catch (error) {
    if (!isClosed(error)) telling.log.warn("the owner was not told", { error });
    return [];
  }
}

async function replyOf(teller: Teller, { event, facts, place, log }: Telling, words: Words) {
  const { services, rest } = teller;
  const { guildId } = place;
  const settings = await settingsOf(teller, guildId);
  const serverName = async () => (await guildInfo(guildId, rest)).name;
  const ctx = eventCtx({ guildId, words, settings, log, serverName }, services);
  return event.run(ctx, facts);
}

async function infoOf({ rest }: Teller, { place, log }: Telling): Promise<GuildInfo | undefined> {
  return guildInfo(place.guildId, rest).catch((error: unknown) => {
    log.warn("the server was not read", { error });
    return undefined;
  });
}

async function settingsOf({ services }: Teller, guildId: string): Promise<GuildSettings> {
  const read = await services.store.settings.read(guildId);
  return read.state === "found" ? read.value : {};
}

/** In the server's language; English where it can't be asked for. */
function serverWords({ services }: Teller, guild: GuildInfo | undefined): Words {
  return wordsIn(guild?.locale ?? "en-US", services.languages);
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
