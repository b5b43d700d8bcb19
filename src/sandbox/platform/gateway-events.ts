import { GatewayIntentBits as bits } from "discord-api-types/v10";
import { isFields } from "./check/check.ts";
import { memberOf } from "./members.ts";
import { botMay, partnerIn } from "./places.ts";
import type { World } from "./world.ts";

/**
 * The intents by which a session hears of an event: in servers, then in direct conversations
 * (https://docs.discord.com/developers/events/gateway#list-of-intents).
 */
const intents = {
  GUILD_DELETE: [bits.Guilds],
  GUILD_ROLE_UPDATE: [bits.Guilds],
  CHANNEL_CREATE: [bits.Guilds],
  CHANNEL_UPDATE: [bits.Guilds],
  CHANNEL_DELETE: [bits.Guilds],
  CHANNEL_PINS_UPDATE: [bits.Guilds, bits.DirectMessages],
  THREAD_CREATE: [bits.Guilds],
  THREAD_UPDATE: [bits.Guilds],
  THREAD_DELETE: [bits.Guilds],
  GUILD_MEMBER_UPDATE: [bits.GuildMembers],
  MESSAGE_CREATE: [bits.GuildMessages, bits.DirectMessages],
  MESSAGE_UPDATE: [bits.GuildMessages, bits.DirectMessages],
  MESSAGE_DELETE: [bits.GuildMessages, bits.DirectMessages],
  MESSAGE_REACTION_ADD: [bits.GuildMessageReactions, bits.DirectMessageReactions],
  MESSAGE_REACTION_REMOVE: [bits.GuildMessageReactions, bits.DirectMessageReactions],
  MESSAGE_REACTION_REMOVE_ALL: [bits.GuildMessageReactions, bits.DirectMessageReactions],
  MESSAGE_REACTION_REMOVE_EMOJI: [bits.GuildMessageReactions, bits.DirectMessageReactions],
  TYPING_START: [bits.GuildMessageTyping, bits.DirectMessageTyping],
} as const satisfies Readonly<Record<string, readonly [number, number?]>>;

/** Something that happened, for the sessions that asked for such events. */
export interface BotEvent {
  readonly name: keyof typeof intents;
  /** Without what follows from the place and the person: `guild_id` and `member`. */
  readonly data: object;
  /** Where it happened; absent for what concerns the server as a whole. */
  readonly channelId?: string;
}

/** An event as it goes out. */
interface HeardEvent {
  readonly name: string;
  readonly guildId: string | undefined;
  /** Whether a session with these intents hears of it. */
  isFor(held: number): boolean;
  /** The data for a session with these intents: not every one may read what people wrote. */
  dataFor(held: number): object;
}

/** Events that bring along the member who caused them, with the field that holds that user's id. */
const membersBy: Partial<Readonly<Record<BotEvent["name"], "author" | "user_id">>> = {
  MESSAGE_CREATE: "author",
  MESSAGE_UPDATE: "author",
  MESSAGE_REACTION_ADD: "user_id",
  TYPING_START: "user_id",
};

/** Undefined for what happened where the bot is not, or where it sees nothing. */
export function heardEvent(world: World, event: BotEvent): HeardEvent | undefined {
  const { name, data, channelId } = event;
  const isDirect = channelId !== undefined && partnerIn(world, channelId) !== undefined;
  const { guildId } = world.cast;
  if (!isDirect && !world.guildIds.has(guildId) && name !== "GUILD_DELETE") return undefined;
  if (channelId !== undefined && !botMay(world, channelId, "view")) return undefined;
  const [ofServer, ofDirect = 0] = intents[name];
  const wanted = isDirect ? ofDirect : ofServer;
  const whole = isDirect ? data : { ...data, ...placed(world, event) };
  const isOpen = isDirect || !isWritten(name) || isMeant(world, data);
  return {
    name,
    guildId: isDirect ? undefined : guildId,
    isFor: (held) => (held & wanted) !== 0 || isOwnChange(world, event),
    dataFor: (held) => (isOpen || (held & bits.MessageContent) !== 0 ? whole : emptied(whole)),
  };
}

/** Changes of the bot's own membership need no intent. */
function isOwnChange(world: World, { name, data }: BotEvent): boolean {
  const { user } = data as { readonly user?: { readonly id?: unknown } };
  return name === "GUILD_MEMBER_UPDATE" && user?.id === world.cast.bot.id;
}

function placed(world: World, { name, data }: BotEvent): object {
  const { guildId } = world.cast;
  if (name === "GUILD_DELETE") return {};
  const by = membersBy[name];
  if (by === undefined) return { guild_id: guildId };
  const who = (data as Readonly<Record<string, unknown>>)[by];
  const member = memberOf(world, guildId, String(isFields(who) ? who.id : who));
  if (member === undefined || by === "user_id") return { guild_id: guildId, member };
  // The user is in the author field already.
  const { user: _, ...partial } = member;
  return { guild_id: guildId, member: partial };
}

const isWritten = (name: BotEvent["name"]): boolean =>
  name === "MESSAGE_CREATE" || name === "MESSAGE_UPDATE";

/** The bot may read what it wrote itself and what mentions it: https://docs.discord.com/developers/events/gateway#message-content-intent */
function isMeant({ cast }: World, data: object): boolean {
  const { author, mentions } = data as { readonly author?: unknown; readonly mentions?: unknown };
  const named: readonly unknown[] = Array.isArray(mentions) ? [author, ...mentions] : [author];
  return named.some((user) => isFields(user) && user.id === cast.bot.id);
}

function emptied(message: object): object {
  return { ...message, content: "", embeds: [], attachments: [], components: [] };
}
