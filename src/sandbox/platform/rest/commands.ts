import type { APIApplicationCommand } from "discord-api-types/v10";
import { Hono } from "hono";
import { type CheckedFields, isObject } from "../check/check.ts";
import {
  commandCheck,
  commandLimits,
  commandListCheck,
  readCommandType,
} from "../check/command.ts";
import { usedFields } from "../check/options.ts";
import { demand, Rejection, rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readParam } from "./request.ts";

/** A language without words is as one that is not named. */
function readTranslations(value: unknown): CheckedFields | null {
  return isObject(value) ? filled(value) : null;
}

function filled(value: CheckedFields): CheckedFields {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function readOptions(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((option) => ({
    ...filled(usedFields(option)),
    name_localizations: readTranslations(option.name_localizations),
    description_localizations: readTranslations(option.description_localizations),
    ...(Array.isArray(option.choices) && "choices" in usedFields(option)
      ? {
          choices: option.choices.filter(isObject).map((each) => ({
            ...each,
            name_localizations: readTranslations(each.name_localizations),
          })),
        }
      : {}),
    ...(Array.isArray(option.options) && "options" in usedFields(option)
      ? { options: readOptions(option.options) }
      : {}),
  }));
}

function withoutTranslations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTranslations);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.endsWith("_localizations"))
      .map(([key, each]) => [key, withoutTranslations(each)]),
  );
}

/** Where commands are registered: a server, or all of them when undefined. */
type CommandScope = string | undefined;

const ofGuild = "/:applicationId/guilds/:guildId/commands";

/** Commands of the application, everywhere and in single servers. */
export function commandRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.use("/:applicationId/*", async (c, next) => {
    const id = c.req.param("applicationId");
    if (id !== "@me" && id !== state.guild.bot.id) throw rejection("unknownApplication");
    await next();
  });
  app.use("/:applicationId/guilds/:guildId/*", async (c, next) => {
    if (!state.guildIds.has(c.req.param("guildId"))) throw rejection("missingAccess");
    await next();
  });
  // Before the commands themselves, of which one could be called by this word.
  app.get(`${ofGuild}/permissions`, (c) => c.json([]));
  app.get(`${ofGuild}/:commandId/permissions`, (c) => {
    wanted(state, c);
    throw rejection("unknownCommandPermissions");
  });
  // Permissions of commands are set by people: a bot's token is not enough.
  app.put(`${ofGuild}/:commandId/permissions`, () => {
    throw rejection("notForBots");
  });

  for (const base of ["/:applicationId/commands", ofGuild]) {
    const one = `${base}/:commandId`;
    app.get(base, (c) => {
      const all = registered(state, readScope(c));
      const isFull = c.req.query("with_localizations") === "true";
      return c.json(isFull ? all : withoutTranslations(all));
    });
    app.put(base, (c) => c.json(replaceAll(state, c)));
    app.post(base, (c) => {
      const body = bodyFields(c);
      const scope = readScope(c);
      demand(commandCheck, body);
      const type = readCommandType(body);
      // A command with a known name takes the other's place.
      const old = sameName(state, body, scope);
      const sameType = registered(state, scope).filter((each) => each.type === type);
      const max = commandLimits[type] ?? 0;
      if (old === undefined && sameType.length >= max) {
        const message = `Maximum number of application commands reached (${max}).`;
        throw new Rejection(400, 30_032, message);
      }
      const made = keep(state, body, { scope, id: old?.id ?? state.nextId() });
      publishCommands(state);
      return c.json(made, old === undefined ? 201 : 200);
    });
    app.get(one, (c) => c.json(wanted(state, c)));
    app.patch(one, (c) => {
      const old = wanted(state, c);
      const { id, application_id, version, guild_id: scope, ...before } = old;
      const command: CheckedFields = { ...before, ...bodyFields(c), type: old.type };
      demand(commandCheck, command);
      const made = keep(state, command, { scope, id });
      publishCommands(state);
      return c.json(made);
    });
    app.delete(one, (c) => {
      state.commands.delete(wanted(state, c).id);
      publishCommands(state);
      return c.body(null, 204);
    });
  }
  return app;
}

const readScope = (c: RestContext): CommandScope => c.req.param("guildId");

function registered(state: PlatformState, scope: CommandScope): readonly APIApplicationCommand[] {
  return [...state.commands.values()].filter(({ guild_id: guildId }) => guildId === scope);
}

function sameName(
  state: PlatformState,
  fields: CheckedFields,
  scope: CommandScope,
): APIApplicationCommand | undefined {
  return registered(state, scope).find(
    (each) => each.name === fields.name && each.type === readCommandType(fields),
  );
}

function wanted(state: PlatformState, c: RestContext): APIApplicationCommand {
  const found = state.commands.get(readParam(c, "commandId"));
  if (found === undefined || found.guild_id !== readScope(c)) throw rejection("unknownCommand");
  return found;
}

/** All commands of the scope at once; one with a known name keeps its id. */
function replaceAll(state: PlatformState, c: RestContext): readonly APIApplicationCommand[] {
  const json = c.get("received").json;
  const scope = readScope(c);
  demand(commandListCheck, json);
  const list = (Array.isArray(json) ? json : []).filter(isObject);
  const ids = list.map((each) => sameName(state, each, scope)?.id ?? state.nextId());
  for (const { id } of registered(state, scope)) state.commands.delete(id);
  const made = list.map((each, index) => {
    return keep(state, each, { scope, id: ids[index] ?? state.nextId() });
  });
  publishCommands(state);
  return made;
}

function keep(
  state: PlatformState,
  command: CheckedFields,
  { scope, id }: { readonly scope: CommandScope; readonly id: string },
): APIApplicationCommand {
  const permissions = command.default_member_permissions;
  // Checked against the documented shape before it came here.
  const made = {
    id,
    application_id: state.guild.bot.id,
    version: state.nextId(),
    default_member_permissions: permissions == null ? null : String(permissions),
    type: readCommandType(command),
    name: command.name,
    name_localizations: readTranslations(command.name_localizations),
    description: command.description ?? "",
    description_localizations: readTranslations(command.description_localizations),
    dm_permission: command.dm_permission ?? true,
    contexts: command.contexts ?? null,
    integration_types: command.integration_types ?? [0],
    nsfw: command.nsfw ?? false,
    ...(Array.isArray(command.options) ? { options: readOptions(command.options) } : {}),
    ...(scope === undefined ? {} : { guild_id: scope }),
  } as unknown as APIApplicationCommand;
  state.commands.set(id, made);
  return made;
}

function publishCommands(state: PlatformState): void {
  state.publish({ type: "commands", commands: [...state.commands.values()] });
}
