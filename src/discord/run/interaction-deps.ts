import type { REST } from "discord.js";
import type { Locks } from "../../store/index.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import type { ServerRolesCache } from "../access/roles/server-roles.ts";
import type { SettingsCache } from "../access/settings-cache.ts";
import type { Routes } from "../declare/routes.ts";
import type { Admission } from "./admission.ts";
import type { ServerInfoCache } from "./channel-messages/server-info-cache.ts";
import type { OpenInteractions } from "./open-interactions.ts";
import type { ReplyRenderer } from "./reply-renderer.ts";
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
