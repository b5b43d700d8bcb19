import type { APIOverwrite, APITextChannel } from "discord-api-types/v10";
import { Hono } from "hono";
import { allChannels, directChannelFor, serverRights } from "../channel-access.ts";
import { addChannel } from "../channel-changes.ts";
import {
  anything,
  array,
  object,
  oneOfValues,
  required,
  snowflakeId,
  string,
} from "../check/check.ts";
import type { ApplicationEndpoints } from "../endpoint/application-endpoints.ts";
import { gatewayUrl } from "../gateway-session.ts";
import { describeGuild, serverName, shownRole } from "../guild.ts";
import { isHeld } from "../permissions.ts";
import { demand, rejection } from "../rejection.ts";
import { type PlatformState, personById } from "../state.ts";
import { bodyFields, type RestContext, type RestEnv, readLimit } from "./request.ts";

const guildPage = 200;

function describeApplication(state: PlatformState): object {
  const { application } = state;
  const { bot, people } = state.guild;
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
    verify_key: application.key.publicKey,
    redirect_uris: [...state.registration.redirectUris],
    interactions_endpoint_url: application.interactionsUrl,
    role_connections_verification_url: null,
    owner: people.owner.user,
    approximate_guild_count: state.guildIds.size,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    event_webhooks_url: application.eventsUrl,
    event_webhooks_status: application.eventsStatus,
    event_webhooks_types: application.eventTypes,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
}

/** Who the bot is, where it is, and how it connects. */
export function identityRoutes(
  state: PlatformState,
  endpoints: Pick<ApplicationEndpoints, "change">,
): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/gateway", (c) => c.json({ url: gatewayUrl(state) }));
  app.get("/gateway/bot", (c) =>
    c.json({
      url: gatewayUrl(state),
      shards: state.logins.shards ?? Math.ceil(state.guildIds.size / recommendedGuilds),
      session_start_limit: {
        ...sessionStarts,
        remaining: state.logins.remaining,
        max_concurrency: state.logins.maxConcurrency,
      },
    }),
  );
  app.get("/applications/@me", (c) => c.json(describeApplication(state)));
  app.patch("/applications/@me", async (c) => {
    await endpoints.change(bodyFields(c));
    return c.json(describeApplication(state));
  });
  app.get("/oauth2/applications/@me", (c) => c.json(describeApplication(state)));
  app.get("/users/@me", (c) => c.json({ ...state.guild.bot, ...account }));
  app.post("/users/@me/channels", (c) => {
    const body = bodyFields(c);
    demand(object({ recipient_id: required(snowflakeId) }), body);
    const name = personById(state, String(body.recipient_id));
    if (name === undefined) throw rejection("invalidRecipient");
    // One that has begun stays; whether the person takes messages shows when one is sent.
    state.openDirectChannels.add(name);
    return c.json(directChannelFor(state, name));
  });
  app.get("/users/@me/guilds", (c) => c.json(ownGuilds(state, c)));
  app.get("/guilds/:guildId", (c) => {
    const id = c.req.param("guildId");
    if (!state.guildIds.has(id)) throw rejection("unknownGuild");
    const counts = { approximate_member_count: 4, approximate_presence_count: 4 };
    const isCounted = c.req.query("with_counts") === "true";
    return c.json({ ...describeGuild(state, id), ...(isCounted ? counts : {}) });
  });
  return app;
}

/** About as many servers a shard as Discord recommends. */
const recommendedGuilds = 1_000;

const sessionStarts = {
  total: 1_000,
  reset_after: 14_400_000,
} as const;

/** What only the account itself can see. */
const account = {
  mfa_enabled: true,
  locale: "en-US",
  premium_type: 0,
  email: null,
  verified: true,
} as const;

/** By their value; as numbers, 100,000 ids would take a third of a second for each page. */
function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The servers that the bot is in, in pages. */
function ownGuilds(state: PlatformState, c: RestContext): readonly object[] {
  const { before, after } = c.req.query();
  const ids = [...state.guildIds].sort(compareIds);
  const size = readLimit(c, { usual: guildPage, most: guildPage });
  const page =
    before === undefined
      ? ids.filter((id) => compareIds(id, after ?? "0") > 0).slice(0, size)
      : ids.filter((id) => compareIds(id, before) < 0).slice(-size);
  return page.map((id) => ({
    id,
    name: serverName(state, id),
    icon: null,
    banner: null,
    owner: false,
    permissions: String(serverRights(state, "bot")),
    features: [],
  }));
}

/** What is in a server, whether the bot sees it or not. */
export function guildRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();

  app.get("/:guildId/roles", (c) =>
    c.json(state.guild.roles.map((role) => shownRole(state, role, c.req.param("guildId")))),
  );

  // Simulated servers have none; threads are no channels here.
  app.get("/:guildId/channels", (c) =>
    c.json(c.req.param("guildId") === state.guild.guildId ? allChannels(state) : []),
  );

  app.post("/:guildId/channels", (c) => {
    const body = bodyFields(c);
    demand(newChannel, body);
    const rights = serverRights(state, "bot");
    const overwrites = (body.permission_overwrites ?? []) as readonly Partial<APIOverwrite>[];
    const full = overwrites.map(({ id = "", type = 0, allow = "0", deny = "0" }) => {
      return { id, type, allow: String(allow), deny: String(deny) };
    });
    const handed = full.reduce((sum, { allow, deny }) => sum | BigInt(allow) | BigInt(deny), 0n);
    // Nobody hands out or takes what they don't have themselves.
    const mayHand = (handed & ~rights) === 0n;
    if (!isHeld(rights, "manageChannels") || !mayHand) throw rejection("missingPermissions");
    // The type requires a pin time and archive settings, which a text channel does not have.
    const made = {
      type: 0,
      id: state.nextId(),
      name: String(body.name).toLowerCase().replaceAll(" ", "-"),
      guild_id: c.req.param("guildId"),
      position: allChannels(state).length,
      permission_overwrites: full,
      last_message_id: null,
      flags: 0,
      parent_id: null,
      rate_limit_per_user: 0,
      topic: null,
      nsfw: false,
    } as unknown as APITextChannel;
    addChannel(state, made);
    return c.json(made, 201);
  });

  return app;
}

/** https://docs.discord.com/developers/resources/guild#create-guild-channel */
const newChannel = object({
  name: required(string(1, 100)),
  type: oneOfValues([0]),
  permission_overwrites: array(
    object({
      id: required(snowflakeId),
      type: required(oneOfValues([0, 1])),
      // Numbers in Discord's published description, strings in what most libraries send.
      allow: anything,
      deny: anything,
    }),
    0,
    100,
  ),
});
