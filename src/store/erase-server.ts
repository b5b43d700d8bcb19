import { checkGuildId, type Database } from "../database/index.ts";
import type { Credentials } from "./credentials.ts";
import type { Revocations } from "./revocations.ts";
import { isUnreadable } from "./seal.ts";

interface EraseDeps {
  readonly database: Database;
  readonly credentials: Credentials;
  readonly revocations: Revocations;
}

/** Done again after a failure, it finishes what is left. */
export async function eraseServer(deps: EraseDeps, guildId: string): Promise<void> {
  const { servers } = deps.database;
  const serverId = await servers.find(checkGuildId(guildId));
  if (serverId === undefined) return servers.removeLeftovers();
  await servers.remove({ table: "servers", serverId }, () => endConsents(deps, guildId));
}

/** Together with the links, so that no consent outlives them unseen. Whether another server has the channel is seen later. */
async function endConsents(
  { credentials, revocations }: EraseDeps,
  guildId: string,
): Promise<void> {
  const read = await credentials.channels(guildId);
  // What does not open can't be told to the service either; the record goes all the same.
  if (read.state === "failed" && !isUnreadable(read.error)) throw read.error;
  if (read.state !== "found") return;
  for (const { secret, channelId } of read.value) await revocations.add(secret, { channelId });
}
