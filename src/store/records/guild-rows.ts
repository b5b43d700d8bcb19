import type { Read } from "../types.ts";

/**
 * Records of one kind that belong to guilds. Ids are made of letters, digits, `_` and `-`, at most 64 of them, and of
 * two such joined by a colon where a record belongs to another one.
 */
export interface GuildRows<T> {
  read(guildId: string, id: string): Promise<Read<T>>;
  /**
   * All of a guild, or those whose ids begin with `within` and a colon, in no order.
   * @throws ServiceError `store_unavailable`.
   */
  list(guildId: string, within?: string): Promise<readonly T[]>;
  /** Of every guild, with the guild's id. @throws ServiceError `store_unavailable`. */
  all(): Promise<readonly (readonly [guildId: string, value: T])[]>;
  /**
   * Replaces a record by what is made of it, `undefined` where there is none, and answers that; nobody, in this process
   * or another, comes between. To make `undefined` removes it. `make` may be called several times; what it throws leaves
   * the record as it is. @throws ServiceError `store_unavailable`; what `make` throws.
   */
  update<U extends T | undefined>(
    guildId: string,
    id: string,
    make: (stored: T | undefined) => U,
  ): Promise<U>;
  /** @throws ServiceError `store_unavailable`; `guild_erased` in work that began before the server was erased. */
  remove(guildId: string, id: string): Promise<void>;
}
