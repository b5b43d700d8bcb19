import { refOf } from "../ids.ts";
import type { Judge, Verdict } from "../parts.ts";
import type { HeldComment, Watch } from "../records/index.ts";
import { within } from "../within.ts";
import { readBook } from "./book.ts";
import { openFinder } from "./judging/open-finder.ts";
import { takeRoom } from "./judging/room.ts";
import { placeOf, switchOff, tellOf } from "./judging/switch-off.ts";
import { advised } from "./judging/verdict.ts";
import type { RuleParts } from "./parts.ts";

/** Comments that were not judged by then go to people as they are. */
const judgeMs = 30_000;

/** Says of new comments what the server's rules say. */
export function createJudge(parts: RuleParts): Judge & {
  /** Lets go of what is remembered of a server. */
  forget(guildId: string): void;
} {
  const { clock, database, engine, log, records } = parts;
  const finder = openFinder(parts);

  async function judge(guildId: string, watch: Watch, items: readonly HeldComment[]) {
    const book = await readBook(parts, guildId);
    const { verdicts, off } = await within(clock, { ms: judgeMs }, async (signal) => {
      const texts = items.map(({ comment }) => comment.text);
      const read = await engine.read(guildId, texts, signal);
      // Rules of later count what was said before them.
      await noteLikenesses(guildId, items, read.likenesses);
      if (!book.rules.some(({ isOn }) => isOn)) return { verdicts: [], off: [] };
      return finder.find(guildId, watch, { items, book, read, signal });
    });
    if (verdicts.length === 0) return items.map(() => undefined);
    await switchOff(parts, { guildId, watch }, off);
    const acts = verdicts.filter((verdict) => verdict?.does === "act").length;
    const { taken, isFirstOver, day } = await takeRoom(parts, guildId, acts);
    if (isFirstOver) {
      const facts = { ...placeOf({ guildId, watch }, book), dailyCap: book.dailyCap, day };
      await tellOf(parts, { name: "rules-capped", facts });
    }
    return withinRoom(verdicts, taken);
  }

  function noteLikenesses(
    guildId: string,
    items: readonly HeldComment[],
    likenesses: readonly (string | undefined)[],
  ): Promise<void> {
    return database.transaction(async () => {
      for (const [at, item] of items.entries()) {
        const likeness = likenesses[at];
        if (likeness === undefined) continue;
        await records.comments.note(guildId, refOf(item), (stored) =>
          stored.likeness === likeness ? stored : { ...stored, likeness },
        );
      }
    });
  }

  return {
    async judge(guildId, watch, items) {
      try {
        return await judge(guildId, watch, items);
      } catch (error) {
        log.error("rules could not be asked", { guildId, watch: watch.id, error });
        return items.map(() => undefined);
      }
    },
    forget: engine.forget,
  };
}

/** What is over it is advice. */
function withinRoom(
  verdicts: readonly (Verdict | undefined)[],
  room: number,
): readonly (Verdict | undefined)[] {
  let left = room;
  return verdicts.map((verdict) => {
    if (verdict?.does !== "act") return verdict;
    left -= 1;
    return left < 0 ? advised(verdict) : verdict;
  });
}
