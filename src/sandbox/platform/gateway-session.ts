import { GatewayIntentBits as bits, GatewayIntentBits } from "discord-api-types/v10";
import { isFields } from "./check/check.ts";
import { type GatewayConnection, op } from "./gateway-connection.ts";
import { guildOf } from "./guild.ts";
import { foundMembers, memberIds, memberOf } from "./members.ts";
import { botMay, channelsOf } from "./places.ts";
import { activeThreads, shownThread } from "./threads.ts";
import type { World } from "./world.ts";

const maxReplayed = 1_000;

export interface GatewayEvent {
  readonly name: string;
  readonly data: unknown;
}

export interface GatewayOptions {
  readonly heartbeatMs: number;
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** All that a gateway knows. */
export interface GatewayState extends GatewayOptions {
  readonly world: World;
  readonly sessions: Map<string, Session>;
  readonly connections: Set<GatewayConnection>;
  /** Who has identified or resumed, until the session ends. */
  readonly identified: Map<GatewayConnection, Session>;
}

interface Packet {
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
function shardOf(guildId: string, count: number): number {
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

// https://docs.discord.com/developers/events/gateway-events#request-guild-members
const maxAsked = 100;
const maxNonceBytes = 32;

/** Answers to a request for members; none for what may not be asked, as the platform leaves it unanswered. */
export function memberChunks(world: World, session: Session, asked: unknown): readonly object[] {
  if (!isFields(asked)) return [];
  const guildId = String(asked.guild_id);
  const [shard, count] = session.shard;
  if (!world.guildIds.has(guildId) || shardOf(guildId, count) !== shard) return [];
  const found = membersFor(world, session, asked);
  if (found === undefined) return [];
  const { nonce } = asked;
  const isShort = typeof nonce === "string" && Buffer.byteLength(nonce) <= maxNonceBytes;
  const members = found.known.map((id) => memberOf(world, guildId, id));
  // A chunk holds a thousand, which are never here.
  return [
    {
      guild_id: guildId,
      members,
      chunk_index: 0,
      chunk_count: 1,
      ...(found.unknown.length > 0 ? { not_found: found.unknown } : {}),
      ...(asked.presences === true ? { presences: [] } : {}),
      ...(isShort ? { nonce } : {}),
    },
  ];
}

interface Found {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

/** By their ids, by the beginning of a name, or all; the list of all needs the intent. */
function membersFor(
  world: World,
  { intents }: Session,
  { guild_id: guildId, user_ids: ids, query, limit }: Readonly<Record<string, unknown>>,
): Found | undefined {
  const all = memberIds(world);
  if (ids !== undefined) {
    const asked = [ids].flat().slice(0, maxAsked).map(String);
    const isKnown = (id: string) => all.includes(id);
    return { known: asked.filter(isKnown), unknown: asked.filter((id) => !isKnown(id)) };
  }
  if (typeof query !== "string" || typeof limit !== "number") return undefined;
  if (query !== "") {
    const known = foundMembers(world, String(guildId), query).slice(0, limit || maxAsked);
    return { known, unknown: [] };
  }
  if (limit === 0 && (intents & bits.GuildMembers) === 0) return undefined;
  return { known: limit > 0 ? all.slice(0, limit) : all, unknown: [] };
}

export function sessionsOf({ sessions }: GatewayState, guildId: string): readonly Session[] {
  return [...sessions.values()].filter(({ shard: [shard, count] }) => {
    return shardOf(guildId, count) === shard;
  });
}

export function control(connection: GatewayConnection, code: number, d: unknown): void {
  connection.send({ op: code, d, s: null, t: null });
}

export function emit({ onEvent }: GatewayState, session: Session, event: GatewayEvent): void {
  session.seq += 1;
  const packet = { op: op.dispatch, d: event.data, s: session.seq, t: event.name };
  session.sent.push(packet);
  if (session.sent.length > maxReplayed) session.sent.shift();
  session.connection?.send(packet);
  onEvent?.(event);
}

export function bind(state: GatewayState, session: Session, connection: GatewayConnection): void {
  session.connection = connection;
  state.identified.set(connection, session);
  updateOnline(state);
}

/** The session goes on without the connection, until somebody resumes it. */
export function unbind(state: GatewayState, connection: GatewayConnection): void {
  const session = state.identified.get(connection);
  if (session?.connection === connection) session.connection = undefined;
  state.identified.delete(connection);
  updateOnline(state);
}

function updateOnline({ world, identified }: GatewayState): void {
  const online = identified.size > 0;
  if (online === world.isOnline) return;
  world.isOnline = online;
  world.publish({ type: "online", online });
}
