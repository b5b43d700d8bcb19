import { randomBytes } from "node:crypto";
import type {
  APIApplicationCommand,
  APIGuildForumChannel,
  APIMessage,
  APIUser,
} from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { type Cast, type CastMember, createCast, personNames } from "./cast.ts";
import { createExpressions, type Expressions } from "./expressions.ts";
import { createFileStore, type FileStore } from "./files.ts";
import type { BotEvent } from "./gateway-events.ts";
import type { Interaction } from "./interaction.ts";
import type { Locale } from "./locales.ts";
import type { MemberState } from "./members.ts";
import { createRegistration, type Registration } from "./oauth2/registration.ts";
import { isSeenBy } from "./places.ts";
import type { PageEvent } from "./protocol.ts";
import type { Reaction } from "./reactions.ts";
import { createSnowflakes } from "./snowflake.ts";
import type { Thread } from "./threads.ts";

/** A message with what only the platform knows of it. */
export interface StoredMessage {
  /** Addresses of files are marks; `world.shown` puts signed ones in their place. */
  message: APIMessage;
  /** The only person who sees an ephemeral one; everyone who sees its channel when absent. */
  readonly audience: PersonName | undefined;
  /** Attached files in order, with their descriptions. */
  files: readonly { readonly id: string; readonly description: string | undefined }[];
  /** In the order in which the emoji came. */
  readonly reactions: Reaction[];
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

/** Everything the stand-in knows; one per platform. */
export interface World {
  readonly cast: Cast;
  readonly token: string;
  /** Largest attachment, in bytes. */
  attachmentLimit: number;
  /** What roles give that were changed since the start, by their ids. */
  readonly rolePermissions: Map<string, bigint>;
  /** Where roles stand that were moved since the start, by their ids; the highest rules over those below. */
  readonly rolePositions: Map<string, number>;
  /** Members who were changed since the start, by server and user. */
  readonly memberStates: Map<string, MemberState>;
  /** By the channel's id. */
  readonly channelChanges: Map<string, ChannelChanges>;
  /** Ids of channels that are gone, with all that is in them. */
  readonly removedChannels: Set<string>;
  /** Posts of forums, oldest first. */
  readonly threads: Map<string, Thread>;
  /** Threads that may be active at once in the server. */
  activeThreadLimit: number;
  /** Whose conversation with the bot has begun. */
  readonly openTo: Set<PersonName>;
  /** Who takes no direct messages of the bot. */
  readonly closedTo: Set<PersonName>;
  /** The language of the server. */
  guildLocale: Locale;
  readonly files: FileStore;
  readonly expressions: Expressions;
  /** What signing people in needs. */
  readonly registration: Registration;
  readonly messages: Map<string, StoredMessage>;
  readonly commands: Map<string, APIApplicationCommand>;
  /** By token. */
  readonly interactions: Map<string, Interaction>;
  /** Servers the bot is in: the real one first, simulated ones after it. */
  readonly guildIds: Set<string>;
  /** Addresses of other sites that messages show, by the id their proxied address has. */
  readonly external: Map<string, string>;
  origin: string;
  isOnline: boolean;
  now(): number;
  random(): number;
  nextId(): string;
  shown(stored: StoredMessage): APIMessage;
  person(name: PersonName): CastMember;
  /** The language of this person's client. */
  localeOf(name: PersonName): Locale;
  speak(name: PersonName, locale: Locale): void;
  /** Oldest first. */
  seenBy(name: PersonName): readonly StoredMessage[];
  publish(event: PageEvent, audience?: PersonName): void;
  /** Tells the bot what happened, as far as it asked to hear of it. */
  dispatch(event: BotEvent): void;
  onDispatch(listener: (event: BotEvent) => void): void;
  /** Answers the function that ends the listening. */
  listen(listener: Listener): () => void;
}

type Listener = (event: PageEvent, audience: PersonName | undefined) => void;

const defaultLocale: Locale = "en-US";
// Not in the documentation, which says only that there is a limit.
const maxActiveThreads = 1_000;

interface WorldOptions {
  readonly now: () => number;
  readonly random: () => number;
  readonly attachmentLimit: number;
  readonly extraGuilds: number;
}

function botToken(id: string): string {
  return `${Buffer.from(id).toString("base64url")}.${randomBytes(5).toString("base64url").slice(0, 6)}.${randomBytes(29).toString("base64url").slice(0, 38)}`;
}

/** Ids a millisecond apart, so that simulated servers spread over shards. */
function guildIdAt(now: number, index: number): string {
  return createSnowflakes(() => now - index)();
}

export function createWorld({ now, random, attachmentLimit, extraGuilds }: WorldOptions): World {
  const startedAt = now();
  const nextId = createSnowflakes(now);
  const cast = createCast();
  const locales = new Map<PersonName, Locale>();
  const simulated = Array.from({ length: extraGuilds }, (_, index) => guildIdAt(startedAt, index));
  const world: World = {
    cast,
    token: botToken(cast.bot.id),
    attachmentLimit,
    rolePermissions: new Map(),
    rolePositions: new Map(),
    memberStates: new Map(),
    channelChanges: new Map(),
    removedChannels: new Set(),
    threads: new Map(),
    activeThreadLimit: maxActiveThreads,
    openTo: new Set(),
    closedTo: new Set(),
    guildLocale: defaultLocale,
    files: createFileStore({
      origin: () => world.origin,
      nextId,
      now,
      secret: randomBytes(32),
    }),
    expressions: createExpressions(),
    registration: createRegistration({ now }),
    messages: new Map(),
    commands: new Map(),
    interactions: new Map(),
    guildIds: new Set([cast.guildId, ...simulated]),
    external: new Map(),
    origin: "",
    isOnline: false,
    now,
    random,
    nextId,
    shown: (stored) => world.files.present(stored.message),
    person: (name) => cast.people[name],
    localeOf: (name) => locales.get(name) ?? defaultLocale,
    speak(name, locale) {
      locales.set(name, locale);
      world.publish({ type: "locale", locale }, name);
    },
    seenBy: (name) =>
      [...world.messages.values()].filter((stored) => isSeenBy(world, stored, name)),
    ...createListeners(),
  };
  return world;
}

function createListeners(): Pick<World, "publish" | "dispatch" | "onDispatch" | "listen"> {
  const listeners = new Set<Listener>();
  const botListeners = new Set<(event: BotEvent) => void>();
  return {
    publish(event, audience) {
      for (const listener of listeners) listener(event, audience);
    },
    dispatch(event) {
      for (const listener of botListeners) listener(event);
    },
    onDispatch: (listener) => botListeners.add(listener),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The person with this id, if it is one. */
export function personById(world: World, id: string): PersonName | undefined {
  return personNames.find((name) => world.person(name).user.id === id);
}

/** The bot and all people. */
export function usersOf({ cast }: World): readonly APIUser[] {
  return [cast.bot, ...Object.values(cast.people).map(({ user }) => user)];
}
