import { nonceOf } from "../../desk.ts";
import { BotError } from "../../errors.ts";
import { handleOf } from "../../store/index.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import type { Trouble, TroubleCode, WatchProgress } from "../records/index.ts";
import type { TroubleFacts } from "../types.ts";
import { isOfPlace, isWorthTelling, type Noticed, pauseOf, troubleOf } from "./trouble-of.ts";

export type Troubles = ReturnType<typeof createTroubles>;

/** Says once what keeps a watch from working, and once that it works again; the database remembers what was said. */
export function createTroubles(deps: PartOptions) {
  const { database, records, desk, tell, random, log } = deps;
  const { now } = database;
  const { watches } = records;

  /** Undefined where the watch is gone. */
  function write(
    { guildId, watch }: QueueAt,
    code: TroubleCode,
    make: (trouble: Trouble | undefined) => Trouble | undefined,
  ): Promise<WatchProgress | undefined> {
    return watches.changeProgress(guildId, watch.id, (stored) => {
      const { [code]: before, ...others } = stored.troubles;
      const after = make(before);
      return { ...stored, troubles: { ...others, ...(after && { [code]: after }) } };
    });
  }

  async function say(at: QueueAt, event: "watch-trouble" | "watch-well", facts: TroubleFacts) {
    const { guildId, watch } = at;
    const words = [watch.id, event, facts.code, String(facts.trouble.since)];
    await desk.post({
      ...{ guildId, channelId: watch.channelId, event, facts },
      ...(watch.isForum && { isForum: true }),
      ...{ nonce: nonceOf(...words), handle: handleOf(...words) },
    });
  }

  /** Answers whether it was not said before. */
  async function mark(at: QueueAt, code: TroubleCode, isTold: boolean): Promise<boolean> {
    let wasTold = true;
    await write(at, code, (trouble) => {
      wasTold = trouble?.isTold ?? true;
      return trouble && { ...trouble, isTold };
    });
    return !wasTold;
  }

  /** In a forum nothing keeps a second post away, so that it is written down before. */
  async function sayOnce(at: QueueAt, facts: TroubleFacts): Promise<void> {
    const { code } = facts;
    if (isOfPlace(code)) {
      if (await mark(at, code, true)) await tell({ name: "watch-lost", facts });
      return;
    }
    if (at.watch.isForum) await mark(at, code, true);
    try {
      await say(at, "watch-trouble", facts);
    } catch (error) {
      await mark(at, code, false);
      throw error;
    }
    if (!at.watch.isForum) await mark(at, code, true);
  }

  /** Writes it down, and says it when it is worth it. `times`: how often in a row it was met by now. Never throws. */
  async function met(at: QueueAt, { code, until }: Noticed, times: number): Promise<void> {
    const { guildId, watch } = at;
    const metAt = now();
    try {
      const stored = await write(at, code, (before) => ({
        since: before?.since ?? metAt,
        ...(until !== undefined && { until }),
        isTold: before?.isTold ?? false,
      }));
      const trouble = stored?.troubles[code];
      if (trouble === undefined || trouble.isTold) return;
      if (!isWorthTelling(code, { times, lastedMs: metAt - trouble.since })) return;
      await sayOnce(at, { guildId, watch, code, trouble });
    } catch (error) {
      log.warn("a watch's trouble was not told", { guild: guildId, watch: watch.id, code, error });
      const also = troubleOf(error);
      // Said to the server, then: the channel does not take it.
      if (also !== undefined && isOfPlace(also.code) && !isOfPlace(code)) await met(at, also, 1);
    }
  }

  return {
    met,
    /** Says that these are over. Where its channel took nothing before, that is tried so. @throws what `Desk.post` throws. */
    async over(at: QueueAt, progress: WatchProgress, codes: readonly TroubleCode[]): Promise<void> {
      const { guildId, watch } = at;
      for (const code of codes) {
        const trouble = progress.troubles[code];
        if (trouble === undefined) continue;
        const facts = { guildId, watch, code, trouble };
        if (trouble.isTold && watch.isForum) {
          await write(at, code, () => undefined);
          await say(at, "watch-well", facts).catch(async (error: unknown) => {
            await write(at, code, () => trouble);
            throw error;
          });
          continue;
        }
        if (trouble.isTold) await say(at, "watch-well", facts);
        await write(at, code, () => undefined);
      }
    },
    /** A message was not taken, and here is why: answers when to send again. @throws it where that is no trouble of the watch's. */
    async refused(at: QueueAt, error: unknown): Promise<number> {
      const { guildId, watch } = at;
      const noticed = troubleOf(error);
      if (noticed === undefined) throw error;
      const isPlace = isOfPlace(noticed.code);
      const jitter = 0.9 + random() * 0.2;
      const stored = await watches.changeProgress(guildId, watch.id, (before) => {
        const failedPosts = (before.failedPosts ?? 0) + 1;
        const pauseMs = pauseOf(isPlace ? noticed.code : "service_failing", failedPosts) * jitter;
        return { ...before, failedPosts, postAt: now() + pauseMs };
      });
      if (stored === undefined) return now();
      if (isPlace) await met(at, noticed, stored.failedPosts ?? 1);
      else {
        const level = error instanceof BotError ? "warn" : "error";
        log[level]("cards were not sent", { guild: guildId, watch: watch.id, error });
      }
      return stored.postAt ?? now();
    },
  };
}
