import type { Clock } from "../../clock.ts";
import type { ModerationRows, Watch } from "../../store/index.ts";
import type { WatchBook } from "./parts.ts";

/** Fifty presses at once ask once. */
const keptMs = 5_000;

export function createWatchBook(
  { watches }: Pick<ModerationRows, "watches">,
  { now }: Pick<Clock, "now">,
): WatchBook {
  const kept = new Map<string, { readonly at: number; readonly all: Promise<readonly Watch[]> }>();

  function read(guildId: string): Promise<readonly Watch[]> {
    const all = watches.list(guildId);
    const entry = { at: now(), all };
    kept.set(guildId, entry);
    all.catch(() => kept.get(guildId) === entry && kept.delete(guildId));
    return all;
  }

  function all(guildId: string): Promise<readonly Watch[]> {
    const last = kept.get(guildId);
    return last !== undefined && now() - last.at < keptMs ? last.all : read(guildId);
  }

  return {
    async sourceOf(guildId, watchId) {
      const of = (known: readonly Watch[]) => known.find(({ id }) => id === watchId)?.source;
      // One that nobody knows may have been made a moment ago.
      return of(await all(guildId)) ?? of(await read(guildId));
    },
    watching: async (guildId, source) =>
      (await all(guildId)).filter((watch) => watch.source === source).map(({ id }) => id),
  };
}
