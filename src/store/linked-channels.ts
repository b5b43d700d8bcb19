import type { Database } from "../database/index.ts";
import type { Credential } from "./credential.ts";

interface ChannelHolder {
  readonly guildId: string;
  /** Google has refused its consent. */
  readonly isBroken: boolean;
}

const pageSize = 100;

/** The table for finding who has linked a channel. The channels themselves are sealed; this table is written with them. */
export function createLinkedChannels({ db, servers }: Database) {
  return {
    /** Must be called within the transaction that changes the credentials. */
    async replace(guildId: string, channels: readonly Credential[]): Promise<void> {
      const server_id = await servers.find(guildId);
      if (server_id === undefined) return;
      await db.deleteFrom("linked_channels").where("server_id", "=", server_id).execute();
      if (channels.length === 0) return;
      const rows = channels.map(({ channelId = "", brokenAt, ...one }) => ({
        server_id,
        channel_id: channelId,
        is_broken: brokenAt === undefined ? 0 : 1,
        title_read_at: one.channelTitle === undefined ? null : (one.titleReadAt ?? one.addedAt),
      }));
      await db.insertInto("linked_channels").values(rows).execute();
    },

    async holdersOf(channelId: string): Promise<readonly ChannelHolder[]> {
      const rows = await db
        .selectFrom("linked_channels")
        .innerJoin("servers", "servers.id", "linked_channels.server_id")
        .select(["servers.guild_id", "is_broken"])
        .where("channel_id", "=", channelId)
        .orderBy("is_broken")
        .orderBy("servers.id")
        .limit(pageSize)
        .execute();
      return rows.map((row) => ({ guildId: row.guild_id, isBroken: row.is_broken === 1 }));
    },

    /** Servers with a channel whose title was read before that time. */
    async *withTitlesFrom(readBefore: number): AsyncGenerator<string> {
      for (let after = 0; ; ) {
        const rows = await db
          .selectFrom("linked_channels")
          .innerJoin("servers", "servers.id", "linked_channels.server_id")
          .select(["servers.id", "servers.guild_id"])
          .distinct()
          .where("title_read_at", "<", readBefore)
          .where("servers.id", ">", after)
          .orderBy("servers.id")
          .limit(pageSize)
          .execute();
        for (const row of rows) yield row.guild_id;
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },
  };
}
