import { nonceOf } from "../../channel-messages.ts";
import { BotError } from "../../errors.ts";
import { deriveHandle } from "../../store/index.ts";
import type { GuildWatch, ModerationPartDeps } from "../deps.ts";
import type { TroubleCode, WatchProgress, WatchTrouble } from "../records/index.ts";
import type { TroubleFacts } from "../types.ts";
import {
  classifyTrouble,
  isChannelTrouble,
  isWorthNotifying,
  type NoticedTrouble,
  retryDelayMs,
} from "./classify-trouble.ts";

export type Troubles = ReturnType<typeof createTroubles>;

/** Notifies people once about a trouble and once when it is over; the database remembers what was sent. */
export function createTroubles(deps: ModerationPartDeps) {
  return {
    /** Stores a trouble, and notifies people if it is worth it. `times`: how often in a row it happened. Never throws. */
    noteTrouble: (at: GuildWatch, noticed: NoticedTrouble, times: number) =>
      noteTrouble(deps, at, { ...noticed, times }),
    /**
     * Notifies that these troubles are over. For a closed channel, this message is the test.
     * @throws what `ChannelMessages.post` throws.
     */
    async endTroubles(
      at: GuildWatch,
      progress: WatchProgress,
      codes: readonly TroubleCode[],
    ): Promise<void> {
      for (const code of codes) {
        const trouble = progress.troubles[code];
        if (trouble !== undefined) await endTrouble(deps, at, { code, trouble });
      }
    },
    /** Stores why a message was not posted; returns when to try again. @throws `error` if it is no trouble of the watch. */
    notePostFailure: (at: GuildWatch, error: unknown) => notePostFailure(deps, at, error),
  };
}

/** Changes one stored trouble. Undefined if the watch is gone. */
function changeTrouble(
  { records }: ModerationPartDeps,
  { guildId, watch }: GuildWatch,
  {
    code,
    make,
  }: {
    readonly code: TroubleCode;
    readonly make: (trouble: WatchTrouble | undefined) => WatchTrouble | undefined;
  },
): Promise<WatchProgress | undefined> {
  return records.watches.changeProgress(guildId, watch.id, (stored) => {
    const { [code]: before, ...others } = stored.troubles;
    const after = make(before);
    return { ...stored, troubles: { ...others, ...(after && { [code]: after }) } };
  });
}

interface TroubleMet extends NoticedTrouble {
  readonly times: number;
}

async function noteTrouble(
  deps: ModerationPartDeps,
  at: GuildWatch,
  { code, until, times }: TroubleMet,
): Promise<void> {
  const { guildId, watch } = at;
  const metAt = deps.database.now();
  const make = (before: WatchTrouble | undefined): WatchTrouble => ({
    since: before?.since ?? metAt,
    ...(until !== undefined && { until }),
    isTold: before?.isTold ?? false,
  });
  try {
    const trouble = (await changeTrouble(deps, at, { code, make }))?.troubles[code];
    if (trouble === undefined || trouble.isTold) return;
    if (!isWorthNotifying(code, { times, lastedMs: metAt - trouble.since })) return;
    await notifyOnce(deps, at, { guildId, watch, code, trouble });
  } catch (error) {
    const about = { guild: guildId, watch: watch.id, code };
    deps.log.warn("people were not notified of a watch's trouble", { ...about, error });
    const also = classifyTrouble(error);
    // The channel does not accept the message, so the server is notified of that instead.
    if (also !== undefined && isChannelTrouble(also.code) && !isChannelTrouble(code)) {
      await noteTrouble(deps, at, { ...also, times: 1 });
    }
  }
}

/** In a forum a repeated post would appear twice, so the mark is written before posting. */
async function notifyOnce(
  deps: ModerationPartDeps,
  at: GuildWatch,
  facts: TroubleFacts,
): Promise<void> {
  const { code } = facts;
  if (isChannelTrouble(code)) {
    const isNew = await markTold(deps, at, { code, isTold: true });
    if (isNew) await deps.notify({ name: "watch-lost", facts });
    return;
  }
  if (at.watch.isForum) await markTold(deps, at, { code, isTold: true });
  try {
    await post(deps, "watch-trouble", facts);
  } catch (error) {
    await markTold(deps, at, { code, isTold: false });
    throw error;
  }
  if (!at.watch.isForum) await markTold(deps, at, { code, isTold: true });
}

/** Returns whether people had not been notified before. */
async function markTold(
  deps: ModerationPartDeps,
  at: GuildWatch,
  { code, isTold }: { readonly code: TroubleCode; readonly isTold: boolean },
): Promise<boolean> {
  let wasTold = true;
  const make = (trouble: WatchTrouble | undefined) => {
    wasTold = trouble?.isTold ?? true;
    return trouble && { ...trouble, isTold };
  };
  await changeTrouble(deps, at, { code, make });
  return !wasTold;
}

async function post(
  { channelMessages }: ModerationPartDeps,
  name: "watch-trouble" | "watch-well",
  facts: TroubleFacts,
): Promise<void> {
  const { guildId, watch, code, trouble } = facts;
  const words = [watch.id, name, code, String(trouble.since)];
  await channelMessages.post({
    guildId,
    channelId: watch.channelId,
    name,
    facts,
    ...(watch.isForum && { isForum: true }),
    ...(!watch.mayBePublic && { isConfidential: true }),
    nonce: nonceOf(...words),
    handle: deriveHandle(...words),
  });
}

async function endTrouble(
  deps: ModerationPartDeps,
  at: GuildWatch,
  { code, trouble }: Pick<TroubleFacts, "code" | "trouble">,
): Promise<void> {
  const { guildId, watch } = at;
  const facts = { guildId, watch, code, trouble };
  const forget = { code, make: () => undefined };
  if (trouble.isTold && watch.isForum) {
    await changeTrouble(deps, at, forget);
    await post(deps, "watch-well", facts).catch(async (error: unknown) => {
      await changeTrouble(deps, at, { code, make: () => trouble });
      throw error;
    });
    return;
  }
  if (trouble.isTold) await post(deps, "watch-well", facts);
  await changeTrouble(deps, at, forget);
}

async function notePostFailure(
  deps: ModerationPartDeps,
  at: GuildWatch,
  error: unknown,
): Promise<number> {
  const { records, random, log } = deps;
  const { now } = deps.database;
  const { guildId, watch } = at;
  const noticed = classifyTrouble(error);
  if (noticed === undefined) throw error;
  const isPlace = isChannelTrouble(noticed.code);
  const jitter = 0.9 + random() * 0.2;
  const stored = await records.watches.changeProgress(guildId, watch.id, (before) => {
    const failedPosts = (before.failedPosts ?? 0) + 1;
    const pauseMs = retryDelayMs(isPlace ? noticed.code : "service_failing", failedPosts) * jitter;
    return { ...before, failedPosts, postAt: now() + pauseMs };
  });
  if (stored === undefined) return now();
  if (isPlace) await noteTrouble(deps, at, { ...noticed, times: stored.failedPosts ?? 1 });
  else {
    const level = error instanceof BotError ? "warn" : "error";
    log[level]("cards were not sent", { guild: guildId, watch: watch.id, error });
  }
  return stored.postAt ?? now();
}
