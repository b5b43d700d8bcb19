import type { APIApplicationCommand } from "discord-api-types/v10";
import { Hono } from "hono";
import { type Fields, isFields } from "../check/check.ts";
import { command, commandLimits, commandList, typeOf } from "../check/command.ts";
import { demand, Rejection, rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { bodyOf, type RestContext, type RestEnv } from "./request.ts";

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
    ...filled(option),
    name_localizations: translationsOf(option.name_localizations),
    description_localizations: translationsOf(option.description_localizations),
    ...(Array.isArray(option.choices)
      ? {
          choices: option.choices.filter(isFields).map((each) => ({
            ...each,
            name_localizations: translationsOf(each.name_localizations),
          })),
        }
      : {}),
    ...(Array.isArray(option.options) ? { options: optionsOf(option.options) } : {}),
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

/** Global commands of the application. */
export function commandRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  function changed(): void {
    world.publish({ type: "commands", commands: [...world.commands.values()] });
  }

  function sameName(given: Fields, except?: string): APIApplicationCommand | undefined {
    return [...world.commands.values()].find(
      (each) => each.id !== except && each.name === given.name && each.type === typeOf(given),
    );
  }

  function wanted(c: RestContext): APIApplicationCommand {
    const found = world.commands.get(c.req.param("commandId") ?? "");
    if (found === undefined) throw rejections.unknownCommand();
    return found;
  }

  app.use("/:applicationId/commands/*", async (c, next) => {
    if (c.req.param("applicationId") !== world.cast.bot.id) throw rejections.unknownApplication();
    await next();
  });

  app.get("/:applicationId/commands", (c) => {
    const all = [...world.commands.values()];
    const isFull = c.req.query("with_localizations") === "true";
    return c.json(isFull ? all : withoutTranslations(all));
  });

  app.put("/:applicationId/commands", (c) => {
    const given = c.get("received").json;
    demand(commandList, given);
    const list = (Array.isArray(given) ? given : []).filter(isFields);
    const made = list.map((each) => commandOf(world, each, sameName(each)?.id ?? world.nextId()));
    world.commands.clear();
    for (const each of made) world.commands.set(each.id, each);
    changed();
    return c.json(made);
  });

  app.post("/:applicationId/commands", (c) => {
    const given = bodyOf(c);
    demand(command, given);
    const old = sameName(given);
    const sameType = [...world.commands.values()].filter((each) => each.type === typeOf(given));
    const max = commandLimits[typeOf(given)] ?? 0;
    if (old === undefined && sameType.length >= max) {
      throw new Rejection(400, 30_032, `Maximum number of application commands reached (${max}).`);
    }
    const made = commandOf(world, given, old?.id ?? world.nextId());
    world.commands.set(made.id, made);
    changed();
    return c.json(made, old === undefined ? 201 : 200);
  });

  app.get("/:applicationId/commands/:commandId", (c) => c.json(wanted(c)));

  app.patch("/:applicationId/commands/:commandId", (c) => {
    const old = wanted(c);
    const { id, application_id, version, guild_id, ...before } = old as typeof old & {
      guild_id?: string;
    };
    const given: Fields = { ...before, ...bodyOf(c), type: old.type };
    demand(command, given);
    const made = commandOf(world, given, id);
    world.commands.set(id, made);
    changed();
    return c.json(made);
  });

  app.delete("/:applicationId/commands/:commandId", (c) => {
    world.commands.delete(wanted(c).id);
    changed();
    return c.body(null, 204);
  });

  return app;
}
