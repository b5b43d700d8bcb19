import { randomBytes } from "node:crypto";
import { MessageFlags } from "discord-api-types/v10";
import type { DiscordLocale } from "../locales.ts";
import type { PersonName } from "../types.ts";
import { isSeenBy } from "./channel-access.ts";
import { createSigningKey } from "./endpoint/signing-key.ts";
import { createFileStore } from "./files.ts";
import { createRegistration } from "./oauth2/registration.ts";
import { createSampleGuild } from "./sample-guild.ts";
import { createSnowflakes } from "./snowflake.ts";
import type { BotEvent, LoginLimits, PageListener, PlatformState } from "./state.ts";
import { shownThread, threadOfMessage } from "./threads.ts";

const defaultLocale: DiscordLocale = "en-US";
// Discord documents only that there is a limit.
const maxActiveThreads = 1_000;

interface PlatformStateOptions {
  readonly now: () => number;
  readonly random: () => number;
  readonly attachmentLimit: number;
  readonly extraGuilds: number;
  readonly logins: LoginOptions | undefined;
}

/** How a bot may log in; without it buckets do not rest. */
export type LoginOptions = Partial<LoginLimits>;

const usualLogins = { shards: undefined, maxConcurrency: 1, remaining: 1_000, restMs: undefined };
// https://docs.discord.com/developers/events/gateway#rate-limiting
const identifyRestMs = 5_000;

export function createPlatformState({
  now,
  random,
  attachmentLimit,
  extraGuilds,
  logins,
}: PlatformStateOptions): PlatformState {
  const startedAt = now();
  const nextId = createSnowflakes(now);
  const guild = createSampleGuild();
  const locales = new Map<PersonName, DiscordLocale>();
  // Ids a millisecond apart, so that simulated servers spread over shards.
  const simulated = Array.from({ length: extraGuilds }, (_, index) =>
    createSnowflakes(() => startedAt - index)(),
  );
  const tokenParts = [5, 29].map((bytes) => randomBytes(bytes).toString("base64url").slice(0, -1));
  const state: PlatformState = {
    guild,
    token: [Buffer.from(guild.bot.id).toString("base64url"), ...tokenParts].join("."),
    attachmentLimit,
    logins: { ...usualLogins, ...(logins && { restMs: identifyRestMs, ...logins }) },
    rolePermissions: new Map(),
    rolePositions: new Map(),
    memberStates: new Map(),
    channelChanges: new Map(),
    removedChannels: new Set(),
    threads: new Map(),
    events: new Map(),
    activeThreadLimit: maxActiveThreads,
    isEachCommandShown: false,
    openDirectChannels: new Set(),
    closedDirectChannels: new Set(),
    overtaken: new Set(),
    guildLocale: defaultLocale,
    files: createFileStore({ origin: () => state.origin, nextId, now, secret: randomBytes(32) }),
    expressions: { emojis: new Map(), stickers: new Map() },
    registration: createRegistration({ now }),
    application: {
      key: createSigningKey(),
      interactionsUrl: null,
      eventsUrl: null,
      eventsStatus: 1,
      eventTypes: [],
    },
    messages: new Map(),
    commands: new Map(),
    interactions: new Map(),
    guildIds: new Set([guild.guildId, ...simulated]),
    externalAddresses: new Map(),
    welcomeId: undefined,
    origin: "",
    isOnline: false,
    now,
    random,
    nextId,
    shown: ({ message }) => {
      const shown = state.files.present(message);
      const thread = threadOfMessage(state, message);
      if (thread === undefined) return shown;
      return {
        ...shown,
        flags: (shown.flags ?? 0) | MessageFlags.HasThread,
        thread: shownThread(state, thread),
      };
    },
    person: (name) => guild.people[name],
    localeOf: (name) => locales.get(name) ?? defaultLocale,
    speak(name, locale) {
      locales.set(name, locale);
      state.publish({ type: "locale", locale }, name);
    },
    seenBy: (name) =>
      [...state.messages.values()].filter((stored) => isSeenBy(state, stored, name)),
    ...createListeners(),
  };
  return state;
}

function createListeners(): Pick<PlatformState, "publish" | "dispatch" | "onDispatch" | "listen"> {
  const listeners = new Set<PageListener>();
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
