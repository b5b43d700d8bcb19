import { type Backend, entries } from "./backend.ts";
import { change } from "./failure.ts";
import { checkGuildId } from "./ids.ts";
import type { Continuation, Guilds } from "./types.ts";

type Erase = (guildId: string) => Promise<void>;

/** Which guilds have anything, and how all that is stored about one is removed; `others` erase what has locks. */
export function createGuilds(backend: Backend, others: readonly Erase[]): Guilds {
  return {
    all: () =>
      change(async () => {
        const ids = new Set<string>();
        const { credential, settings } = backend.records;
        for await (const [key] of entries(credential)) ids.add(guildOf(key));
        for await (const [guildId] of entries(settings)) ids.add(guildId);
        return [...ids];
      }),
    erase: (guildId) => change(() => erase(backend, others, checkGuildId(guildId)), "part"),
  };
}

/** Secrets first; done again after a failure, it finishes what is left. */
async function erase(
  { records, scrub }: Backend,
  others: readonly Erase[],
  guildId: string,
): Promise<void> {
  for await (const [key] of entries(records.credential)) {
    if (guildOf(key) === guildId) await records.credential.delete(key);
  }
  for await (const [handle, kept] of entries(records.continuation)) {
    if ((kept as Continuation).guildId === guildId) await records.continuation.delete(handle);
  }
  for await (const [key] of entries(records.token)) {
    if (guildOf(key) === guildId) await records.token.delete(key);
  }
  for await (const [key, kept] of entries(records.ticket)) {
    if ((kept as { guildId: string }).guildId === guildId) await records.ticket.delete(key);
  }
  for (const eraseOther of others) await eraseOther(guildId);
  await scrub();
}

function guildOf(key: string): string {
  return key.slice(0, key.indexOf(":"));
}
