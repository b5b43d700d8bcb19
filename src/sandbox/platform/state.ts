import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIGuildForumChannel,
  type APIMessage,
  type APIMessageInteractionMetadata,
  type APIModalInteractionResponseCallbackData,
  type APIUser,
  GatewayIntentBits as bits,
  type GuildScheduledEventStatus,
} from "discord-api-types/v10";
import type { DiscordLocale } from "../locales.ts";
import type { PersonName } from "../types.ts";
import type { SigningKey } from "./endpoint/signing-key.ts";
import type { StoredExpressions } from "./expressions.ts";
import type { FileStore } from "./files.ts";
import type { Registration } from "./oauth2/registration.ts";
import type { PageEvent } from "./protocol.ts";
import { personNames, type SampleGuild, type SampleMember } from "./sample-guild.ts";

/** A message with what only the stand-in knows of it. */
export interface StoredMessage {
  /** Addresses of files are marks; `state.shown` puts signed ones in their place. */
  message: APIMessage;
  /** The only person who sees an ephemeral one; everyone who sees its channel when absent. */
  readonly audience: PersonName | undefined;
  /** Attached files in order, with their descriptions. */
  files: readonly { readonly id: string; readonly description: string | undefined }[];
  /** In the order in which the emoji came. */
  readonly reactions: StoredReaction[];
  /** Milliseconds; undefined for what is not pinned. */
  pinnedAt: number | undefined;
  isDismissed: boolean;
}

/** What administrators change of a channel. */
export type ChannelChanges = Partial<
  Pick<
    APIGuildForumChannel,
    "name" | "topic" | "flags" | "available_tags" | "permission_overwrites"
  >
>;

/** What can change about a member. */
export interface MemberState {
  readonly nick: string | null;
  readonly roleIds: readonly string[];
}

/** A post of a forum, or a thread that was begun from a message. */
export interface StoredThread {
  /** Also that of the post's first message, or of the message that it was begun from. */
  readonly id: string;
  /** What is not counted: the first message of a post, or what shows the message that a thread was begun from. */
  readonly starterId: string;
  readonly parentId: string;
  readonly ownerId: string;
  readonly createdAt: number;
  name: string;
  appliedTags: readonly string[];
  /** Minutes without a message until it is archived by itself. */
  archiveAfter: number;
  /** Seconds between two messages of a person. */
  readonly slowmode: number;
  isLocked: boolean;
  /** Archived by hand; one that has been quiet for too long is archived without it. */
  isArchived: boolean;
  /** When it was made, archived or taken out of the archive. */
  archiveChangedAt: number;
  activeAt: number;
  /** Messages ever written in it, without the first. */
  sent: number;
  readonly messageIds: Set<string>;
}

/** An event that takes place elsewhere, made by the bot. */
export interface StoredEvent {
  readonly id: string;
  name: string;
  description: string | null;
  location: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
  endsAt: number;
  /** As it was last set; see `eventStatus`. */
  status: GuildScheduledEventStatus;
  cover: EventCover | undefined;
}

export interface EventCover {
  readonly hash: string;
  readonly type: string;
  readonly data: Uint8Array;
}

/** An emoji of everyone's, or one of the server with its id. */
export interface ReactionEmoji {
  readonly id: string | null;
  readonly name: string;
}

/** One emoji below a message, with the ids of who chose it, oldest first. */
export interface StoredReaction {
  readonly emoji: ReactionEmoji;
  readonly userIds: Set<string>;
}

/** Discord's numbers: 2 command, 3 component, 4 autocomplete, 5 form. */
export type InteractionKind = 2 | 3 | 4 | 5;

/** One interaction, from the press to the end of its token. */
export interface StoredInteraction {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  readonly person: PersonName;
  readonly channelId: string;
  readonly createdAt: number;
  /** `expired`: the first answer did not come in time. */
  state: "open" | "answered" | "form" | "suggested" | "expired";
  /** Message whose component was used, or whose component opened the form. */
  readonly sourceId: string | undefined;
  /** What `@original` means. */
  originalId: string | undefined;
  isEphemeral: boolean;
  readonly followUps: string[];
  /** Messages it made or changed, the latest last. */
  readonly touched: string[];
  lastChange: number;
  readonly metadata: APIMessageInteractionMetadata;
  /** Shown name of the command, for the message's `interaction` field. */
  readonly commandName: string | undefined;
  /** 20 for slash commands, 23 for menus, 19 for what answers a message, 0 for forms without one. */
  readonly replyType: number;
  readonly focusedType: number | undefined;
  form: APIModalInteractionResponseCallbackData | undefined;
  choices: readonly APIApplicationCommandOptionChoice[] | undefined;
  /** Settles with the first answer; rejects with `InteractionFailed`. */
  readonly answered: PromiseWithResolvers<void>;
}

