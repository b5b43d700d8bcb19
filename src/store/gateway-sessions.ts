import { randomUUID } from "node:crypto";
import { type Database, sql } from "../database/index.ts";

/** Where a connection to Discord's gateway stands: what another connection needs to go on with it. */
export interface SavedGatewaySession {
  readonly shardId: number;
  readonly shardCount: number;
  readonly sessionId: string;
  readonly resumeUrl: string;
  readonly sequence: number;
}

export type GatewaySessions = ReturnType<typeof createGatewaySessions>;

/** Answers 0 if this process may identify now, otherwise after how many milliseconds it may ask again. */
export type IdentifyTurn = (bucket: number) => Promise<number>;

/** Discord says of no session how long it keeps it; after some minutes most are gone. */
const keptMs = 5 * 60_000;

/**
 * Where the connections of all processes stand. `processId` is another one once this process was taken for dead. All throw
 * ServiceError `store_unavailable`.
 */
export function createGatewaySessions(database: Database, processId: () => string) {
  /** What it held under an earlier id, and nobody has taken since, is still its own. */
  const ids = new Set<string>();
  const me = () => {
    ids.add(processId());
    return processId();
  };
  const put = async (
    sessions: readonly SavedGatewaySession[],
    begun: ReadonlySet<number>,
    heldBy: string | null,
  ) => {
    if (sessions.length === 0) return;
    me();
    const isBegun =
      begun.size === 0 ? sql`` : sql`or gateway_sessions.shard_id in (${sql.join([...begun])})`;
    const rows = sessions.map(({ shardCount, shardId, sessionId, resumeUrl, sequence }) => {
      const values = [shardCount, shardId, sessionId, resumeUrl, sequence, heldBy, database.now()];
      return sql`(${sql.join(values)})`;
    });
    const statement = sql`
      insert into gateway_sessions
        (shard_count, shard_id, session_id, resume_url, sequence, held_by, saved_at)
      values ${sql.join(rows)}
      on conflict (shard_count, shard_id) do update set session_id = excluded.session_id,
        resume_url = excluded.resume_url, sequence = excluded.sequence,
        held_by = excluded.held_by, saved_at = excluded.saved_at
      where gateway_sessions.held_by in (${sql.join([...ids])}) ${isBegun}`;
    await database.withoutDiskWait(() => statement.execute(database.db));
  };
  return {
    /** Sessions of these shards that no living process has; from now on this one has them. */
    async take(
      shardCount: number,
      shardIds: readonly number[],
    ): Promise<readonly SavedGatewaySession[]> {
      // A living process holds its own job; once it is dead, another one runs that. With SQLite there is no other process.
      const isHeld =
        database.dialect === "sqlite"
          ? sql`(1 = 0)`
          : sql`exists (select 1 from jobs where queue = 'processes' and key = gateway_sessions.held_by
              and locked_by = key and locked_until >= ${database.after(0)})`;
      const { rows } = await sql<SavedGatewaySession>`
        update gateway_sessions set held_by = ${me()}
        where shard_count = ${shardCount} and shard_id in (${sql.join(shardIds)})
          and saved_at >= ${database.now() - keptMs} and (held_by is null or not ${isHeld})
        returning shard_id as "shardId", shard_count as "shardCount", session_id as "sessionId",
          resume_url as "resumeUrl", sequence`.execute(database.db);
      return rows;
    },
    /** Saves how far sessions are. What another process has saved since is kept, except about the shards that `begun` lists. */
    save: (sessions: readonly SavedGatewaySession[], begun: ReadonlySet<number>): Promise<void> =>
      put(sessions, begun, me()),
    /** Saves them for the last time: any process may take them. */
    release: (
      sessions: readonly SavedGatewaySession[],
      begun: ReadonlySet<number>,
    ): Promise<void> => put(sessions, begun, null),
  };
}

/** Discord allows one identify in five seconds and bucket; the rest is for the way there. */
const identifyMs = 5_250;

/** Turns to identify that all processes take from the same row, by the database's clock. */
export function createIdentifyTurn(database: Database): IdentifyTurn {
  return async (bucket) => {
    const at = database.now();
    const turn = randomUUID();
    const isFree = sql`rates.expires_at <= ${at}`;
    const take = sql<{ data: string; expires_at: number }>`
      insert into rates (key, data, expires_at)
      values (${`identify:${bucket}`}, ${turn}, ${at + identifyMs})
      on conflict (key) do update set
        data = case when ${isFree} then excluded.data else rates.data end,
        expires_at = case when ${isFree} then excluded.expires_at else rates.expires_at end
      returning data, expires_at`;
    const { rows } = await database.withoutDiskWait(() => take.execute(database.db));
    const [row] = rows;
    return row === undefined || row.data === turn ? 0 : Math.max(1, row.expires_at - at);
  };
}
