import { randomUUID } from "node:crypto";
import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, CredentialStore } from "../store/index.ts";
import { hashGrant } from "./grant.ts";
import type { TimedAccessToken } from "./refresh.ts";

export interface SharedTokensDeps {
  readonly database: Database;
  readonly credentials: Pick<CredentialStore, "read">;
  readonly accessTokens: AccessTokens;
  readonly now: () => number;
}

/** A linked channel and the token that this process has for it. */
export interface ChannelToken {
  readonly guildId: string;
  readonly channelId: string;
  /** The credential as it was last read. */
  credential: Credential;
  access?: TimedAccessToken | undefined;
}

interface RefreshTurn {
  /** Lets other processes refresh. Never throws. */
  readonly release?: (() => Promise<void>) | undefined;
  readonly found?: TimedAccessToken | undefined;
}

/** Longer than a refresh that succeeds at once takes; a killed process delays the others for no longer than this. */
const holdMs = 30_000;
/** After this long, another refresh does less harm than more waiting. */
const waitMs = 40_000;
const pollMs = 50;

/** Coordinates the refreshes of all processes of one bot. */
export function createSharedTokens(
  services: SharedTokensDeps,
  sleep: (ms: number) => Promise<void>,
) {
  const { database, credentials, accessTokens, now } = services;

  return { find, takeTurn, share };

  /** A token that another process has stored; undefined unless it is newer than the one at hand. */
  async function find(
    held: ChannelToken,
    refused: string | undefined,
  ): Promise<TimedAccessToken | undefined> {
    const { guildId, channelId, credential, access } = held;
    const read = await accessTokens.read(guildId, channelId);
    if (read.state !== "found") return undefined;
    const { grantHash, token, renewAt, endsAt } = read.value;
    if (grantHash !== hashGrant(credential.secret) || token === refused) return undefined;
    const isBetter = now() < renewAt || (now() < endsAt && token !== access?.token);
    return isBetter ? { token, renewAt, endsAt } : undefined;
  }

  /** Goes on without a claim if the database fails, or if the refresh of another process takes too long. */
  async function takeTurn(held: ChannelToken, refused: string | undefined): Promise<RefreshTurn> {
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

  /** Stores a token for other processes. If the store fails, they request their own. */
  async function share(
    { guildId, channelId, credential }: ChannelToken,
    access: TimedAccessToken,
  ): Promise<void> {
    const row = { ...access, grantHash: hashGrant(credential.secret) };
    await accessTokens.write(guildId, channelId, row).catch(() => undefined);
    // If the channel was unlinked meanwhile, its tokens were removed before this one was written.
    const { state } = await credentials.read(guildId, "channel", channelId);
    if (state === "absent") await accessTokens.remove(guildId, channelId).catch(() => undefined);
  }
}

/**
 * Claims the refresh of a channel's token for this process, and returns a function that releases the claim; undefined while
 * another process has it. A claim expires, because its process may die.
 */
async function claim(
  { db, servers, now }: Database,
  { guildId, channelId }: ChannelToken,
): Promise<RefreshTurn["release"]> {
  const server_id = await servers.find(guildId);
  // Nobody has the channel linked any more, which the refresh will find out.
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
    // The claim expires by itself; the database may be back by then.
    await query.execute().catch(() => undefined);
  };
}
