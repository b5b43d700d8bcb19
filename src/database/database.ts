import type { Kysely, RawBuilder } from "kysely";
import type { Dialect, Tables } from "./schema.ts";

export interface Database {
  readonly dialect: Dialect;
  /**
   * Builds and runs queries. Inside `transaction` they are part of it, whoever runs them. All throw ServiceError
   * `store_unavailable`, and `guild_erased` for a row whose server, watch or feed is gone.
   */
  readonly db: Kysely<Tables>;
  /**
   * All of the work's queries happen, or none; nobody, in this process or another, writes in between. If a transaction is
   * already under way, the work becomes part of it. The work may be called several times, and must only run queries.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a query that is run now would be part of a transaction. */
  isInTransaction(): boolean;
  /**
   * Runs work whose queries and transactions don't wait for the disk: on SQLite each such wait blocks the whole process. Only
   * for work that is simply repeated if a power cut undoes it. A transaction that is under way still waits for the disk.
   */
  withoutDiskWait<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The same for work that people's first answers wait for, and for what says that this process lives: on PostgreSQL it goes
   * before all other queries that wait for a connection, and some connections are for it alone.
   */
  urgently<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Calls back when the current transaction is committed, never when it is rolled back; at once when there is no transaction.
   */
  afterCommit(call: () => void): void;
  /** Milliseconds since the epoch, by the database's clock: the same for all processes that share it. */
  now(): number;
  /** SQL for the time `ms` after the statement is run, by the same clock: time that it waited for a connection does not count. */
  after(ms: number): RawBuilder<number>;
  /**
   * SQL for the end of a `select`: locks its rows, and leaves out those that another transaction is changing instead of waiting
   * for it. Empty on SQLite, where nobody else can be changing any.
   */
  readonly skipLocked: RawBuilder<unknown>;
  /** How long the oldest query that waits for a connection has waited, urgent ones excepted; 0 where none does, and on SQLite. */
  waitingMs(): number;
  readonly servers: Servers;
  /** For work that writes many pages: resolves when SQLite's log, if it has become long, was copied into its file. */
  settled(): Promise<void>;
  /**
   * Also removes deleted and replaced content from SQLite's log, unless somebody still reads it there; does nothing within a
   * transaction. @throws ServiceError `store_unavailable`.
   */
  wipe(): Promise<void>;
  /** Writes and removes a row. @throws ServiceError `store_unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Discord's servers as owners of records. Each has an id of its own, which becomes invalid when the server is erased. Work
 * that was begun before can therefore store nothing, in this process or another, even if the server has been set up again.
 */
export interface Servers {
  /** The server's id; undefined if nothing is stored about it. @throws ServiceError `store_unavailable`. */
  find(guildId: string): Promise<number | undefined>;
  /** The server's id for a write; it is created if there is none yet. @throws ServiceError `store_unavailable`. */
  need(guildId: string): Promise<number>;
  /**
   * Runs work whose writes for that server fail with ServiceError `guild_erased` once the server is erased. `serverId` is
   * read if it is not given.
   */
  runFor<T>(guildId: string, work: () => Promise<T>, serverId?: number): Promise<T>;
  /** The same for work that a person waits for, in a server or outside: it starts before the database has answered. */
  answerFor<T>(guildId: string | undefined, work: () => Promise<T>): Promise<T>;
  /**
   * Differs from the one before once `noteChange` was called for that server, in any process, or it was erased: what is
   * remembered under an earlier version is old. Read with the server itself when the work for it began. Always empty on SQLite,
   * where a process knows of every change. @throws ServiceError `store_unavailable`.
   */
  version(guildId: string): Promise<string>;
  /** Makes other processes read again what they remember about that server. @throws ServiceError `store_unavailable`. */
  noteChange(guildId: string): Promise<void>;
  /** Discord's ids of the servers after that one, in order, at most 1,000. */
  page(after?: string): Promise<readonly string[]>;
  /**
   * Removes a server, watch or feed first, so that a write that comes too late fails, and then all that belongs to it.
   * On SQLite that happens in slices, so that other work goes on meanwhile. `before` is part of the transaction that
   * removes it: if it answers false, nothing is removed and this answers false. Removing it again finishes what was begun.
   */
  remove(what: ServerRemoval, before?: () => Promise<unknown>): Promise<boolean>;
  /** Finishes the removals of a process that ended before it was done. */
  removeLeftovers(): Promise<void>;
}

export type ServerRemoval =
  | { readonly table: "servers"; readonly serverId: number }
  | { readonly table: "watches" | "feeds"; readonly serverId: number; readonly id: string };