/**
 * The intents by which a session hears of an event: in servers, then in direct conversations
 * (https://docs.discord.com/developers/events/gateway#list-of-intents).
 */
export const eventIntents = {
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
  GUILD_SCHEDULED_EVENT_CREATE: [bits.GuildScheduledEvents],
  GUILD_SCHEDULED_EVENT_UPDATE: [bits.GuildScheduledEvents],
  GUILD_SCHEDULED_EVENT_DELETE: [bits.GuildScheduledEvents],
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
  readonly name: keyof typeof eventIntents;
  /** Without `guild_id` and `member`, which are added when it is sent. */
  readonly data: object;
  /** Where it happened; absent for what concerns the server as a whole. */
  readonly channelId?: string;
}

/** Where the application wants to be posted to, as its owner has set it. */
export interface ApplicationSettings {
  readonly key: SigningKey;
  interactionsUrl: string | null;
  eventsUrl: string | null;
  /** 1 off, 2 on. */
  eventsStatus: number;
  eventTypes: readonly string[];
}

/** How a bot may log in at the gateway. */
export interface LoginLimits {
  /** Connections that are recommended; one for each thousand servers when undefined. */
  readonly shards: number | undefined;
  /** Shards that may identify at the same time. */
  readonly maxConcurrency: number;
  /** How long a bucket rests after an identify; it never does when undefined. */
  readonly restMs: number | undefined;
  /** Logins that are left today. */
  remaining: number;
}

/** Everything that one stand-in for Discord knows. */
export interface PlatformState {
  readonly guild: SampleGuild;
  readonly token: string;
  /** Largest attachment, in bytes. */
  attachmentLimit: number;
  readonly logins: LoginLimits;
  /** Permissions of roles that were changed since the start, by role id. */
  readonly rolePermissions: Map<string, bigint>;
  /** Positions of roles that were moved since the start, by role id. */
  readonly rolePositions: Map<string, number>;
  /** Members who were changed since the start, by server and user. */
  readonly memberStates: Map<string, MemberState>;
  /** By the channel's id. */
  readonly channelChanges: Map<string, ChannelChanges>;
  /** Ids of channels that are gone, with all that is in them. */
  readonly removedChannels: Set<string>;
  /** Posts of forums, oldest first. */
  readonly threads: Map<string, StoredThread>;
  /** Events of the server, oldest first; those that are over too. */
  readonly events: Map<string, StoredEvent>;
  /** Threads that may be active at once in the server. */
  activeThreadLimit: number;
  /** The server shows every command to everyone, whatever permissions it takes by default. */
  isEachCommandShown: boolean;
  /** People whose direct conversation with the bot was opened. */
  readonly openDirectChannels: Set<PersonName>;
  /** People who do not accept direct messages. */
  readonly closedDirectChannels: Set<PersonName>;
  /** People whose next press comes second. */
  readonly overtaken: Set<PersonName>;
  /** The language of the server. */
  guildLocale: DiscordLocale;
  readonly files: FileStore;
  readonly expressions: StoredExpressions;
  /** The app's OAuth2 registration. */
  readonly registration: Registration;
  readonly application: ApplicationSettings;
  readonly messages: Map<string, StoredMessage>;
  readonly commands: Map<string, APIApplicationCommand>;
  /** By token. */
  readonly interactions: Map<string, StoredInteraction>;
  /** Servers the bot is in: the real one first, simulated ones after it. */
  readonly guildIds: Set<string>;
  /** Addresses of other sites that messages show, by the id their proxied address has. */
  readonly externalAddresses: Map<string, string>;
  /** The message with suggestions, if one was said. */
  welcomeId: string | undefined;
  origin: string;
  isOnline: boolean;
  now(): number;
  random(): number;
  nextId(): string;
  shown(stored: StoredMessage): APIMessage;
  person(name: PersonName): SampleMember;
  /** The language of this person's client. */
  localeOf(name: PersonName): DiscordLocale;
  speak(name: PersonName, locale: DiscordLocale): void;
  /** Oldest first. */
  seenBy(name: PersonName): readonly StoredMessage[];
  publish(event: PageEvent, audience?: PersonName): void;
  /** Sends an event to the bot's sessions that have the intent for it. */
  dispatch(event: BotEvent): void;
  onDispatch(listener: (event: BotEvent) => void): void;
  /** Answers the function that ends the listening. */
  listen(listener: PageListener): () => void;
}

export type PageListener = (event: PageEvent, audience: PersonName | undefined) => void;

/** The person with this id, if it is one. */
export function personById(state: PlatformState, id: string): PersonName | undefined {
  return personNames.find((name) => state.person(name).user.id === id);
}

/** The bot and all people. */
export function allUsers({ guild }: PlatformState): readonly APIUser[] {
  return [guild.bot, ...Object.values(guild.people).map(({ user }) => user)];
}
