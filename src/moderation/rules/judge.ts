import type { QueueItem, RuleBook, Watch } from "../../store/index.ts";
import type { Judge, Verdict } from "../parts.ts";
import type { ModerationEvents } from "../types.ts";
import { readBook } from "./book.ts";
import type { Finder } from "./judging/open-finder.ts";
import { takeRoom } from "./judging/room.ts";
import { advised } from "./judging/verdict.ts";
import type { RuleParts } from "./parts.ts";

/** Says of new comments what the server's rules say. */
export function createJudge(parts: RuleParts): Judge & {
  /** Lets go of what is remembered of a server. */
  forget(guildId: string): void;
} {
  const { tell, log } = parts;
  let finder: Promise<Finder> | undefined;

  /** Most servers have no rules, and the engine and its tables take a while to load. */
  async function open(): Promise<Finder> {
    const { openFinder } = await import("./judging/open-finder.ts");
    return openFinder(parts);
  }

  async function judge(guildId: string, watch: Watch, items: readonly QueueItem[]) {
    const book = await readBook(parts, guildId);
    if (!book.rules.some(({ isOn }) => isOn)) return items.map(() => undefined);
    finder ??= open();
    const found = await (await finder).verdicts(guildId, watch, { items, book });
    const acts = found.filter((verdict) => verdict?.does === "act").length;
    const { taken, isFirstOver, day } = await takeRoom(parts, guildId, acts);
    if (isFirstOver) await tellCapped(watch, { guildId, book, day });
    return withinRoom(found, taken);
  }

  async function tellCapped(
    { channelId: watched, isForum }: Watch,
    { guildId, book, day }: Capped,
  ): Promise<void> {
    const { dailyCap, logChannelId: channelId = isForum ? undefined : watched } = book;
    const facts: ModerationEvents["rules-capped"] = {
      ...{ guildId, dailyCap, day },
      ...(channelId !== undefined && { channelId }),
    };
    try {
      await tell({ name: "rules-capped", facts });
    } catch (error) {
      log.warn("the end of a day's acts could not be told", { guildId, error });
    }
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
    forget: (guildId) =>
      void finder?.then(
        (found) => found.forget(guildId),
        () => undefined,
      ),
  };
}

interface Capped {
  readonly guildId: string;
  readonly book: RuleBook;
  readonly day: string;
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
