import { backOffMs } from "../../clock.ts";
import type { JobHandler } from "../../jobs/index.ts";
import { comeBack } from "../decide/index.ts";
import { refOf, type WatchAt } from "../records/index.ts";
import { codesOfPlaces } from "../trouble/index.ts";
import { handlerOf, type WatchRef } from "../watch-jobs.ts";
import { arrivalMs } from "./deliver.ts";
import type { AnnounceDeps } from "./parts.ts";
import { createRoleCall } from "./pings.ts";
import { redrawStale } from "./redraws.ts";
import { type Sent, sendDue } from "./send-due.ts";

const never = Number.POSITIVE_INFINITY;
/** One run ends after so long, so that a large queue holds up nobody. */
const runMs = 45_000;
/** How soon to send again; `some`: single messages were not taken. */
const againMs = { all: never, more: 0, some: 60_000, waits: arrivalMs } as const satisfies Record<
  Sent,
  number
>;
const drawAgain = { firstMs: 4_000, longestMs: 300_000 } as const;
const pageSize = 100;

/** A watch at the time of one run. */
interface Run extends WatchAt {
  readonly guildId: string;
  readonly signal: AbortSignal;
}

/** Brings a watch's messages up to date: judges what is new, sends, draws anew. It answers when there is more to do. */
export function createAnnounceJob(deps: AnnounceDeps): JobHandler {
  return handlerOf(async ({ guildId, watchId, signal }) => {
    const { watches, comments } = deps.records;
    const known = await watches.readWithProgress(guildId, watchId);
    if (known === undefined) return undefined;
    const run = { ...known, guildId, signal };
    await bringBackDue(deps, { guildId, watchId });
    const drawing = createDrawing(deps, run);
    await drawing.draw();
    // One that is paused sends nothing new; what people decide about is drawn all the same.
    const sendAt = known.watch.paused === undefined ? await send(deps, run, drawing.draw) : never;
    await drawing.draw();
    const backAt = (await comments.nextSnoozedAt(guildId, watchId)) ?? never;
    const dueAt = Math.min(sendAt, drawing.againAt(), backAt);
    return dueAt === never ? undefined : dueAt;
  });
}

/** Snoozed comments whose time has come wait for people again. */
async function bringBackDue(
  { database, records: { comments } }: AnnounceDeps,
  { guildId, watchId }: WatchRef,
): Promise<void> {
  for (;;) {
    const at = database.now();
    const page = await comments.snoozedUntil(guildId, watchId, { at, limit: pageSize });
    for (const held of page) {
      await comments.change(guildId, refOf(held), (stored) => comeBack(stored, at));
    }
    if (page.length < pageSize) return;
  }
}

/** After a failure nothing is drawn for a while. */
function createDrawing(deps: AnnounceDeps, { guildId, watch, progress, signal }: Run) {
  const { now } = deps.database;
  let { drawAt = 0, failedDraws = 0 } = progress;
  return {
    async draw(): Promise<void> {
      if (now() < drawAt) return;
      const isDone = await redrawStale(deps, { guildId, watch }, signal);
      if (isDone && failedDraws === 0) return;
      failedDraws = isDone ? 0 : failedDraws + 1;
      drawAt = isDone ? 0 : now() + backOffMs(failedDraws, drawAgain);
      await deps.records.watches.changeProgress(guildId, watch.id, (stored) => ({
        ...stored,
        ...{ failedDraws, drawAt },
      }));
    },
    againAt: () => (failedDraws === 0 ? never : drawAt),
  };
}

/** Answers when to send again. */
async function send(
  deps: AnnounceDeps,
  { guildId, watch, progress, signal }: Run,
  between: () => Promise<void>,
): Promise<number> {
  const { troubles, records } = deps;
  const { now } = deps.database;
  const at = { guildId, watch };
  const { postAt = 0 } = progress;
  const startedAt = now();
  if (startedAt < postAt) return postAt;
  const call = createRoleCall(deps, at);
  try {
    // Where its channel took nothing, that it works again is the first thing to be tried.
    await troubles.over(at, progress, codesOfPlaces(progress));
    const isOver = () => now() - startedAt >= runMs;
    const sent = await sendDue(deps, { ...at, call, signal, isOver, between });
    if ((progress.failedPosts ?? 0) > 0) {
      await records.watches.changeProgress(guildId, watch.id, (stored) => {
        const { failedPosts: _, postAt: __, ...rest } = stored;
        return rest;
      });
    }
    return now() + againMs[sent];
  } catch (error) {
    signal.throwIfAborted();
    return troubles.refused(at, error);
  } finally {
    await call.end();
  }
}
