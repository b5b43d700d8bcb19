import { GatewayIntentBits as bits } from "discord-api-types/v10";
import { allChannels, botMay } from "./channel-access.ts";
import { isObject } from "./check/check.ts";
import { type GatewayConnection, gatewayOpcodes } from "./gateway-connection.ts";
import { describeGuild } from "./guild.ts";
import { describeMember, foundMembers, memberIds } from "./members.ts";
import { describeEvent, openEvents } from "./scheduled-events.ts";
import type { PlatformState } from "./state.ts";
import { activeThreads, shownThread } from "./threads.ts";

const maxReplayed = 1_000;

export interface GatewayEvent {
  readonly name: string;
  readonly data: unknown;
}

export interface PlatformGatewayOptions {
  readonly heartbeatMs: number;
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** All that a gateway knows. */
export interface GatewayRegistry extends PlatformGatewayOptions {
  readonly state: PlatformState;
  readonly sessions: Map<string, GatewaySession>;
  readonly connections: Set<GatewayConnection>;
  /** Who has identified or resumed, until the session ends. */
  readonly identified: Map<GatewayConnection, GatewaySession>;
  /** When each bucket was last used to identify. */
  readonly identifiedAt: Map<number, number>;
}

interface Packet {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

export interface GatewaySession {
  readonly intents: number;
  readonly id: string;
  readonly shard: readonly [number, number];
  readonly sent: Packet[];
  seq: number;
  connection: GatewayConnection | undefined;
}

/** https://docs.discord.com/developers/events/gateway#sharding */
function shardFor(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

export function shardGuilds(
  { guildIds }: PlatformState,
  { shard: [shard, count] }: Pick<GatewaySession, "shard">,
): readonly string[] {
  return [...guildIds].filter((id) => shardFor(id, count) === shard);
}

/** READY of a session: its shard's servers, none of them available until they follow. */
export function readyData(state: PlatformState, session: GatewaySession): object {
  const guilds = shardGuilds(state, session);
  return {
    v: session.connection?.version,
    user: { ...state.guild.bot, mfa_enabled: true, verified: true, email: null },
    guilds: guilds.map((id) => ({ id, unavailable: true })),
    session_id: session.id,
    session_type: "normal",
    resume_gateway_url: gatewayUrl(state),
    shard: session.shard,
    application: { id: state.guild.bot.id, flags: 0 },
    user_settings: {},
    relationships: [],
    private_channels: [],
    presences: [],
    guild_join_requests: [],
    geo_ordered_rtc_regions: [],
    _trace: [],
  };
}

/**
 * The GUILD_CREATE events after READY, for sessions with the intent: each server with all that the bot sees there
 * (https://docs.discord.com/developers/events/gateway-events#guild-create).
 */
export function guildEvents(state: PlatformState, session: GatewaySession): readonly object[] {
  if ((session.intents & bits.Guilds) === 0) return [];
  const ids = memberIds(state);
  const visibleIds = (session.intents & bits.GuildMembers) !== 0 ? ids : [state.guild.bot.id];
  // Read once, because there may be thousands of simulated servers, which have neither.
  const channels = allChannels(state).filter((each) => botMay(state, each.id, "view"));
  const threads = activeThreads(state).filter((each) => botMay(state, each.id, "view"));
  const events = openEvents(state).map((event) => describeEvent(state, event));
  return shardGuilds(state, session).map((id) => {
    const isReal = id === state.guild.guildId;
    return {
      ...describeGuild(state, id),
      joined_at: state.guild.people.owner.joinedAt,
      large: false,
      unavailable: false,
      member_count: ids.length,
      members: visibleIds.map((userId) => describeMember(state, id, userId)),
      channels: isReal ? channels : [],
      threads: isReal ? threads.map((thread) => shownThread(state, thread)) : [],
      voice_states: [],
      presences: [],
      stage_instances: [],
      guild_scheduled_events: isReal ? events : [],
      soundboard_sounds: [],
    };
  });
}

export function gatewayUrl(state: PlatformState): string {
  return `${state.origin.replace(/^http/, "ws")}/gateway`;
}

// https://docs.discord.com/developers/events/gateway-events#request-guild-members
const maxAsked = 100;
const maxNonceBytes = 32;

/** Answers to a request for members; none if the request is not allowed, which Discord does not answer either. */
export function memberChunks(
  state: PlatformState,
  session: GatewaySession,
  request: unknown,
): readonly object[] {
  if (!isObject(request)) return [];
  const guildId = String(request.guild_id);
  const [shard, count] = session.shard;
  if (!state.guildIds.has(guildId) || shardFor(guildId, count) !== shard) return [];
  const found = membersFor(state, session, request);
  if (found === undefined) return [];
  const { nonce } = request;
  const isShort = typeof nonce === "string" && Buffer.byteLength(nonce) <= maxNonceBytes;
  const members = found.known.map((id) => describeMember(state, guildId, id));
  // A chunk holds a thousand, which are never here.
  return [
    {
      guild_id: guildId,
      members,
      chunk_index: 0,
      chunk_count: 1,
      ...(found.unknown.length > 0 ? { not_found: found.unknown } : {}),
      ...(request.presences === true ? { presences: [] } : {}),
      ...(isShort ? { nonce } : {}),
    },
  ];
}

interface RequestedMembers {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

/** By their ids, by the beginning of a name, or all; the list of all needs the intent. */
function membersFor(
  state: PlatformState,
  { intents }: GatewaySession,
  { guild_id: guildId, user_ids: ids, query, limit }: Readonly<Record<string, unknown>>,
): RequestedMembers | undefined {
  const all = memberIds(state);
  if (ids !== undefined) {
    const userIds = [ids].flat().slice(0, maxAsked).map(String);
    const unknown = userIds.filter((id) => !all.includes(id));
    return { known: userIds.filter((id) => all.includes(id)), unknown };
  }
  if (typeof query !== "string" || typeof limit !== "number") return undefined;
  if (query !== "") {
    const known = foundMembers(state, String(guildId), query).slice(0, limit || maxAsked);
    return { known, unknown: [] };
  }
  if (limit === 0 && (intents & bits.GuildMembers) === 0) return undefined;
  return { known: limit > 0 ? all.slice(0, limit) : all, unknown: [] };
}

export function sessionsFor(
  { sessions }: GatewayRegistry,
  guildId: string,
): readonly GatewaySession[] {
  return [...sessions.values()].filter(({ shard: [shard, count] }) => {
    return shardFor(guildId, count) === shard;
  });
}

export function sendControl(connection: GatewayConnection, code: number, d: unknown): void {
  connection.send({ op: code, d, s: null, t: null });
}

export function sendEvent(
  { onEvent }: GatewayRegistry,
  session: GatewaySession,
  event: GatewayEvent,
): void {
  session.seq += 1;
  const packet = { op: gatewayOpcodes.dispatch, d: event.data, s: session.seq, t: event.name };
  session.sent.push(packet);
  if (session.sent.length > maxReplayed) session.sent.shift();
  session.connection?.send(packet);
  onEvent?.(event);
}

export function bindConnection(
  gateway: GatewayRegistry,
  session: GatewaySession,
  connection: GatewayConnection,
): void {
  session.connection = connection;
  gateway.identified.set(connection, session);
  updateOnline(gateway);
}

/** The session stays open without a connection until it is resumed. */
export function unbindConnection(gateway: GatewayRegistry, connection: GatewayConnection): void {
  const session = gateway.identified.get(connection);
  if (session?.connection === connection) session.connection = undefined;
  gateway.identified.delete(connection);
  updateOnline(gateway);
}

function updateOnline({ state, identified }: GatewayRegistry): void {
  const online = identified.size > 0;
  if (online === state.isOnline) return;
  state.isOnline = online;
  state.publish({ type: "online", online });
}
