import { GatewayIntentBits as bits } from "discord-api-types/v10";
import { isFields } from "./check/check.ts";
import { type Session, shardOf } from "./gateway-session.ts";
import { foundMembers, memberIds, memberOf } from "./members.ts";
import type { World } from "./world.ts";

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
