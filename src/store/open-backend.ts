import { BotError, ConfigError } from "../errors.ts";
import type { Backend } from "./backend.ts";
import { openSqlite } from "./sqlite/open.ts";

export interface OpenBackendOptions {
  readonly now?: () => number;
  /** Told what is doubtful about a database server, in words for the log. */
  readonly onWarning?: (what: string) => void;
}

/**
 * The database of an address; its file or table is made on first use.
 * @throws ConfigError `store_url`, `store_file`, `store_server` or `store_volatile`; NetworkError `store_server`.
 */
export async function openBackend(
  url: string,
  { now, onWarning = () => {} }: OpenBackendOptions = {},
): Promise<Backend> {
  // Their clients are loaded only where they are used: a start with SQLite would notice.
  if (isRedis(url)) {
    const { openRedis } = await import("./redis/open.ts");
    return openRedis(url, onWarning);
  }
  if (isPostgres(url)) {
    const { openPostgres } = await import("./postgres/open.ts");
    return openPostgres({ url, warn: onWarning, ...(now && { now }) });
  }
  const path = sqlitePath(url);
  return refuseUnusable(url, async () => openSqlite({ path, ...(now && { now }) }));
}

/** Whatever fails while a store is opened is a fault of its configuration, or a server that is not there. */
export async function refuseUnusable<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BotError) throw error;
    throw await unusable(url, error);
  }
}

async function unusable(url: string, error: unknown): Promise<BotError> {
  if (isRedis(url)) return (await import("./redis/unusable.ts")).unusable(url, error);
  if (isPostgres(url)) return (await import("./postgres/unusable.ts")).unusable(url, error);
  return fileUnusable(sqlitePath(url), error);
}

function isRedis(url: string): boolean {
  return /^rediss?:\/\/./.test(url) && URL.canParse(url);
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url) && URL.canParse(url);
}

function sqlitePath(url: string): string {
  const path = /^sqlite:(.+)$/.exec(url)?.[1];
  if (path !== undefined) return path;
  throw new ConfigError("the store's address is not one this version can open", {
    code: "store_url",
    hint: "Set STORE_URL to sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite, or to an address that starts with redis://, rediss:// or postgres://.",
  });
}

function fileUnusable(path: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`the store's file ${path} can't be opened: ${reason}`, {
    code: "store_file",
    hint: `Check that ${path} is a Greenroom database on a disk with space, and that this user may write it and its folder.`,
    cause,
  });
}
