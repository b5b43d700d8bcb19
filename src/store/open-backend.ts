import { BotError, ConfigError } from "../errors.ts";
import type { Backend } from "./backend.ts";
import { openSqlite } from "./sqlite/open.ts";

/** The database of an address, made on first use. @throws ConfigError `store_url` or `store_file`. */
export async function openBackend(url: string, now?: () => number): Promise<Backend> {
  const path = sqlitePath(url);
  return refuseUnusable(url, async () => openSqlite({ path, ...(now && { now }) }));
}

/** Whatever fails while a store is opened is a fault of its configuration. @throws ConfigError `store_file`. */
export async function refuseUnusable<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BotError) throw error;
    const path = sqlitePath(url);
    throw new ConfigError(`the store's file ${path} can't be opened: ${reason(error)}`, {
      code: "store_file",
      hint: `Check that ${path} is a Greenroom database on a disk with space, and that this user may write it and its folder.`,
      cause: error,
    });
  }
}

function sqlitePath(url: string): string {
  const path = /^sqlite:(.+)$/.exec(url)?.[1];
  if (path !== undefined) return path;
  throw new ConfigError("the store's address is not one this version can open", {
    code: "store_url",
    hint: "Set STORE_URL to sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite.",
  });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
