import type { REST } from "discord.js";
import type { Http } from "../../http/index.ts";
import type { Languages } from "../../language/index.ts";
import type { Log } from "../../log.ts";
import type { Locks, Store } from "../../store/index.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import type { GuildRolesCache } from "../access/roles/guild-roles-cache.ts";
import { createSettingsCache, type SettingsCache } from "../access/settings-cache.ts";
import type { Routes } from "../declare/routes.ts";
import { type Admission, createAdmission } from "./admission.ts";
import {
  createServerInfoCache,
  type ServerInfoCache,
} from "./channel-messages/server-info-cache.ts";
import type { FeatureContexts } from "./feature-contexts.ts";
import { createOpenInteractions, type OpenInteractions } from "./open-interactions.ts";
import { createPresses, type Presses } from "./presses.ts";
import type { Observer } from "./received-interaction.ts";
import { createReplyRenderer, type ReplyRenderer } from "./reply-renderer.ts";
import type { RunningHandlers } from "./running-handlers.ts";

/** What interactions are answered with; made once, in `bot.ts`. */
export interface Services {
  readonly store: Store;
  readonly http: Http;
  readonly languages: Languages;
  /** Filled when the commands are registered. */
  readonly commandIds: Map<string, string>;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Hosts that attachments come from, `host` or `host:port`. */
  readonly attachmentHosts: readonly string[];
  /** Where people's browsers find Discord. */
  readonly siteUrl: string;
  /** Id of this process among all that share the database; another one after it was taken for dead. */
  readonly processId: string;
  /** Called with each interaction once it is over. */
  readonly observer?: Observer;
}

/** What interactions are dispatched with. */
export interface DispatchDeps {
  readonly routes: Routes;
  readonly services: Services;
  readonly features: FeatureContexts;
  /** For first answers: made by `createCallbackRest`. */
  readonly callbackRest: REST;
  /** For later answers, which have the interaction's token: Discord's limit for bots is not theirs. */
  readonly answerRest: REST;
  /** For everything else. */
  readonly rest: REST;
  /** The bot's own user. */
  readonly botId: string;
  readonly running: RunningHandlers;
  readonly create: CreateExpressions;
  readonly guildRoles: GuildRolesCache;
}

/** The same with what all interactions of this process share and remember. */
export interface InteractionDeps extends DispatchDeps {
  readonly open: OpenInteractions;
  readonly drawing: ReplyRenderer;
  readonly presses: Presses;
  readonly admission: Admission;
  /** By server and name. */
  readonly turns: Locks;
  readonly settings: SettingsCache;
  readonly serverInfo: ServerInfoCache;
}

export function interactionDeps(deps: DispatchDeps): InteractionDeps {
  const { routes, services, rest, running } = deps;
  const { store, now, log } = services;
  const { continuations, interactions } = store;
  const isShared = store.database.dialect === "postgres";
  const processId = () => services.processId;
  const open = createOpenInteractions({ interactions, isShared, processId, running, log });
  return {
    ...deps,
    open,
    drawing: createReplyRenderer({ routes, continuations, now }),
    presses: createPresses({ routes, continuations, open, log }),
    admission: createAdmission(),
    turns: store.turns,
    settings: createSettingsCache(store.settings, { now, version: store.database.servers.version }),
    serverInfo: createServerInfoCache(rest, now),
  };
}
