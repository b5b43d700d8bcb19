import { BotError } from "../../errors.ts";
import { type Backend, createBackend } from "../backend.ts";
import { KeyvRows } from "../rows.ts";
import { checkSettings, readSettings } from "./check.ts";
import { connectRedis, type RedisClient } from "./client.ts";
import { createRedisRows } from "./rows.ts";
import { scrubRedis } from "./scrub.ts";
import { unusable } from "./unusable.ts";

/**
 * @throws ConfigError or NetworkError `store_server` for a server that can't be used, ConfigError `store_volatile` for one that would forget.
 */
export async function openRedis(url: string, warn: (what: string) => void): Promise<Backend> {
  const client = await connectRedis(url).catch((error) => {
    throw unusable(url, error);
  });
  try {
    const settings = await readSettings(client);
    checkSettings(settings, warn);
    const rows = createRedisRows(client);
    return createBackend({
      adapter: () => new KeyvRows(rows),
      update: rows.update,
      list: rows.list,
      // Memory holds a deleted value no longer; the server's files do until it writes them anew, which is not cheap.
      wipe: async () => undefined,
      scrub: () => scrubRedis(client, settings),
      close: async () => close(client),
    });
  } catch (error) {
    close(client);
    throw error instanceof BotError ? error : unusable(url, error);
  }
}

function close(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}
