import { nonceOf } from "../../desk.ts";
import {
  handleOf,
  type Trouble,
  type TroubleCode,
  type Watch,
  type WatchProgress,
} from "../../store/index.ts";
import type { PartOptions } from "../parts.ts";
import { blankProgress } from "../progress.ts";
import type { TroubleFacts } from "../types.ts";
import { isOfPlace, isWorthTelling, type Noticed, troubleOf } from "./trouble-of.ts";

export type TroubleParts = Pick<PartOptions, "store" | "desk" | "tell" | "clock" | "log">;

interface At {
  readonly guildId: string;
  readonly watch: Watch;
}

/** Says once what keeps a watch from working, and once that it works again; the store remembers what was said. */
export interface Troubles {
  /** Writes it down, and says it when it is worth it. `times`: how often in a row it was met by now. Never throws. */
  met(at: At, noticed: Noticed, times: number): Promise<void>;
  /** Says that these are over. Where its channel took nothing before, that is tried so. @throws what `Desk.post` throws. */
  over(at: At, progress: WatchProgress, codes: readonly TroubleCode[]): Promise<void>;
}

export function createTroubles({ store, desk, tell, clock, log }: TroubleParts): Troubles {
  const { progress: rows } = store.moderation;

  function write(
    { guildId, watch }: At,
    code: TroubleCode,
    make: (trouble: Trouble | undefined) => Trouble | undefined,
  ): Promise<WatchProgress> {
    return rows.update(guildId, watch.id, (stored = blankProgress) => {
      const { [code]: before, ...others } = stored.troubles;
      const after = make(before);
      return { ...stored, troubles: { ...others, ...(after && { [code]: after }) } };
    });
  }

  async function say(at: At, event: "watch-trouble" | "watch-well", facts: TroubleFacts) {
    const { guildId, watch } = at;
    const words = [watch.id, event, facts.code, String(facts.trouble.since)];
    await desk.post({
      ...{ guildId, channelId: watch.channelId, event, facts },
      ...(watch.isForum && { isForum: true }),
      ...{ nonce: nonceOf(...words), handle: handleOf(...words) },
    });
  }

  /** In a forum nothing keeps a second post away, so that it is written down before. */
  async function sayOnce(at: At, facts: TroubleFacts): Promise<void> {
    const { code } = facts;
    const mark = (isTold: boolean) =>
      write(at, code, (trouble) => trouble && { ...trouble, isTold });
    if (isOfPlace(code)) {
      await mark(true);
      await tell({ name: "watch-lost", facts });
      return;
    }
    if (at.watch.isForum) await mark(true);
    try {
      await say(at, "watch-trouble", facts);
    } catch (error) {
      await mark(false);
      throw error;
    }
    if (!at.watch.isForum) await mark(true);
  }

  return {
    async met(at, { code, until }, times) {
      const { guildId, watch } = at;
      const now = clock.now();
      try {
        const { troubles } = await write(at, code, (before) => ({
          since: before?.since ?? now,
          ...(until !== undefined && { until }),
          isTold: before?.isTold ?? false,
        }));
        const trouble = troubles[code];
        if (trouble === undefined || trouble.isTold) return;
        if (!isWorthTelling(code, { times, lastedMs: now - trouble.since })) return;
        await sayOnce(at, { guildId, watch, code, trouble });
      } catch (error) {
        log.warn("a watch's trouble was not told", {
          guild: guildId,
          watch: watch.id,
          code,
          error,
        });
        const also = troubleOf(error);
        // Said to the server, then: the channel does not take it.
        if (also !== undefined && isOfPlace(also.code) && !isOfPlace(code)) {
          await this.met(at, also, 1);
        }
      }
    },
    async over(at, progress, codes) {
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
  };
}
