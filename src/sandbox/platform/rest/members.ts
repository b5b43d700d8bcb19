import { Hono } from "hono";
import { roleHeight, roleIn, serverRights } from "../channel-access.ts";
import { anything, array, object, required, snowflakeId, string } from "../check/check.ts";
import { changeMember, describeMember, foundMembers, memberIds, memberState } from "../members.ts";
import { isHeld, type Right } from "../permissions.ts";
import { demand, rejection } from "../rejection.ts";
import { type PlatformState, personById } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readLimit, readParam } from "./request.ts";

// https://docs.discord.com/developers/resources/guild#list-guild-members
const maxPage = 1_000;

const nick = string(0, 32);
const ownSettings = object({ nick });
const settings = object({ nick, roles: array(snowflakeId, 0, 250) });
const search = object({ query: required(string(1, 100)), limit: anything });

/** Who is in a server, and what the bot changes of them. */
export function memberRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const one = "/:guildId/members/:userId";

  app.get("/:guildId/members", (c) => {
    const after = c.req.query("after") ?? "";
    const from = /^\d{1,20}$/.test(after) ? BigInt(after) : 0n;
    const ids = memberIds(state).filter((id) => BigInt(id) > from);
    return c.json(shown(state, c, ids));
  });
  app.get("/:guildId/members/search", (c) => {
    demand(search, c.req.query());
    const query = String(c.req.query("query")).trim();
    return c.json(shown(state, c, foundMembers(state, readParam(c, "guildId"), query)));
  });
  app.get(one, (c) => c.json(describeMember(state, readParam(c, "guildId"), wanted(state, c))));
  app.patch("/:guildId/members/@me", (c) => {
    changeOwnNick(state, c);
    return c.json(describeMember(state, readParam(c, "guildId"), state.guild.bot.id));
  });
  // Older than the address above, and still in use.
  app.patch("/:guildId/members/@me/nick", (c) => {
    changeOwnNick(state, c);
    return c.json({ nick: memberState(state, readParam(c, "guildId"), state.guild.bot.id).nick });
  });
  app.patch(one, (c) => {
    const place = { guildId: readParam(c, "guildId"), userId: wanted(state, c) };
    const body = bodyFields(c);
    demand(settings, body);
    const { nick: name, roles } = body;
    const person = personById(state, place.userId);
    if (name !== undefined) {
      // Only those below the bot may be named, and itself.
      demandRight(state, person === undefined ? "changeNickname" : "manageNicknames");
      const isBelow = person === undefined || roleHeight(state, person) < roleHeight(state, "bot");
      if (!isBelow) throw rejection("missingPermissions");
    }
    const roleIds = Array.isArray(roles) ? [...new Set(roles.map(String))] : [];
    const had = memberState(state, place.guildId, place.userId).roleIds;
    const changed = [...had, ...roleIds].filter((id) => had.includes(id) !== roleIds.includes(id));
    if (roles !== undefined) demandRoles(state, changed);
    changeMember(state, place, {
      ...(name === undefined ? {} : { nick: readNick(name) }),
      ...(roles === undefined ? {} : { roleIds }),
    });
    return c.json(describeMember(state, place.guildId, place.userId));
  });
  for (const method of ["PUT", "DELETE"] as const) {
    app.on(method, `${one}/roles/:roleId`, (c) => {
      const place = { guildId: readParam(c, "guildId"), userId: wanted(state, c) };
      const roleId = readParam(c, "roleId");
      demandRoles(state, [roleId]);
      const { roleIds } = memberState(state, place.guildId, place.userId);
      const others = roleIds.filter((id) => id !== roleId);
      changeMember(state, place, { roleIds: method === "PUT" ? [...others, roleId] : others });
      return c.body(null, 204);
    });
  }
  return app;
}

function shown(state: PlatformState, c: RestContext, ids: readonly string[]): readonly object[] {
  const size = readLimit(c, { usual: 1, most: maxPage });
  return ids
    .slice(0, size)
    .flatMap((id) => describeMember(state, readParam(c, "guildId"), id) ?? []);
}

/** The stand-in has no other users, so a user who is not a member is unknown. */
function wanted(state: PlatformState, c: RestContext): string {
  const id = readParam(c, "userId");
  if (!memberIds(state).includes(id)) throw rejection("unknownUser");
  return id;
}

const readNick = (name: unknown): string | null =>
  (name == null ? null : String(name).trim()) || null;

function changeOwnNick(state: PlatformState, c: RestContext): void {
  const body = bodyFields(c);
  demand(ownSettings, body);
  demandRight(state, "changeNickname");
  const place = { guildId: readParam(c, "guildId"), userId: state.guild.bot.id };
  if (body.nick !== undefined) changeMember(state, place, { nick: readNick(body.nick) });
}

function demandRight(state: PlatformState, right: Right): void {
  if (!isHeld(serverRights(state, "bot"), right)) throw rejection("missingPermissions");
}

/** Only roles below the bot's own can be given or taken, and never managed roles. */
function demandRoles(state: PlatformState, ids: readonly string[]): void {
  const roles = ids.map((id) => {
    const found = state.guild.roles.find((role) => role.id === id);
    if (found === undefined) throw rejection("unknownRole");
    return found;
  });
  demandRight(state, "manageRoles");
  const isAbove = roles.some(
    (role) => role.managed || roleIn(state, role).position >= roleHeight(state, "bot"),
  );
  if (isAbove) throw rejection("missingPermissions");
}
