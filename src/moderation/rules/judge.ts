import { withTimeout } from "../../clock.ts";
import type { Judge, PartOptions, QueueAt, Verdict } from "../parts.ts";
import { type HeldComment, type Rule, refOf, type Watch } from "../records/index.ts";
import type { ModerationEvents } from "../types.ts";
import { changeKept, readBook } from "./book.ts";
import { advised, type Found, openFinder } from "./judging/open-finder.ts";

/** Comments that were not judged by then go to people as they are. */
const judgeMs = 30_000;

/** Says of new comments what the server's rules say. */
export function createJudge(parts: PartOptions): Judge {
  const { clock, database, engine, log, records } = parts;
  const find = openFinder(parts);

  async function judge(guildId: string, watch: Watch, items: readonly HeldComment[]) {
    const book = await readBook(parts, guildId);
    const { verdicts, off } = await withTimeout(
      async (signal) => {
        const texts = items.map(({ comment }) => comment.text);
        const read = await engine.read(guildId, texts, signal);
        // Rules of later count what was said before them.
        await noteLikenesses(guildId, items, read.likenesses);
        if (!book.rules.some(({ isOn }) => isOn)) return { verdicts: [], off: [] };
        return find(guildId, watch, { items, book, read, signal });
      },
      { ms: judgeMs, clock },
    );
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

  return async (guildId, watch, items) => {
    try {
      return await judge(guildId, watch, items);
    } catch (error) {
      log.error("rules could not be asked", { guildId, watch: watch.id, error });
      return items.map(() => undefined);
    }
  };
}

/**
 * Takes as many of today's automatic acts as there still is room for. They are taken before anything is done, so that
 * several watches, here and in other processes, keep to one number. `isFirstOver`: the first time today that more was wanted
 * than there may be. @throws ServiceError `store_unavailable`
 */
async function takeRoom(parts: PartOptions, guildId: string, wanted: number) {
  const { timeZone = "UTC" } = await parts.settings(guildId);
  // Swedish writes dates as ISO 8601 does.
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(parts.clock.now());
  let room = { taken: 0, isFirstOver: false, day };
  if (wanted === 0) return room;
  await changeKept(parts, guildId, (book) => {
    const today = book.acted?.day === day ? book.acted : { day, count: 0 };
    const taken = Math.max(0, Math.min(wanted, book.dailyCap - today.count));
    const isOver = taken < wanted;
    room = { taken, isFirstOver: isOver && today.isOver !== true, day };
    const count = today.count + taken;
    return { ...book, acted: { ...today, count, ...(isOver && { isOver }) } };
  });
  return room;
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

/**
 * Switches off what costs too much, and says so; what somebody has changed since then stays.
 * @throws ServiceError `store_unavailable`
 */
async function switchOff(parts: PartOptions, at: QueueAt, off: Found["off"]): Promise<void> {
  for (const { rule, why } of off) {
    let isOff = false;
    const book = await changeKept(parts, at.guildId, (stored) => {
      isOff = stored.rules.some((one) => isSame(one, rule));
      const switched = { isOn: false, off: { why, at: parts.clock.now() } };
      const rules = stored.rules.map((one) => (isSame(one, rule) ? { ...one, ...switched } : one));
      return isOff ? { ...stored, rules } : stored;
    });
    if (book === undefined || !isOff) continue;
    const { id, name } = rule;
    const facts = { ...placeOf(at, book), rule: { id, name }, why };
    await tellOf(parts, { name: "rule-switched-off", facts });
  }
}

function isSame(one: Rule, { id, test }: Rule): boolean {
  return one.id === id && one.isOn && JSON.stringify(one.test) === JSON.stringify(test);
}

/** The log channel, or the watch's; none where that is a forum. */
function placeOf(
  { guildId, watch }: QueueAt,
  { logChannelId }: { readonly logChannelId?: string },
): Pick<ModerationEvents["rules-capped"], "guildId" | "channelId"> {
  const channelId = logChannelId ?? (watch.isForum ? undefined : watch.channelId);
  return { guildId, ...(channelId !== undefined && { channelId }) };
}

/** Never throws: what can't be told holds up nobody. */
async function tellOf<K extends "rules-capped" | "rule-switched-off">(
  { tell, log }: PartOptions,
  event: { readonly name: K; readonly facts: ModerationEvents[K] },
): Promise<void> {
  try {
    await tell(event);
  } catch (error) {
    log.warn("what became of rules could not be told", { ...event, error });
  }
}
