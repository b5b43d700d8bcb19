import type { WebSocket } from "ws";
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
  socket: WebSocket | undefined;
}

/** https://docs.discord.com/developers/events/gateway#sharding */
export function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

/** READY of a session: its shard's servers, none of them available, as without intents nothing of them follows. */
export function ready(world: World, session: Session): object {
  const [shard, count] = session.shard;
  const guilds = [...world.guildIds].filter((id) => shardOf(id, count) === shard);
  return {
    v: 10,
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

export function gatewayUrl(world: World): string {
  return `${world.origin.replace(/^http/, "ws")}/gateway`;
}
