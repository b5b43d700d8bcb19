import { Hono } from "hono";
import { anything, list, required, shape, snowflake, text } from "../check/check.ts";
import { changeMember, foundMembers, memberIds, memberOf, memberState } from "../members.ts";
import { isHeld, type Right } from "../permissions.ts";
import { permissionsOf, rankOf, roleIn } from "../places.ts";
import { demand, rejections } from "../rejection.ts";
import { personById, type World } from "../world.ts";
import { bodyOf, limitOf, paramOf, type RestContext, type RestEnv } from "./request.ts";

// https://docs.discord.com/developers/resources/guild#list-guild-members
const maxPage = 1_000;

const nick = text(0, 32);
const ownSettings = shape({ nick });
const settings = shape({ nick, roles: list(snowflake, 0, 250) });
const search = shape({ query: required(text(1, 100)), limit: anything });

/** Who is in a server, and what the bot changes of them. */
export function memberRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const one = "/:guildId/members/:userId";

  app.get("/:guildId/members", (c) => {
    const after = BigInt(wholeOf(c.req.query("after")) ?? 0);
    const ids = memberIds(world).filter((id) => BigInt(id) > after);
    return c.json(shown(world, c, ids));
  });
  app.get("/:guildId/members/search", (c) => {
    demand(search, c.req.query());
    const query = String(c.req.query("query")).trim();
    return c.json(shown(world, c, foundMembers(world, placeOf(c), query)));
  });
  app.get(one, (c) => c.json(memberOf(world, placeOf(c), wanted(world, c))));
  app.patch("/:guildId/members/@me", (c) => {
    changeOwnNick(world, c);
    return c.json(memberOf(world, placeOf(c), world.cast.bot.id));
  });
  // Older than the address above, and still in use.
  app.patch("/:guildId/members/@me/nick", (c) => {
    changeOwnNick(world, c);
    return c.json({ nick: memberState(world, placeOf(c), world.cast.bot.id).nick });
  });
  app.patch(one, (c) => {
    const userId = wanted(world, c);
    changeOther(world, c, userId);
    return c.json(memberOf(world, placeOf(c), userId));
  });
  for (const method of ["PUT", "DELETE"] as const) {
    app.on(method, `${one}/roles/:roleId`, (c) => {
      changeRole(world, c, method === "PUT" ? "give" : "take");
      return c.body(null, 204);
    });
  }
  return app;
}

const placeOf = (c: RestContext): string => paramOf(c, "guildId");

function wholeOf(value: string | undefined): string | undefined {
  return value !== undefined && /^\d{1,20}$/.test(value) ? value : undefined;
}

function shown(world: World, c: RestContext, ids: readonly string[]): readonly object[] {
  const size = limitOf(c, { usual: 1, most: maxPage });
  return ids.slice(0, size).flatMap((id) => memberOf(world, placeOf(c), id) ?? []);
}

/** The platform knows nobody else, so that whoever is not here is unknown as a user too. */
function wanted(world: World, c: RestContext): string {
  const id = paramOf(c, "userId");
  if (!memberIds(world).includes(id)) throw rejections.unknownUser();
  return id;
}

const nickOf = (name: unknown): string | null =>
  (name == null ? null : String(name).trim()) || null;

function changeOwnNick(world: World, c: RestContext): void {
  const body = bodyOf(c);
  demand(ownSettings, body);
  demandRight(world, "changeNickname");
  const place = { guildId: placeOf(c), userId: world.cast.bot.id };
  if (body.nick !== undefined) changeMember(world, place, { nick: nickOf(body.nick) });
}

function changeOther(world: World, c: RestContext, userId: string): void {
  const place = { guildId: placeOf(c), userId };
  const body = bodyOf(c);
  demand(settings, body);
  const { nick: name, roles } = body;
  if (name !== undefined) demandNaming(world, userId);
  const roleIds = Array.isArray(roles) ? [...new Set(roles.map(String))] : [];
  const had = memberState(world, place.guildId, userId).roleIds;
  if (roles !== undefined) demandRoles(world, exclusive(had, roleIds));
  changeMember(world, place, {
    ...(name === undefined ? {} : { nick: nickOf(name) }),
    ...(roles === undefined ? {} : { roleIds }),
  });
}

function changeRole(world: World, c: RestContext, change: "give" | "take"): void {
  const place = { guildId: placeOf(c), userId: wanted(world, c) };
  const roleId = paramOf(c, "roleId");
  demandRoles(world, [roleId]);
  const { roleIds } = memberState(world, place.guildId, place.userId);
  const others = roleIds.filter((id) => id !== roleId);
  changeMember(world, place, { roleIds: change === "give" ? [...others, roleId] : others });
}

function exclusive(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...some, ...others].filter((id) => some.includes(id) !== others.includes(id));
}

function demandRight(world: World, right: Right): void {
  if (!isHeld(permissionsOf(world, "bot"), right)) throw rejections.missingPermissions();
}

/** Only those below the bot may be named, and itself. */
function demandNaming(world: World, userId: string): void {
  const person = personById(world, userId);
  demandRight(world, person === undefined ? "changeNickname" : "manageNicknames");
  const isBelow = person === undefined || rankOf(world, person) < rankOf(world, "bot");
  if (!isBelow) throw rejections.missingPermissions();
}

/** Only roles below the bot's own may be given and taken; those of bots by nobody. */
function demandRoles(world: World, ids: readonly string[]): void {
  const roles = ids.map((id) => {
    const found = world.cast.roles.find((role) => role.id === id);
    if (found === undefined) throw rejections.unknownRole();
    return found;
  });
  demandRight(world, "manageRoles");
  const isAbove = roles.some(
    (role) => role.managed || roleIn(world, role).position >= rankOf(world, "bot"),
  );
  if (isAbove) throw rejections.missingPermissions();
}
