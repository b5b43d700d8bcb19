import type { APIApplicationCommand } from "discord-api-types/v10";
import { Hono } from "hono";
import { type Fields, isFields } from "../check/check.ts";
import { command, commandLimits, commandList, typeOf } from "../check/command.ts";
import { usedFields } from "../check/options.ts";
import { demand, Rejection, rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { bodyOf, paramOf, type RestContext, type RestEnv } from "./request.ts";

/** A language without words is as one that is not named. */
function translationsOf(value: unknown): Fields | null {
  return isFields(value) ? filled(value) : null;
}

function filled(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function optionsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isFields).map((option) => ({
    ...filled(usedFields(option)),
    name_localizations: translationsOf(option.name_localizations),
    description_localizations: translationsOf(option.description_localizations),
    ...(Array.isArray(option.choices) && "choices" in usedFields(option)
      ? {
          choices: option.choices.filter(isFields).map((each) => ({
            ...each,
            name_localizations: translationsOf(each.name_localizations),
          })),
        }
      : {}),
    ...(Array.isArray(option.options) && "options" in usedFields(option)
      ? { options: optionsOf(option.options) }
      : {}),
  }));
}

function commandOf(world: World, given: Fields, id: string): APIApplicationCommand {
  const permissions = given.default_member_permissions;
  const made = {
    id,
    application_id: world.cast.bot.id,
    version: world.nextId(),
    default_member_permissions: permissions == null ? null : String(permissions),
    type: typeOf(given),
    name: given.name,
    name_localizations: translationsOf(given.name_localizations),
    description: given.description ?? "",
    description_localizations: translationsOf(given.description_localizations),
    dm_permission: given.dm_permission ?? true,
    contexts: given.contexts ?? null,
    integration_types: given.integration_types ?? [0],
    nsfw: given.nsfw ?? false,
    ...(Array.isArray(given.options) ? { options: optionsOf(given.options) } : {}),
  };
  // Checked against the documented shape before it came here.
  return made as unknown as APIApplicationCommand;
}

function withoutTranslations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTranslations);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.endsWith("_localizations"))
      .map(([key, each]) => [key, withoutTranslations(each)]),
  );
}

/** Where commands are registered: a server, or all of them when undefined. */
type Scope = string | undefined;

const ofGuild = "/:applicationId/guilds/:guildId/commands";

/** Commands of the application, everywhere and in single servers. */
export function commandRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.use("/:applicationId/*", async (c, next) => {
    const id = c.req.param("applicationId");
    if (id !== "@me" && id !== world.cast.bot.id) throw rejections.unknownApplication();
    await next();
  });
  app.use("/:applicationId/guilds/:guildId/*", async (c, next) => {
    if (!world.guildIds.has(c.req.param("guildId"))) throw rejections.missingAccess();
    await next();
  });
  // Before the commands themselves, of which one could be called by this word.
  app.get(`${ofGuild}/permissions`, (c) => c.json([]));
  app.get(`${ofGuild}/:commandId/permissions`, (c) => {
    wanted(world, c);
    throw rejections.unknownCommandPermissions();
  });
  // Who may use what is the server's own to say: it takes somebody's token.
  app.put(`${ofGuild}/:commandId/permissions`, () => {
    throw rejections.notForBots();
  });

  for (const base of ["/:applicationId/commands", ofGuild]) {
    const one = `${base}/:commandId`;
    app.get(base, (c) => {
      const all = registered(world, scopeOf(c));
      const isFull = c.req.query("with_localizations") === "true";
      return c.json(isFull ? all : withoutTranslations(all));
    });
    app.put(base, (c) => c.json(replaceAll(world, c)));
    app.post(base, (c) => {
      const { made, isNew } = create(world, c);
      return c.json(made, isNew ? 201 : 200);
    });
    app.get(one, (c) => c.json(wanted(world, c)));
    app.patch(one, (c) => c.json(change(world, c)));
    app.delete(one, (c) => {
      world.commands.delete(wanted(world, c).id);
      tellCommands(world);
      return c.body(null, 204);
    });
  }
  return app;
}

const scopeOf = (c: RestContext): Scope => c.req.param("guildId");

function registered(world: World, scope: Scope): readonly APIApplicationCommand[] {
  return [...world.commands.values()].filter(({ guild_id: guildId }) => guildId === scope);
}

function sameName(world: World, given: Fields, scope: Scope): APIApplicationCommand | undefined {
  return registered(world, scope).find(
    (each) => each.name === given.name && each.type === typeOf(given),
  );
}

function wanted(world: World, c: RestContext): APIApplicationCommand {
  const found = world.commands.get(paramOf(c, "commandId"));
  if (found === undefined || found.guild_id !== scopeOf(c)) throw rejections.unknownCommand();
  return found;
}

/** All commands of the scope at once; one with a known name keeps its id. */
function replaceAll(world: World, c: RestContext): readonly APIApplicationCommand[] {
  const given = c.get("received").json;
  const scope = scopeOf(c);
  demand(commandList, given);
  const list = (Array.isArray(given) ? given : []).filter(isFields);
  const ids = list.map((each) => sameName(world, each, scope)?.id ?? world.nextId());
  for (const { id } of registered(world, scope)) world.commands.delete(id);
  const made = list.map((each, index) => {
    return keep(world, each, { scope, id: ids[index] ?? world.nextId() });
  });
  tellCommands(world);
  return made;
}

/** A command with a known name takes the other's place. */
function create(world: World, c: RestContext) {
  const given = bodyOf(c);
  const scope = scopeOf(c);
  demand(command, given);
  const old = sameName(world, given, scope);
  const sameType = registered(world, scope).filter((each) => each.type === typeOf(given));
  const max = commandLimits[typeOf(given)] ?? 0;
  if (old === undefined && sameType.length >= max) {
    throw new Rejection(400, 30_032, `Maximum number of application commands reached (${max}).`);
  }
  const made = keep(world, given, { scope, id: old?.id ?? world.nextId() });
  tellCommands(world);
  return { made, isNew: old === undefined };
}

function change(world: World, c: RestContext): APIApplicationCommand {
  const old = wanted(world, c);
  const { id, application_id, version, guild_id: scope, ...before } = old;
  const given: Fields = { ...before, ...bodyOf(c), type: old.type };
  demand(command, given);
  const made = keep(world, given, { scope, id });
  tellCommands(world);
  return made;
}

function keep(
  world: World,
  given: Fields,
  { scope, id }: { readonly scope: Scope; readonly id: string },
): APIApplicationCommand {
  const made = {
    ...commandOf(world, given, id),
    ...(scope === undefined ? {} : { guild_id: scope }),
  };
  world.commands.set(id, made);
  return made;
}

function tellCommands(world: World): void {
  world.publish({ type: "commands", commands: [...world.commands.values()] });
}
