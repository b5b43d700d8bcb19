import { abortLater, waitUnlessAborted } from "../../clock.ts";
import { cancelGraceMs, cut, join, md, type Text } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import { mayBatchGoOn } from "../batches/index.ts";
import type { Ctx } from "../context/index.ts";
import { type CutoutStep, describeCutoutStep, showCutoutStep } from "../cutout/index.ts";
import { makePicture, type PictureAttempt, type PictureJob } from "./make-picture.ts";
import { type PictureSource, pictureName } from "./picture-source.ts";

/** remove.bg works on several pictures at once; more than this would keep other servers waiting. */
const atOnce = 3;

/** What happened to one picture. */
export type PictureOutcome = { readonly source: PictureSource; readonly name: string } & (
  | ({ readonly state: "done" } & PictureAttempt)
  | { readonly state: "failed"; readonly error: BotError }
  /** Stopped after it was sent. `charged` is undefined if remove.bg had not said yet what it costs. */
  | { readonly state: "interrupted"; readonly charged: number | undefined }
  /** Stopped before anything was sent. */
  | { readonly state: "untouched" }
);

export type DonePicture = Extract<PictureOutcome, { readonly state: "done" }>;

export const isPictureDone = (outcome: PictureOutcome): outcome is DonePicture =>
  outcome.state === "done";

export interface CutoutBatch {
  /** One for each picture, in the same order. */
  readonly outcomes: readonly PictureOutcome[];
  /** Why not all were tried. */
  readonly stoppedBy: BotError | undefined;
}

/** After one of these errors the other pictures would fail as well. */
const hopeless: ReadonlySet<string> = new Set([
  "credits_gone",
  "budget_guild",
  "budget_person",
  "budget_rank",
  "background_key_refused",
  "background_key_missing",
  "store_unavailable",
  "guild_erased",
]);

type BatchOptions = Pick<PictureJob, "options" | "maxBytes" | "isForced">;

/** How the pictures are made, and how far each is, by its place in the list. */
interface BatchProgress extends BatchOptions, Pick<PictureJob, "known"> {
  readonly all: readonly PictureSource[];
  readonly outcomes: Map<number, PictureOutcome>;
  readonly steps: Map<number, CutoutStep>;
  /** For pictures that wait for their turn in this process: how many files are ahead. */
  readonly queued: Map<number, number>;
  /** The failures since the last picture that worked. */
  failuresInRow: readonly BotError[];
  stoppedBy: BotError | undefined;
}

/**
 * Cuts several pictures out at once and shows the progress. Results are kept even if other pictures fail or the work is
 * cancelled. @throws errors that are not a BotError
 */
export async function cutOutAll(
  ctx: Ctx,
  all: readonly PictureSource[],
  options: BatchOptions,
): Promise<CutoutBatch> {
  const progress: BatchProgress = {
    ...options,
    known: new Map(),
    all,
    outcomes: new Map(),
    steps: new Map(),
    queued: new Map(),
    failuresInRow: [],
    stoppedBy: undefined,
  };
  let next = 0;
  showProgress(ctx, progress);
  const workers = Array.from({ length: Math.min(atOnce, all.length) }, async () => {
    for (let at = next++; at < all.length; at = next++) {
      const source = all[at];
      if (source === undefined || progress.stoppedBy !== undefined || ctx.signal.aborted) return;
      await cutOutAt(ctx, progress, { at, source });
    }
  });
  await untilCancelled(
    ctx.signal,
    Promise.all(workers),
    // A result that was paid for is worth waiting for.
    () => [...progress.steps.values()].some(({ at }) => at === "composing"),
  );
  return summarizeBatch(ctx, progress);
}

/** After a cancellation the answer is due, so work is awaited only if it is worth it, and not for long. */
async function untilCancelled(
  signal: AbortSignal,
  work: Promise<unknown>,
  isWorthWaiting: () => boolean,
): Promise<void> {
  const until = (end: AbortSignal) =>
    waitUnlessAborted(work, end).catch((error: unknown) => {
      if (error !== signal.reason) throw error;
    });
  await until(signal);
  if (signal.aborted && isWorthWaiting()) await until(abortLater(signal, cancelGraceMs));
}

async function cutOutAt(
  ctx: Ctx,
  progress: BatchProgress,
  { at, source }: { readonly at: number; readonly source: PictureSource },
): Promise<void> {
  const { all, outcomes, steps, queued, options, maxBytes, isForced, known } = progress;
  const name = pictureName(source);
  const onStep = (step: CutoutStep) => {
    steps.set(at, step);
    showProgress(ctx, progress);
  };
  const onQueued = (ahead: number | undefined) => {
    if (ahead === undefined) queued.delete(at);
    else queued.set(at, ahead);
    showProgress(ctx, progress);
  };
  const isAlone = all.length === 1;
  const job = { options, maxBytes, isForced, known, onStep, keepsSent: isAlone };
  try {
    // With several pictures, the bytes of one are released before the next one's are fetched.
    const attempt = isAlone
      ? await makePicture(ctx, source, job)
      : await ctx.apart(onQueued, (own: Ctx) => makePicture(own, source, job));
    outcomes.set(at, { source, name, state: "done", ...attempt });
    progress.failuresInRow = [];
  } catch (error) {
    if (ctx.signal.aborted) return;
    if (!(error instanceof BotError)) throw error;
    ctx.log.debug("picture failed", { code: error.code, reason: error.message });
    outcomes.set(at, { source, name, state: "failed", error });
    progress.failuresInRow = [...progress.failuresInRow, error];
    const mayGoOn = mayBatchGoOn(progress.failuresInRow, ({ code }) => hopeless.has(code));
    if (!mayGoOn) progress.stoppedBy = error;
  }
  steps.delete(at);
  queued.delete(at);
  showProgress(ctx, progress);
}

function summarizeBatch(ctx: Ctx, { all, outcomes, steps, stoppedBy }: BatchProgress): CutoutBatch {
  const reason: unknown = ctx.signal.aborted ? ctx.signal.reason : stoppedBy;
  return {
    outcomes: all.map((source, at) => {
      const outcome = outcomes.get(at);
      if (outcome !== undefined) return outcome;
      const left = { source, name: pictureName(source) };
      const step = steps.get(at) ?? { at: "reading" };
      const waits = step.at === "queued" && ctx.now() < step.until;
      if (step.at === "reading" || waits) return { ...left, state: "untouched" };
      const charged = step.at === "composing" ? step.charged : undefined;
      return { ...left, state: "interrupted", charged };
    }),
    stoppedBy: reason instanceof BotError ? reason : undefined,
  };
}

/** Shows how many are done, and the step that each of the others is at. */
function showProgress(ctx: Ctx, { all, outcomes, steps, queued }: BatchProgress): void {
  const { words } = ctx;
  const count = all.length;
  if (count === 1) {
    if (outcomes.size === 0) showCutoutStep(ctx, steps.get(0) ?? { at: "reading" });
    return;
  }
  const title = words.say("background.progress.title", { count });
  const done = outcomes.size;
  const lines: Text[] = [words.say("background.progress.several", { done, count })];
  for (const [at, step] of steps) {
    const source = all[at];
    if (source === undefined) continue;
    const ahead = queued.get(at);
    const doing =
      ahead === undefined
        ? describeCutoutStep(ctx, step)
        : words.say("common.queue.place", { ahead });
    lines.push(md`**${cut(pictureName(source), 60)}** · ${doing}`);
  }
  ctx.progress({ title, text: join(lines), done: done / count });
}
