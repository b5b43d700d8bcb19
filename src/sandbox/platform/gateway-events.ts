import { GatewayIntentBits as bits } from "discord-api-types/v10";
import { botMay, partnerIn } from "./channel-access.ts";
import { isObject } from "./check/check.ts";
import { describeMember } from "./members.ts";
import { type BotEvent, eventIntents, type PlatformState } from "./state.ts";

interface HeardEvent {
  readonly name: string;
  readonly guildId: string | undefined;
  /** Whether a session with these intents hears of it. */
  isFor(held: number): boolean;
  /** The data for a session with these intents: some may not read message content. */
  dataFor(held: number): object;
}

/** Events that bring along the member who caused them, with the field that holds that user's id. */
const membersBy: Partial<Readonly<Record<BotEvent["name"], "author" | "user_id">>> = {
  MESSAGE_CREATE: "author",
  MESSAGE_UPDATE: "author",
  MESSAGE_REACTION_ADD: "user_id",
  TYPING_START: "user_id",
};

/** Undefined for an event in a server or channel that the bot does not see. */
export function heardEvent(state: PlatformState, event: BotEvent): HeardEvent | undefined {
  const { name, data, channelId } = event;
  const isDirect = channelId !== undefined && partnerIn(state, channelId) !== undefined;
  const { guildId } = state.guild;
  if (!isDirect && !state.guildIds.has(guildId) && name !== "GUILD_DELETE") return undefined;
  if (channelId !== undefined && !botMay(state, channelId, "view")) return undefined;
  const [ofServer, ofDirect = 0] = eventIntents[name];
  const wanted = isDirect ? ofDirect : ofServer;
  const whole = isDirect ? data : { ...data, ...placed(state, event) };
  const isWritten = name === "MESSAGE_CREATE" || name === "MESSAGE_UPDATE";
  const isOpen = isDirect || !isWritten || isMeant(state, data);
  const emptied = { ...whole, content: "", embeds: [], attachments: [], components: [] };
  // Changes of the bot's own membership need no intent.
  const { user } = data as { readonly user?: { readonly id?: unknown } };
  const isOwnChange = name === "GUILD_MEMBER_UPDATE" && user?.id === state.guild.bot.id;
  return {
    name,
    guildId: isDirect ? undefined : guildId,
    isFor: (held) => (held & wanted) !== 0 || isOwnChange,
    dataFor: (held) => (isOpen || (held & bits.MessageContent) !== 0 ? whole : emptied),
  };
}

function placed(state: PlatformState, { name, data }: BotEvent): object {
  const { guildId } = state.guild;
  if (name === "GUILD_DELETE") return {};
  const by = membersBy[name];
  if (by === undefined) return { guild_id: guildId };
  const who = (data as Readonly<Record<string, unknown>>)[by];
  const member = describeMember(state, guildId, String(isObject(who) ? who.id : who));
  if (member === undefined || by === "user_id") return { guild_id: guildId, member };
  // The user is in the author field already.
  const { user: _, ...partial } = member;
  return { guild_id: guildId, member: partial };
}

/**
 * The bot may read what it wrote itself and what mentions it:
 * https://docs.discord.com/developers/events/gateway#message-content-intent
 */
function isMeant({ guild }: PlatformState, data: object): boolean {
  const { author, mentions } = data as { readonly author?: unknown; readonly mentions?: unknown };
  const named: readonly unknown[] = Array.isArray(mentions) ? [author, ...mentions] : [author];
  return named.some((user) => isObject(user) && user.id === guild.bot.id);
}
