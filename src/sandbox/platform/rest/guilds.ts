import { Hono, type MiddlewareHandler } from "hono";
import { shownRole } from "../guild.ts";
import { channelsOf } from "../places.ts";
import { rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import type { RestEnv } from "./request.ts";

/** Refuses servers that the bot is not in. */
export function guildAccess(world: World): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    if (!world.guildIds.has(c.req.param("guildId") ?? "")) throw rejections.unknownGuild();
    await next();
  };
}

/** What is in a server, whether the bot sees it or not. */
export function guildRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.get("/:guildId/roles", (c) =>
    c.json(world.cast.roles.map((role) => shownRole(world, role, c.req.param("guildId")))),
  );

  // Simulated servers have none; threads are no channels here.
  app.get("/:guildId/channels", (c) =>
    c.json(c.req.param("guildId") === world.cast.guildId ? channelsOf(world) : []),
  );

  return app;
}
