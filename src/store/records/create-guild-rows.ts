import { type Backend, entriesWithin, type Namespace } from "../backend.ts";
import { answer, change } from "../failure.ts";
import { checkGuildId, checkRowId } from "../ids.ts";
import type { GuildRows } from "./guild-rows.ts";

/** Records by guild and id. What is stored is what was written: their shapes are proved where they are made. */
export function createGuildRows<T>(backend: Backend, namespace: Namespace): GuildRows<T> {
  const records = backend.records[namespace];
  const keyOf = (guildId: string, id: string) => `${checkGuildId(guildId)}:${checkRowId(id)}`;

  return {
    read: (guildId, id) => answer(() => records.get<T>(keyOf(guildId, id))),
    list: (guildId, within) =>
      change(async () => {
        const prefix = within === undefined ? checkGuildId(guildId) : keyOf(guildId, within);
        const found: T[] = [];
        for await (const [, value] of entriesWithin(backend, namespace, prefix)) {
          found.push(value as T);
        }
        return found;
      }),
    all: () =>
      change(async () => {
        const found: (readonly [string, T])[] = [];
        for await (const [key, value] of entriesWithin(backend, namespace)) {
          found.push([key.slice(0, key.indexOf(":")), value as T]);
        }
        return found;
      }),
    update: (guildId, id, make) =>
      change(async () =>
        backend.update({ namespace, key: keyOf(guildId, id) }, (stored) =>
          // The same kind of record was written there.
          make(stored as T | undefined),
        ),
      ),
    remove: (guildId, id) => change(async () => void (await records.delete(keyOf(guildId, id)))),
  };
}
