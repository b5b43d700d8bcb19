import { DiscordAPIError } from "@discordjs/rest";
import type { REST } from "discord.js";
import { RESTJSONErrorCodes, Routes } from "discord-api-types/v10";
import { ServiceError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/index.ts";
import { listShape, objectShape, type ShapeCheck, snowflakeShape } from "./shape.ts";
import { waitFor } from "./wait-for-discord.ts";

const goneCodes: ReadonlySet<string | number> = new Set([
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
]);

/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
const pageSize = 200;
/** Five requests a second leave most of Discord's fifty to answers. */
const requestGapMs = 200;

const pageShape: ShapeCheck = listShape(objectShape({ id: snowflakeShape }));

interface ReconcileDeps {
  readonly rest: REST;
  readonly store: Pick<Store, "database" | "eraseServer">;
  readonly log: Log;
  /** Ends the work between two requests, with its reason. */
  readonly signal: AbortSignal;
  /** A timer when absent. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Without intents no event says that a server removed the bot, so what is stored is compared with Discord's list of the bot's
 * servers. A server that is missing there is read once more, and only a plain "unknown" or "no access" erases its records.
 * Answers the ids of the servers whose records it erased.
 * @throws What Discord and the store throw; the signal's reason.
 */
export async function reconcileServers(deps: ReconcileDeps): Promise<readonly string[]> {
  const { rest, store, log } = deps;
  const { servers } = store.database;
  let page = await servers.page();
  // With nothing stored there is nothing to compare with a list of hundreds of pages.
  if (page.length === 0) return [];
  const present = await readServerIds(deps);
  const erased: string[] = [];
  for (; page.length > 0; page = await servers.page(page.at(-1))) {
    for (const guildId of page.filter((id) => !present.has(BigInt(id)))) {
      await pause(deps);
      if (!(await isGone(guildId, rest))) continue;
      try {
        await store.eraseServer(guildId);
        log.info("server removed the bot: its records are erased", { guild: guildId });
        erased.push(guildId);
      } catch (error) {
        // The next round tries again; the other servers are not affected.
        log.warn("a server's records were not erased", { guild: guildId, error });
      }
    }
  }
  return erased;
}

/** The bot's servers; as numbers they take a third of the memory. */
async function readServerIds(deps: ReconcileDeps): Promise<ReadonlySet<bigint>> {
  const ids = new Set<bigint>();
  let after = 0n;
  for (;;) {
    const query = new URLSearchParams({ limit: String(pageSize), after: String(after) });
    const page: unknown = await deps.rest.get(Routes.userGuilds(), { query, signal: deps.signal });
    const malformed = pageShape(page);
    if (malformed !== undefined) {
      throw new ServiceError(`Discord's list of servers has no ${malformed}`, {
        code: "discord_down",
      });
    }
    // They come in the order of their ids.
    for (const { id } of page as readonly { readonly id: string }[]) {
      after = BigInt(id);
      ids.add(after);
    }
    if ((page as readonly unknown[]).length < pageSize) return ids;
    await pause(deps);
  }
}

async function pause({ signal, wait = waitFor }: ReconcileDeps): Promise<void> {
  signal.throwIfAborted();
  await wait(requestGapMs, signal);
}

async function isGone(guildId: string, rest: REST): Promise<boolean> {
  try {
    await rest.get(Routes.guild(guildId));
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && goneCodes.has(error.code);
  }
}
