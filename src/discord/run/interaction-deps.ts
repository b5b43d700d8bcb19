import type { REST } from "discord.js";
import { createLocks, type Locks } from "../../store/index.ts";
import { type AnswerCache, createAnswerCache } from "../access/answer-cache.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import { createFileCache, type FileCache } from "../access/file-cache.ts";
import type { GuildRolesCache } from "../access/roles/guild-roles-cache.ts";
import { createSettingsCache, type SettingsCache } from "../access/settings-cache.ts";
import type { Routes } from "../declare/routes.ts";
import { type Admission, createAdmission } from "./admission.ts";
import type { Services } from "./context.ts";
import { createDrawing, type Drawing } from "./drawing.ts";
import { createPresses, type Presses } from "./presses.ts";
import type { RunningHandlers } from "./running-handlers.ts";
import { createServerInfoCache, type ServerInfoCache } from "./server-info-cache.ts";

/** What interactions are dispatched with. */
export interface DispatchDeps {
  readonly routes: Routes;
  readonly services: Services;
  /** For first answers: of `createCallbackRest`. */
  readonly callbackRest: REST;
  /** For everything after. */
  readonly rest: REST;
  readonly running: RunningHandlers;
  readonly create: CreateExpressions;
  readonly guildRoles: GuildRolesCache;
}

/** The same with what all interactions of this process share and remember. */
export interface InteractionDeps extends DispatchDeps {
  readonly drawing: Drawing;
  readonly presses: Presses;
  readonly admission: Admission;
  /** By server and name. */
  readonly turns: Locks;
  readonly answers: AnswerCache;
  readonly files: FileCache;
  readonly settings: SettingsCache;
  readonly serverInfo: ServerInfoCache;
}

export function interactionDeps(deps: DispatchDeps): InteractionDeps {
  const { routes, services, rest } = deps;
  const { store, now, log } = services;
  const { continuations } = store;
  return {
    ...deps,
    drawing: createDrawing({ routes, continuations }),
    presses: createPresses({ routes, continuations, log }),
    admission: createAdmission(),
    turns: createLocks(),
    answers: createAnswerCache(now),
    files: createFileCache(now),
    settings: createSettingsCache(store.settings, now),
    serverInfo: createServerInfoCache(rest, now),
  };
}
