import { type Backend, entriesWithin, type Namespace } from "../backend.ts";
import { answer, change, explainFailure } from "../failure.ts";
import { checkGuildId, checkRowId } from "../ids.ts";
import type { GuildRows } from "./guild-rows.ts";

/** Records by guild and id. What is stored is what was written: their shapes are proved where they are made. */
export function createGuildRows<T>(backend: Backend, namespace: Namespace): GuildRows<T> {
  const records = backend.records[namespace];
  const keyOf = (guildId: string, id: string) => `${checkGuildId(guildId)}:${checkRowId(id)}`;

  return {
    read: (guildId, id) => answer(() => records.get<T>(keyOf(guildId, id))),
    list: async (guildId, within) => {
      const prefix = within === undefined ? checkGuildId(guildId) : keyOf(guildId, within);
      return change(async () => {
        const found: T[] = [];
        for await (const [, value] of entriesWithin(backend, namespace, prefix)) {
          found.push(value as T);
        }
        return found;
      });
    },
    all: () =>
      change(async () => {
        const found: (readonly [string, T])[] = [];
        for await (const [key, value] of entriesWithin(backend, namespace)) {
          found.push([key.slice(0, key.indexOf(":")), value as T]);
        }
        return found;
      }),
    update: async (guildId, id, make) => {
      const at = { namespace, key: keyOf(guildId, id), guildId };
      let refusal: { readonly error: unknown } | undefined;
      try {
        return await backend.update(at, (stored) => {
          try {
            // The same kind of record was written there.
            return make(stored as T | undefined);
          } catch (error) {
            refusal = { error };
            throw error;
          }
        });
      } catch (error) {
        // What the caller threw is no fault of the database's.
        throw refusal === undefined ? explainFailure(error) : refusal.error;
      }
    },
    remove: async (guildId, id) => {
      const at = { namespace, key: keyOf(guildId, id), guildId };
      // Bound to the generation, as writes are: work from before an erasure must not remove what was written since.
      await change(() => backend.update(at, () => undefined));
    },
  };
}
