import { randomUUID } from "node:crypto";
import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, Credentials } from "../store/index.ts";
import { hashOf } from "./grant.ts";
import type { Access } from "./refresh.ts";

export interface SharingServices {
  readonly database: Database;
  readonly credentials: Pick<Credentials, "read">;
  readonly accessTokens: AccessTokens;
  readonly now: () => number;
}

/** A linked channel and the token that this process has for it. */
export interface ChannelToken {
  readonly guildId: string;
  readonly channelId: string;
  /** As it was read last. */
  credential: Credential;
  access?: Access | undefined;
}

interface Turn {
  /** Lets others have it. Never throws. */
  readonly release?: (() => Promise<void>) | undefined;
  readonly found?: Access | undefined;
}

/** Longer than a refresh takes that succeeds at once; a killed process holds the others up for no longer. */
const holdMs = 30_000;
/** Then another refresh harms less than further waiting. */
const waitMs = 40_000;
const pollMs = 50;

/** What the processes of one bot know of each other's refreshes. */
export function createSharing(services: SharingServices, sleep: (ms: number) => Promise<void>) {
  const { database, credentials, accessTokens, now } = services;

  return { find, takeTurn, share };

  /** Undefined unless it is better than the one held. */
  async function find(
    held: ChannelToken,
    refused: string | undefined,
  ): Promise<Access | undefined> {
    const { guildId, channelId, credential, access } = held;
    const read = await accessTokens.read(guildId, channelId);
    if (read.state !== "found") return undefined;
    const { grantHash, token, renewAt, endsAt } = read.value;
    if (grantHash !== hashOf(credential.secret) || token === refused) return undefined;
    const isBetter = now() < renewAt || (now() < endsAt && token !== access?.token);
    return isBetter ? { token, renewAt, endsAt } : undefined;
  }

  /** Without a claim where the database fails, or where another's refresh takes too long. */
  async function takeTurn(held: ChannelToken, refused: string | undefined): Promise<Turn> {
    const endAt = now() + waitMs;
    while (now() < endAt) {
      try {
        const release = await claim(database, held);
        if (release !== undefined) return { release };
      } catch {
        return {};
      }
      await sleep(pollMs);
      const found = await find(held, refused);
      if (found !== undefined) return { found };
    }
    return {};
  }

  /** Memory has it already: where the store fails, the next process asks for its own. */
  async function share(
    { guildId, channelId, credential }: ChannelToken,
    access: Access,
  ): Promise<void> {
    const row = { ...access, grantHash: hashOf(credential.secret) };
    await accessTokens.write(guildId, channelId, row).catch(() => undefined);
    // Who unlinked it meanwhile has removed its token already, and this one came afterwards.
    const { state } = await credentials.read(guildId, "channel", channelId);
    if (state === "absent") await accessTokens.remove(guildId, channelId).catch(() => undefined);
  }
}

/**
 * Says that this process refreshes the token of a channel just now, and answers what gives that back; undefined while somebody
 * else does. A claim ends by itself, because its process may have died.
 */
async function claim(
  { db, servers, now }: Database,
  { guildId, channelId }: ChannelToken,
): Promise<Turn["release"]> {
  const server_id = await servers.find(guildId);
  // Nobody has linked it any more: whoever refreshes all the same finds out.
  if (server_id === undefined) return async () => undefined;
  const held = { held_by: randomUUID(), held_until: now() + holdMs };
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("refresh_claims")
    .values({ server_id, channel_id: channelId, ...held })
    .onConflict((conflict) =>
      conflict
        .columns(["server_id", "channel_id"])
        .doUpdateSet(held)
        .where("refresh_claims.held_until", "<=", now()),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return undefined;
  return async () => {
    const mine = db.deleteFrom("refresh_claims").where("held_by", "=", held.held_by);
    const query = mine.where("server_id", "=", server_id).where("channel_id", "=", channelId);
    // It ends by itself; a database that failed here may be back by then.
    await query.execute().catch(() => undefined);
  };
}
