import { createNonce } from "../../channel-messages.ts";
import { BotError } from "../../errors.ts";
import { deriveHandle } from "../../store/index.ts";
import type { WatchFailure, WatchFailureCode, WatchProgress } from "../records/index.ts";
import { type ModerationRoom, type ServerWatch, watchChannel } from "../room.ts";
import type { WatchFailureFacts } from "../types.ts";
import {
  classifyFailure,
  isChannelFailure,
  isOfLink,
  isWorthNotifying,
  type NoticedFailure,
  retryDelayMs,
} from "./classify-failure.ts";

/** People are notified once of a failure and once when it is over; the database remembers what was sent. */

type FailureRef = Pick<WatchFailureFacts, "guildId" | "watch" | "code">;

/** Changes one stored failure. Undefined if the watch is gone. */
function changeFailure(
  { records }: ModerationRoom,
  { guildId, watch, code }: FailureRef,
  make: (stored: WatchFailure | undefined) => WatchFailure | undefined,
): Promise<WatchProgress | undefined> {
  return records.watches.changeProgress(guildId, watch.id, (stored) => {
    const { [code]: before, ...others } = stored.troubles;
    const after = make(before);
    return { ...stored, troubles: { ...others, ...(after && { [code]: after }) } };
  });
}

interface NotedFailure extends NoticedFailure, Pick<WatchFailure, "readsByKey"> {
  readonly times: number;
}

/** Stores a failure, and notifies people if it is worth it. `times`: how often in a row it happened. Never throws. */
export async function noteFailure(
  room: ModerationRoom,
  { guildId, watch }: ServerWatch,
  { code, until, times, readsByKey }: NotedFailure,
): Promise<void> {
  const ref = { guildId, watch, code };
  const now = room.database.now();
  try {
    const progress = await changeFailure(room, ref, (before) => {
      // What it means for the watch has changed, so people are told again.
      const isSame = before?.readsByKey === readsByKey;
      return {
        since: (isSame && before?.since) || now,
        until,
        isTold: isSame && (before?.isTold ?? false),
        readsByKey,
      };
    });
    const failure = progress?.troubles[code];
    if (failure === undefined || failure.isTold) return;
    if (!isWorthNotifying(code, { times, lastedMs: now - failure.since })) return;
    await notifyOnce(room, { ...ref, trouble: failure });
  } catch (error) {
    const about = { guild: guildId, watch: watch.id, code };
    room.log.warn("people were not notified of a watch's failure", { ...about, error });
    const also = classifyFailure(error);
    // The channel does not accept the message, so the server is notified of that instead.
    if (also !== undefined && isChannelFailure(also.code) && !isChannelFailure(code)) {
      await noteFailure(room, { guildId, watch }, { ...also, times: 1 });
    }
  }
}

/** In a forum a repeated post would appear twice, so the mark is written before posting. */
async function notifyOnce(room: ModerationRoom, facts: WatchFailureFacts): Promise<void> {
  const { isForum } = facts.watch;
  if (isChannelFailure(facts.code)) {
    const isNew = await markNotified(room, facts, true);
    if (isNew) await room.notify({ name: "watch-lost", facts });
    return;
  }
  if (isForum) await markNotified(room, facts, true);
  try {
    await post(room, "watch-trouble", facts);
  } catch (error) {
    await markNotified(room, facts, false);
    throw error;
  }
  if (!isForum) await markNotified(room, facts, true);
}

/** Returns whether people had not been notified before. */
async function markNotified(room: ModerationRoom, ref: FailureRef, isTold: boolean) {
  let wasTold = true;
  await changeFailure(room, ref, (stored) => {
    wasTold = stored?.isTold ?? true;
    return stored && { ...stored, isTold };
  });
  return !wasTold;
}

async function post(
  { channelMessages }: ModerationRoom,
  name: "watch-trouble" | "watch-well",
  facts: WatchFailureFacts,
): Promise<void> {
  const { guildId, watch, code, trouble: failure } = facts;
  const words = [watch.id, name, code, String(failure.since)];
  await channelMessages.post({
    ...watchChannel({ guildId, watch }),
    name,
    facts,
    nonce: createNonce(...words),
    handle: deriveHandle(...words),
  });
}

/**
 * Notifies people that the failures are over which a good poll or a posted message ends. For a closed channel, this message is
 * the test. A poll with the key says nothing about the link. @throws what `ChannelMessages.post` throws.
 */
export async function endFailures(
  room: ModerationRoom,
  { guildId, watch }: ServerWatch,
  { troubles, by }: Pick<WatchProgress, "troubles"> & { readonly by: "poll" | "key" | "post" },
): Promise<void> {
  const codes = Object.keys(troubles) as WatchFailureCode[]; // these are its only keys
  const isEnded = (code: WatchFailureCode) =>
    isChannelFailure(code) === (by === "post") && !(by === "key" && isOfLink(code));
  for (const code of codes.filter(isEnded)) {
    const failure = troubles[code];
    if (failure === undefined) continue;
    const ref = { guildId, watch, code };
    const tell = () => post(room, "watch-well", { ...ref, trouble: failure });
    const isMarkedFirst = failure.isTold && watch.isForum;
    if (failure.isTold && !isMarkedFirst) await tell();
    await changeFailure(room, ref, () => undefined);
    if (!isMarkedFirst) continue;
    await tell().catch(async (error: unknown) => {
      await changeFailure(room, ref, () => failure);
      throw error;
    });
  }
}

/** Stores why a message was not posted; returns when to try again. @throws `error` if people need not know of it. */
export async function notePostFailure(
  room: ModerationRoom,
  at: ServerWatch,
  error: unknown,
): Promise<number> {
  const { records, random, log } = room;
  const { now } = room.database;
  const { guildId, watch } = at;
  const noticed = classifyFailure(error);
  if (noticed === undefined) throw error;
  const isOfChannel = isChannelFailure(noticed.code);
  const jitter = 0.9 + random() * 0.2;
  const stored = await records.watches.changeProgress(guildId, watch.id, (before) => {
    const failedPosts = (before.failedPosts ?? 0) + 1;
    const pauseMs =
      retryDelayMs(isOfChannel ? noticed.code : "service_failing", failedPosts) * jitter;
    return { ...before, failedPosts, postAt: now() + pauseMs };
  });
  if (stored === undefined) return now();
  if (isOfChannel) await noteFailure(room, at, { ...noticed, times: stored.failedPosts ?? 1 });
  else {
    const level = error instanceof BotError ? "warn" : "error";
    log[level]("cards were not sent", { guild: guildId, watch: watch.id, error });
  }
  return stored.postAt ?? now();
}
