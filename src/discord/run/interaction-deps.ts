import type { REST } from "discord.js";
import type { Locks } from "../../store/index.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import type { ServerRolesCache } from "../access/roles/server-roles.ts";
import { createSettingsCache, type SettingsCache } from "../access/settings-cache.ts";
import type { Routes } from "../declare/routes.ts";
import { type Admission, createAdmission } from "./admission.ts";
import {
  createServerInfoCache,
  type ServerInfoCache,
} from "./channel-messages/server-info-cache.ts";
import { createOpenInteractions, type OpenInteractions } from "./open-interactions.ts";
import { createReplyRenderer, type ReplyRenderer } from "./reply-renderer.ts";
import type { RunningHandlers } from "./running-handlers.ts";
import type { Services } from "./services.ts";

/** What interactions are answered with. */
export interface InteractionDeps extends SharedState {
  readonly routes: Routes;
  readonly services: Services;
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
  readonly serverRoles: ServerRolesCache;
}

/** What all interactions of this process share and remember. */
export interface SharedState {
  readonly open: OpenInteractions;
  readonly drawing: ReplyRenderer;
  readonly admission: Admission;
  /** By server and name. */
  readonly turns: Locks;
  readonly settings: SettingsCache;
  readonly serverInfo: ServerInfoCache;
}

export function createSharedState({
  routes,
  services,
  rest,
  running,
}: Pick<InteractionDeps, "routes" | "services" | "rest" | "running">): SharedState {
  const { store, now } = services;
  return {
    open: createOpenInteractions(services, running),
    drawing: createReplyRenderer(routes, services),
    admission: createAdmission(),
    turns: store.turns,
    settings: createSettingsCache(store.settings, now, store.database.servers.version),
    serverInfo: createServerInfoCache(rest, now),
  };
}
