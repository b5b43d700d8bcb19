import { DiscordAPIError, type REST, RESTJSONErrorCodes, Routes } from "discord.js";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/index.ts";

const goneCodes: ReadonlySet<string | number> = new Set([
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
]);

interface ReconcileDeps {
  readonly rest: REST;
  readonly store: Pick<Store, "database" | "eraseServer">;
  readonly log: Log;
  /** The guild ids of this process's connections, including unavailable ones. */
  readonly present: ReadonlySet<string>;
  /** Whether a guild belongs to this process's shards. */
  readonly isOurs: (guildId: string) => boolean;
}

/**
 * Without intents no event says that a server removed the bot, so what is stored is compared with the guild list. A guild
 * that is missing there is read once more, and only a plain "unknown" or "no access" erases its records.
 */
export async function reconcileGuilds(deps: ReconcileDeps): Promise<readonly string[]> {
  const { servers } = deps.store.database;
  const erased: string[] = [];
  for (let page = await servers.page(); page.length > 0; page = await servers.page(page.at(-1))) {
    const missing = page.filter((id) => deps.isOurs(id) && !deps.present.has(id));
    for (const guildId of missing) {
      if (!(await isGone(guildId, deps.rest))) continue;
      if (await erase(guildId, deps)) erased.push(guildId);
    }
  }
  return erased;
}

/** After a failure the next round tries again; the other servers are not affected. */
async function erase(guildId: string, { store, log }: ReconcileDeps): Promise<boolean> {
  try {
    await store.eraseServer(guildId);
    log.info("server removed the bot: its records are erased", { guild: guildId });
    return true;
  } catch (error) {
    log.warn("a server's records were not erased", { guild: guildId, error });
    return false;
  }
}

async function isGone(guildId: string, rest: REST): Promise<boolean> {
  try {
    await rest.get(Routes.guild(guildId));
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && goneCodes.has(error.code);
  }
}
