import { randomUUID } from "node:crypto";
import type { Database } from "../database/index.ts";

/** Which process refreshes the token of a channel just now; a claim ends by itself, because its process may have died. */
export interface RefreshClaims {
  /**
   * Answers what gives it back, undefined while somebody else has it. @throws ServiceError `store_unavailable`;
   * `guild_erased`.
   */
  take(guildId: string, channelId: string, holdMs: number): Promise<Release | undefined>;
}

/** Never throws. */
type Release = () => Promise<void>;

export function createRefreshClaims({ db, servers, now }: Database): RefreshClaims {
  return {
    async take(guildId, channelId, holdMs) {
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
    },
  };
}
