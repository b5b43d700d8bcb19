import type { QueueItem, Watch } from "../../store/index.ts";
import type { Judge, Verdict } from "../parts.ts";
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
  const { clock, engine, log } = parts;
  const finder = openFinder(parts);

  async function judge(guildId: string, watch: Watch, items: readonly QueueItem[]) {
    const book = await readBook(parts, guildId);
    if (!book.rules.some(({ isOn }) => isOn)) return items.map(() => undefined);
    const { verdicts, off } = await within(clock, { ms: judgeMs }, (signal) =>
      finder.find(guildId, watch, { items, book, signal }),
    );
    await switchOff(parts, { guildId, watch }, off);
    const acts = verdicts.filter((verdict) => verdict?.does === "act").length;
    const { taken, isFirstOver, day } = await takeRoom(parts, guildId, acts);
    if (isFirstOver) {
      const facts = { ...placeOf({ guildId, watch }, book), dailyCap: book.dailyCap, day };
      await tellOf(parts, { name: "rules-capped", facts });
    }
    return withinRoom(verdicts, taken);
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
    forget(guildId) {
      finder.forget(guildId);
      engine.forget(guildId);
    },
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
