import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import { KeyvPostgres } from "@keyv/postgres";
import { answerMs } from "../deadline.ts";

export const table = "greenroom_entries";

export interface Postgres {
  /** One statement, or several without values; answers the rows. @throws what the server or the driver says. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** The same for a statement that may take minutes. */
  queryLong(sql: string): Promise<void>;
  close(): Promise<void>;
}

interface Pool extends EventEmitter {
  end(): Promise<void>;
}

const longMs = 300_000;

/**
 * The adapter keeps its pool to itself, shares it between adapters of one address, and does not hear its `error` events, each
 * of which would end the process. So each opening has an address of its own, and the pool is met in its log function.
 */
export function openPool(url: string): Postgres {
  let pool: Pool | undefined;
  let isClosed = false;
  const store = new KeyvPostgres({
    uri: withName(url, `greenroom-${randomBytes(6).toString("hex")}`),
    table,
    connectionTimeoutMillis: answerMs - 1000,
    query_timeout: answerMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    max: 8,
    log(this: Pool) {
      if (pool !== undefined) return;
      pool = this;
      // An idle connection was lost; the next call opens another.
      pool.on("error", () => undefined);
    },
  });
  // What its own first statement met, the caller's next one meets too.
  store.on("error", () => undefined);
  const ask = (sql: unknown, values?: readonly unknown[]) => {
    if (isClosed) throw new Error("the store is closed");
    return store.query(sql as string, values);
  };
  return {
    query: async (sql, values) => ask(sql, values),
    queryLong: async (text) => void (await ask({ text, query_timeout: longMs })),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await pool?.end();
    },
  };
}

/** Also what the server's list of connections shows. */
function withName(url: string, name: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}fallback_application_name=${name}`;
}
