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
  return {
    /** Writes it down, and says it when it is worth it. `times`: how often in a row it was met by now. Never throws. */
    met: (at: QueueAt, noticed: Noticed, times: number) => met(deps, at, { ...noticed, times }),
    /** Says that these are over. Where its channel took nothing before, that is tried so. @throws what `Desk.post` throws. */
    async over(at: QueueAt, progress: WatchProgress, codes: readonly TroubleCode[]): Promise<void> {
      for (const code of codes) {
        const trouble = progress.troubles[code];
        if (trouble !== undefined) await endTrouble(deps, at, { code, trouble });
      }
    },
    /** A message was not taken, and here is why: answers when to send again. @throws it where that is no trouble of the watch's. */
    refused: (at: QueueAt, error: unknown) => refused(deps, at, error),
  };
}

/** Undefined where the watch is gone. */
function write(
  { records }: PartOptions,
  { guildId, watch }: QueueAt,
  {
    code,
    make,
  }: {
    readonly code: TroubleCode;
    readonly make: (trouble: Trouble | undefined) => Trouble | undefined;
  },
): Promise<WatchProgress | undefined> {
  return records.watches.changeProgress(guildId, watch.id, (stored) => {
    const { [code]: before, ...others } = stored.troubles;
    const after = make(before);
    return { ...stored, troubles: { ...others, ...(after && { [code]: after }) } };
  });
}

interface TroubleMet extends Noticed {
  readonly times: number;
}

async function met(
  deps: PartOptions,
  at: QueueAt,
  { code, until, times }: TroubleMet,
): Promise<void> {
  const { guildId, watch } = at;
  const metAt = deps.database.now();
  const make = (before: Trouble | undefined): Trouble => ({
    since: before?.since ?? metAt,
    ...(until !== undefined && { until }),
    isTold: before?.isTold ?? false,
  });
  try {
    const trouble = (await write(deps, at, { code, make }))?.troubles[code];
    if (trouble === undefined || trouble.isTold) return;
    if (!isWorthTelling(code, { times, lastedMs: metAt - trouble.since })) return;
    await sayOnce(deps, at, { guildId, watch, code, trouble });
  } catch (error) {
    const about = { guild: guildId, watch: watch.id, code };
    deps.log.warn("a watch's trouble was not told", { ...about, error });
    const also = troubleOf(error);
    // Said to the server, then: the channel does not take it.
    if (also !== undefined && isOfPlace(also.code) && !isOfPlace(code)) {
      await met(deps, at, { ...also, times: 1 });
    }
  }
}

/** In a forum nothing keeps a second post away, so that it is written down before. */
async function sayOnce(deps: PartOptions, at: QueueAt, facts: TroubleFacts): Promise<void> {
  const { code } = facts;
  if (isOfPlace(code)) {
    const isNew = await mark(deps, at, { code, isTold: true });
    if (isNew) await deps.tell({ name: "watch-lost", facts });
    return;
  }
  if (at.watch.isForum) await mark(deps, at, { code, isTold: true });
  try {
    await say(deps, "watch-trouble", facts);
  } catch (error) {
    await mark(deps, at, { code, isTold: false });
    throw error;
  }
  if (!at.watch.isForum) await mark(deps, at, { code, isTold: true });
}

/** Answers whether it was not said before. */
async function mark(
  deps: PartOptions,
  at: QueueAt,
  { code, isTold }: { readonly code: TroubleCode; readonly isTold: boolean },
): Promise<boolean> {
  let wasTold = true;
  const make = (trouble: Trouble | undefined) => {
    wasTold = trouble?.isTold ?? true;
    return trouble && { ...trouble, isTold };
  };
  await write(deps, at, { code, make });
  return !wasTold;
}

async function say(
  { desk }: PartOptions,
  event: "watch-trouble" | "watch-well",
  facts: TroubleFacts,
): Promise<void> {
  const { guildId, watch, code, trouble } = facts;
  const words = [watch.id, event, code, String(trouble.since)];
  await desk.post({
    ...{ guildId, channelId: watch.channelId, event, facts },
    ...(watch.isForum && { isForum: true }),
    ...{ nonce: nonceOf(...words), handle: handleOf(...words) },
  });
}

async function endTrouble(
  deps: PartOptions,
  at: QueueAt,
  { code, trouble }: Pick<TroubleFacts, "code" | "trouble">,
): Promise<void> {
  const { guildId, watch } = at;
  const facts = { guildId, watch, code, trouble };
  const forget = { code, make: () => undefined };
  if (trouble.isTold && watch.isForum) {
    await write(deps, at, forget);
    await say(deps, "watch-well", facts).catch(async (error: unknown) => {
      await write(deps, at, { code, make: () => trouble });
      throw error;
    });
    return;
  }
  if (trouble.isTold) await say(deps, "watch-well", facts);
  await write(deps, at, forget);
}

async function refused(deps: PartOptions, at: QueueAt, error: unknown): Promise<number> {
  const { records, random, log } = deps;
  const { now } = deps.database;
  const { guildId, watch } = at;
  const noticed = troubleOf(error);
  if (noticed === undefined) throw error;
  const isPlace = isOfPlace(noticed.code);
  const jitter = 0.9 + random() * 0.2;
  const stored = await records.watches.changeProgress(guildId, watch.id, (before) => {
    const failedPosts = (before.failedPosts ?? 0) + 1;
    const pauseMs = pauseOf(isPlace ? noticed.code : "service_failing", failedPosts) * jitter;
    return { ...before, failedPosts, postAt: now() + pauseMs };
  });
  if (stored === undefined) return now();
  if (isPlace) await met(deps, at, { ...noticed, times: stored.failedPosts ?? 1 });
  else {
    const level = error instanceof BotError ? "warn" : "error";
    log[level]("cards were not sent", { guild: guildId, watch: watch.id, error });
  }
  return stored.postAt ?? now();
}
