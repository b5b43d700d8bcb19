import { Hono, type MiddlewareHandler } from "hono";
import { required, shape, snowflake } from "../check/check.ts";
import { gatewayUrl } from "../gateway-session.ts";
import { guildName, guildOf, shownRole } from "../guild.ts";
import { channelsOf, directChannelOf, permissionsOf } from "../places.ts";
import { demand, rejections } from "../rejection.ts";
import { personById, type World } from "../world.ts";
import { bodyOf, limitOf, paramOf, type RestContext, type RestEnv } from "./request.ts";

const guildPage = 200;

function applicationOf(world: World): object {
  const { bot, people } = world.cast;
  return {
    id: bot.id,
    name: "Greenroom",
    icon: null,
    description: "",
    type: null,
    flags: 0,
    flags_new: "0",
    bot,
    bot_public: true,
    bot_require_code_grant: false,
    integration_types_config: { "0": {} },
    verify_key: "00".repeat(32),
    redirect_uris: [...world.registration.redirectUris],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: people.owner.user,
    approximate_guild_count: world.guildIds.size,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    event_webhooks_url: null,
    event_webhooks_status: 1,
    event_webhooks_types: [],
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
}

/** Who the bot is, where it is, and how it connects. */
export function identityRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/gateway", (c) => c.json({ url: gatewayUrl(world) }));
  app.get("/gateway/bot", (c) =>
    c.json({ url: gatewayUrl(world), shards: 1, session_start_limit: sessionStarts }),
  );
  app.get("/applications/@me", (c) => c.json(applicationOf(world)));
  app.get("/oauth2/applications/@me", (c) => c.json(applicationOf(world)));
  app.get("/users/@me", (c) => c.json({ ...world.cast.bot, ...account }));
  app.post("/users/@me/channels", (c) => {
    const body = bodyOf(c);
    demand(shape({ recipient_id: required(snowflake) }), body);
    const name = personById(world, String(body.recipient_id));
    if (name === undefined) throw rejections.invalidRecipient();
    // One that has begun stays; whether the person takes messages shows when one is sent.
    world.openTo.add(name);
    return c.json(directChannelOf(world, name));
  });
  app.get("/users/@me/guilds", (c) => c.json(ownGuilds(world, c)));
  app.get("/guilds/:guildId", (c) => {
    const id = c.req.param("guildId");
    if (!world.guildIds.has(id)) throw rejections.unknownGuild();
    const counts = { approximate_member_count: 4, approximate_presence_count: 4 };
    const isCounted = c.req.query("with_counts") === "true";
    return c.json({ ...guildOf(world, id), ...(isCounted ? counts : {}) });
  });
  return app;
}

const sessionStarts = {
  total: 1_000,
  remaining: 999,
  reset_after: 14_400_000,
  max_concurrency: 1,
} as const;

/** What only the account itself can see. */
const account = {
  mfa_enabled: true,
  locale: "en-US",
  premium_type: 0,
  email: null,
  verified: true,
} as const;

/** The servers that the bot is in, in pages. */
function ownGuilds(world: World, c: RestContext): readonly object[] {
  const { before, after } = c.req.query();
  const ids = [...world.guildIds].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const size = limitOf(c, { usual: guildPage, most: guildPage });
  const page =
    before === undefined
      ? ids.filter((id) => BigInt(id) > BigInt(after ?? 0)).slice(0, size)
      : ids.filter((id) => BigInt(id) < BigInt(before)).slice(-size);
  return page.map((id) => ({
    id,
    name: guildName(world, id),
    icon: null,
    banner: null,
    owner: false,
    permissions: String(permissionsOf(world, "bot")),
    features: [],
  }));
}

/** Refuses servers that the bot is not in. */
export function guildAccess(world: World): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    if (!world.guildIds.has(paramOf(c, "guildId"))) throw rejections.unknownGuild();
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
