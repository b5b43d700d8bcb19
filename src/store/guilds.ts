import { type Backend, entries } from "./backend.ts";
import { change } from "./failure.ts";
import { checkGuildId } from "./ids.ts";
import type { Continuation, Guilds } from "./types.ts";

type EraseUnits = (guildId: string) => Promise<void>;

/** Which guilds have credentials, and how all that is stored about one is removed. */
export function createGuilds(backend: Backend, eraseUnits: EraseUnits): Guilds {
  return {
    all: () =>
      change(async () => {
        const ids = new Set<string>();
        for await (const [key] of entries(backend.records.credential)) {
          ids.add(guildOf(key));
        }
        return [...ids];
      }),
    erase: (guildId) => change(() => erase(backend, eraseUnits, checkGuildId(guildId)), "part"),
  };
}

/** Secrets first; done again after a failure, it finishes what is left. */
async function erase(
  { records, scrub }: Backend,
  eraseUnits: EraseUnits,
  guildId: string,
): Promise<void> {
  for await (const [key] of entries(records.credential)) {
    if (guildOf(key) === guildId) await records.credential.delete(key);
  }
  for await (const [handle, kept] of entries(records.continuation)) {
    if ((kept as Continuation).guildId === guildId) await records.continuation.delete(handle);
  }
  await eraseUnits(guildId);
  scrub();
}

function guildOf(key: string): string {
  return key.slice(0, key.indexOf(":"));
}
