import { GatewayIntentBits } from "discord-api-types/v10";
import type { GatewayConnection } from "./gateway-connection.ts";
import { guildOf } from "./guild.ts";
import { memberIds, memberOf } from "./members.ts";
import { botMay, channelsOf } from "./places.ts";
import { activeThreads, shownThread } from "./threads.ts";
import type { World } from "./world.ts";

export interface Packet {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

export interface Session {
  readonly intents: number;
  readonly id: string;
  readonly shard: readonly [number, number];
  readonly sent: Packet[];
  seq: number;
  connection: GatewayConnection | undefined;
}

/** https://docs.discord.com/developers/events/gateway#sharding */
export function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

function guildsOf({ guildIds }: World, { shard: [shard, count] }: Session): readonly string[] {
  return [...guildIds].filter((id) => shardOf(id, count) === shard);
}

/** READY of a session: its shard's servers, none of them available until they follow. */
export function ready(world: World, session: Session): object {
  const guilds = guildsOf(world, session);
  return {
    v: session.connection?.version,
    user: { ...world.cast.bot, mfa_enabled: true, verified: true, email: null },
    guilds: guilds.map((id) => ({ id, unavailable: true })),
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: gatewayUrl(world),
    shard: session.shard,
    application: { id: world.cast.bot.id, flags: 0 },
    user_settings: {},
    relationships: [],
    private_channels: [],
    presences: [],
    guild_join_requests: [],
    geo_ordered_rtc_regions: [],
    _trace: [],
  };
}

/** What follows READY for whoever asked to hear of servers: each of them, with all that the bot sees there. */
export function guildEvents(world: World, session: Session): readonly object[] {
  if ((session.intents & GatewayIntentBits.Guilds) === 0) return [];
  return guildsOf(world, session).map((id) => guildEvent(world, id, session.intents));
}

/** https://docs.discord.com/developers/events/gateway-events#guild-create */
function guildEvent(world: World, id: string, intents: number): object {
  const isReal = id === world.cast.guildId;
  const ids = memberIds(world);
  const isTold = (intents & GatewayIntentBits.GuildMembers) !== 0;
  const told = isTold ? ids : [world.cast.bot.id];
  return {
    ...guildOf(world, id),
    joined_at: world.cast.people.owner.joinedAt,
    large: false,
    unavailable: false,
    member_count: ids.length,
    members: told.map((userId) => memberOf(world, id, userId)),
    channels: isReal ? channelsOf(world).filter((each) => botMay(world, each.id, "view")) : [],
    threads: isReal
      ? activeThreads(world)
          .filter((each) => botMay(world, each.id, "view"))
          .map((thread) => shownThread(world, thread))
      : [],
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function gatewayUrl(world: World): string {
  return `${world.origin.replace(/^http/, "ws")}/gateway`;
}
