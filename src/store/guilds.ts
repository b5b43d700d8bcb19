import { setImmediate as nextTurn } from "node:timers/promises";
import { type Backend, entries } from "./backend.ts";
import { exportGuild } from "./export-guild.ts";
import { change } from "./failure.ts";
import { guildNamespaces, guildOf, recordsOf } from "./guild-records.ts";
import { checkGuildId } from "./ids.ts";
import { isUnreadable } from "./seal.ts";
import type { Credentials, Guilds, Revocations } from "./types.ts";

export interface GuildParts {
  readonly backend: Backend;
  readonly credentials: Pick<Credentials, "read" | "channels">;
  readonly revocations: Pick<Revocations, "add">;
}

/** Which guilds have anything, and how all that is stored about one is told and removed. */
export function createGuilds(parts: GuildParts): Guilds {
  const { records } = parts.backend;
  return {
    all: () =>
      change(async () => {
        const ids = new Set<string>();
        for (const namespace of guildNamespaces) {
          for await (const [key, value] of entries(records[namespace])) {
            ids.add(guildOf[namespace](key, value));
          }
        }
        return [...ids];
      }),
    erase: (guildId) => change(() => erase(parts, checkGuildId(guildId)), "part"),
    runFor: async (guildId, work) => parts.backend.generations.runFor(checkGuildId(guildId), work),
    answerFor: async (guildId, work) =>
      parts.backend.generations.answerFor(checkGuildId(guildId), work),
    export: (guildId) => change(() => exportGuild(parts, checkGuildId(guildId))),
  };
}

/**
 * First the generation, so that nothing comes after it that was begun before; then secrets. Done again after a failure, it
 * finishes what is left.
 */
async function erase(parts: GuildParts, guildId: string): Promise<void> {
  const { backend } = parts;
  await backend.generations.end(guildId);
  await endGrants(parts, guildId);
  for (const namespace of guildNamespaces) {
    for await (const [key] of recordsOf(backend, namespace, guildId)) {
      await backend.records[namespace].delete(key);
      // Each waits for the disk, and a guild may have thousands: nobody else is to wait for all of them.
      await nextTurn();
    }
  }
  for await (const [name] of entries(backend.records.lease)) {
    if (name.split(":").includes(guildId)) await backend.records.lease.delete(name);
  }
  await backend.scrub();
}

/**
 * Written down before the links go, so that nothing that happens in between leaves a consent standing. Whether another
 * guild has the same channel is looked at when it is sent.
 */
async function endGrants({ credentials, revocations }: GuildParts, guildId: string): Promise<void> {
  const read = await credentials.channels(guildId);
  // What does not open can't be told to the service either; the record goes all the same.
  if (read.state === "failed" && !isUnreadable(read.error)) throw read.error;
  if (read.state !== "found") return;
  for (const { secret, channelId } of read.value) await revocations.add(secret, { channelId });
}
