import { backOffMs } from "../../clock.ts";
import { BotError } from "../../errors.ts";
import { endSnooze } from "../decide/snooze.ts";
import { endFailures, notePostFailure } from "../failures/note-failures.ts";
import {
  type HeldComment,
  postedPlace,
  toItemRef,
  type WatchWithProgress,
} from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import type { CommentJudge } from "../rules/judge.ts";
import { announceQueue, handleWatchJobs, type WatchRef } from "../watch-jobs.ts";
import {
  affectsAllMessages,
  arrivalMs,
  isDatabaseFailure,
  maxFailuresInARow,
  redraw,
} from "./deliver.ts";
import { outgoingCommentCard, outgoingDigestCard } from "./outgoing-card.ts";
import { createRolePing } from "./role-ping.ts";
import { type SendDueResult, sendDue } from "./send-due.ts";

const never = Number.POSITIVE_INFINITY;
/** A run ends after this long, so that a large queue does not block others. */
const runMs = 45_000;
/** When to send again after each result. */
const againMs = { all: never, more: 0, some: 60_000, waits: arrivalMs } as const satisfies Record<
  SendDueResult,
  number
>;
const redrawBackOff = { firstMs: 4_000, longestMs: 300_000 } as const;
const snoozePageSize = 100;

/** A watch as it was when the run began. */
interface AnnounceRun extends WatchWithProgress {
  readonly guildId: string;
  readonly signal: AbortSignal;
  readonly judge: CommentJudge;
}

/** Brings a watch's messages up to date: judges new comments, posts and redraws. */
export function handleAnnounceQueue(room: ModerationRoom, judge: CommentJudge): void {
  const { watches, comments } = room.records;
  const { now } = room.database;
  handleWatchJobs(room, announceQueue, async ({ guildId, watchId, signal }) => {
    const known = await watches.readWithProgress(guildId, watchId);
    if (known === undefined) return undefined;
    const { watch, progress } = known;
    let { drawAt = 0, failedDraws = 0 } = progress;
    /** Redraws messages; after a failure it waits for a while. */
    const draw = async () => {
      if (now() < drawAt) return;
      const isDone = await redrawStale(room, { guildId, watch }, signal);
      if (isDone && failedDraws === 0) return;
      failedDraws = isDone ? 0 : failedDraws + 1;
      drawAt = isDone ? 0 : now() + backOffMs(failedDraws, redrawBackOff);
      await watches.changeProgress(guildId, watchId, (stored) => ({
        ...stored,
        failedDraws,
        drawAt,
      }));
    };
    await endDueSnoozes(room, { guildId, watchId });
    await draw();
    const run = { ...known, guildId, signal, judge };
    // A paused watch posts nothing new, but decisions are still shown on its cards.
    const sendAt = watch.paused === undefined ? await sendNew(room, run, draw) : never;
    await draw();
    const redrawAt = failedDraws === 0 ? never : drawAt;
    const backAt = (await comments.nextSnoozedAt(guildId, watchId)) ?? never;
    const dueAt = Math.min(sendAt, redrawAt, backAt);
    return dueAt === never ? undefined : dueAt;
  });
}

/** Brings back snoozed comments that are due. */
async function endDueSnoozes(
  { database, records: { comments } }: ModerationRoom,
  { guildId, watchId }: WatchRef,
): Promise<void> {
  for (;;) {
    const at = database.now();
    const page = await comments.readSnoozed(guildId, watchId, { at, limit: snoozePageSize });
    for (const held of page) {
      await comments.change(guildId, toItemRef(held), (stored) => endSnooze(stored, at));
    }
    if (page.length < snoozePageSize) return;
  }
}

/** Returns when to send again. */
async function sendNew(
  room: ModerationRoom,
  { guildId, watch, progress, signal, judge }: AnnounceRun,
  between: () => Promise<void>,
): Promise<number> {
  const { now } = room.database;
  const at = { guildId, watch };
  const { postAt = 0, troubles } = progress;
  const startedAt = now();
  if (startedAt < postAt) return postAt;
  const ping = createRolePing(room, at);
  try {
    // If the channel did not accept messages before, first try whether it does now.
    await endFailures(room, at, { troubles, by: "post" });
    const endsAt = startedAt + runMs;
    const sent = await sendDue(room, { ...at, ping, judge, signal, endsAt, between });
    if ((progress.failedPosts ?? 0) > 0) {
      await room.records.watches.changeProgress(guildId, watch.id, (stored) => {
        const { failedPosts: _, postAt: __, ...rest } = stored;
        return rest;
      });
    }
    return now() + againMs[sent];
  } catch (error) {
    signal.throwIfAborted();
    return notePostFailure(room, at, error);
  } finally {
    await ping.end();
  }
}

const redrawPageSize = 50;

/**
 * Redraws messages that show an older revision; a failing one does not stop the others. Returns whether all were redrawn, so
 * that none has to be tried again. @throws ServiceError `store_unavailable`; the signal's reason.
 */
async function redrawStale(
  room: ModerationRoom,
  at: ServerWatch,
  signal: AbortSignal,
): Promise<boolean> {
  const { records, log } = room;
  const { guildId, watch } = at;
  const failed = new Set<string>();
  const drawnDigests = new Set<string>();
  let inARow = 0;
  for (;;) {
    const page = await records.comments.readStale(guildId, watch.id, redrawPageSize + failed.size);
    const left = page.filter(({ id }) => !failed.has(id));
    if (left.length === 0) return failed.size === 0;
    for (const held of left) {
      signal.throwIfAborted();
      try {
        await redrawComment(room, at, held, drawnDigests);
        inARow = 0;
      } catch (error) {
        if (isDatabaseFailure(error)) throw error;
        log.warn("a card was not redrawn", { guild: guildId, watch: watch.id, error });
        failed.add(held.id);
        inARow += 1;
        // Our own bug would fail again, so it waits for the next change of the comment.
        if (!(error instanceof BotError)) await markDrawn(room, guildId, held);
        else if (affectsAllMessages(error) || inARow >= maxFailuresInARow) return false;
      }
    }
    // Digests whose comments changed meanwhile are redrawn on the next page.
    drawnDigests.clear();
  }
}

/** Redraws a comment's own card and the digests that show it. */
async function redrawComment(
  room: ModerationRoom,
  at: ServerWatch,
  held: HeldComment,
  drawnDigests: Set<string>,
): Promise<void> {
  const place = postedPlace(held.card);
  if (place !== undefined && held.card.drawn !== held.revision) {
    await redraw(room, await outgoingCommentCard(room, at, held), place);
  }
  for (const id of [held.digestId, held.actsId]) {
    if (id === undefined || drawnDigests.has(id)) continue;
    const digest = await room.records.digests.read(at.guildId, at.watch.id, id);
    const digestPlace = digest && postedPlace(digest.card);
    if (digest !== undefined && digestPlace !== undefined) {
      const card = await outgoingDigestCard(room, at, digest);
      if (digest.card.drawn !== card.shown) await redraw(room, card, digestPlace);
    }
    drawnDigests.add(id);
  }
  await markDrawn(room, at.guildId, held);
}

/** Marks a comment as redrawn, unless it changed since it was read. */
async function markDrawn({ records }: ModerationRoom, guildId: string, held: HeldComment) {
  await records.comments.changeSilently(guildId, toItemRef(held), (stored) =>
    stored.revision === held.revision ? { ...stored, needsDrawing: undefined } : stored,
  );
}
