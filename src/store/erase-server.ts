import { checkGuildId } from "../database/index.ts";
import { isUnreadable } from "./seal.ts";
import type { Store } from "./types.ts";

type Deps = Pick<Store, "database" | "credentials" | "revocations">;

/** Done again after a failure, it finishes what is left. */
export async function eraseServer(deps: Deps, guildId: string): Promise<void> {
  const { servers } = deps.database;
  const serverId = await servers.find(checkGuildId(guildId));
  if (serverId === undefined) return servers.removeLeftovers();
  await servers.remove({ table: "servers", serverId }, () => endConsents(deps, guildId));
}

/** Together with the links, so that no consent outlives them unseen. Whether another server has the channel is seen later. */
async function endConsents({ credentials, revocations }: Deps, guildId: string): Promise<void> {
  const read = await credentials.channels(guildId);
  // What does not open can't be told to the service either; the record goes all the same.
  if (read.state === "failed" && !isUnreadable(read.error)) throw read.error;
  if (read.state !== "found") return;
  for (const { secret, channelId } of read.value) await revocations.add(secret, { channelId });
}
