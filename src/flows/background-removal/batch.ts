import { abortable, abortedLater } from "../../clock.ts";
import { type Ctx, cancelGraceMs, cut, join, md, type Text } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import { type CutoutStep, showStep, stepText } from "../cutout/index.ts";
import { make, type PictureAttempt, type PictureJob } from "./make.ts";
import { type PictureSource, pictureName } from "./picture-source.ts";

/** The service works on several at once; more than this would keep other servers waiting. */
const atOnce = 3;

/** What became of one picture. */
export type PictureOutcome = { readonly given: PictureSource; readonly name: string } & (
  | ({ readonly state: "done" } & PictureAttempt)
  | { readonly state: "failed"; readonly error: BotError }
  /** Stopped after it was sent: charged this much, or perhaps charged where the service had not said yet. */
  | { readonly state: "interrupted"; readonly charged: number | undefined }
  /** Stopped before anything was sent. */
  | { readonly state: "untouched" }
);

export type DoneOutcome = Extract<PictureOutcome, { readonly state: "done" }>;

export const isDone = (outcome: PictureOutcome): outcome is DoneOutcome => outcome.state === "done";

export interface CutoutBatch {
  /** One for each picture, in the order given. */
  readonly outcomes: readonly PictureOutcome[];
  /** Why not all were tried. */
  readonly stoppedBy: BotError | undefined;
}

/** After one of these the other pictures would fail too. */
const hopeless: ReadonlySet<string> = new Set([
  "credits_gone",
  "budget_person",
  "budget_rank",
  "background_key_refused",
  "background_key_missing",
  "store_unavailable",
]);

/** How far each picture is, by its place in the list. */
interface Progress {
  readonly all: readonly PictureSource[];
  readonly outcomes: Map<number, PictureOutcome>;
  readonly steps: Map<number, CutoutStep>;
  /** For pictures that wait for their turn here: how many files are ahead. */
  readonly queued: Map<number, number>;
  stoppedBy: BotError | undefined;
}

type BatchOptions = Pick<PictureJob, "options" | "maxBytes">;

/**
 * Cuts several pictures out at once and shows how far they are. Those that worked are kept, whatever became of the
 * others, also when the work is cancelled half-way. @throws what is no BotError
 */
export async function cutOutAll(
  ctx: Ctx,
  all: readonly PictureSource[],
  { options, maxBytes }: BatchOptions,
): Promise<CutoutBatch> {
  const progress: Progress = {
    all,
    outcomes: new Map(),
    steps: new Map(),
    queued: new Map(),
    stoppedBy: undefined,
  };
  const known: PictureJob["known"] = new Map();
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < all.length; at = next++) {
      const given = all[at];
      if (given === undefined || progress.stoppedBy !== undefined || ctx.signal.aborted) return;
      await cutOutNext(ctx, progress, { at, given, options, maxBytes, known });
    }
  };
  showProgress(ctx, progress);
  await untilCancelled(
    ctx.signal,
    Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker)),
    // A result that is paid for may be finished.
    () => [...progress.steps.values()].some(({ at }) => at === "composing"),
  );
  return batchOf(ctx, progress);
}

/** After a cancellation the answer is due, so that work is waited for only if it is worth it, and not for long. */
async function untilCancelled(
  signal: AbortSignal,
  work: Promise<unknown>,
  isWorthWaiting: () => boolean,
): Promise<void> {
  const until = (end: AbortSignal) =>
    abortable(work, end).catch((error: unknown) => {
      if (error !== signal.reason) throw error;
    });
  await until(signal);
  if (signal.aborted && isWorthWaiting()) await until(abortedLater(signal, cancelGraceMs));
}

interface NextPicture extends Pick<PictureJob, "options" | "maxBytes" | "known"> {
  readonly at: number;
  readonly given: PictureSource;
}

async function cutOutNext(ctx: Ctx, progress: Progress, next: NextPicture): Promise<void> {
  const { at, given, ...making } = next;
  const { all, outcomes, steps, queued } = progress;
  const name = pictureName(given);
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
  const work = (own: Ctx) => make(own, given, { ...making, onStep, keepsSent: isAlone });
  try {
    // With several pictures, the bytes of one are released before the next one's are fetched.
    const attempt = isAlone ? await work(ctx) : await ctx.apart(onQueued, work);
    outcomes.set(at, { given, name, state: "done", ...attempt });
  } catch (error) {
    if (ctx.signal.aborted) return;
    if (!(error instanceof BotError)) throw error;
    ctx.log.debug("picture failed", { code: error.code, reason: error.message });
    outcomes.set(at, { given, name, state: "failed", error });
    if (hopeless.has(error.code)) progress.stoppedBy = error;
  }
  steps.delete(at);
  queued.delete(at);
  showProgress(ctx, progress);
}

function batchOf(ctx: Ctx, { all, outcomes, steps, stoppedBy }: Progress): CutoutBatch {
  const reason: unknown = ctx.signal.aborted ? ctx.signal.reason : stoppedBy;
  return {
    outcomes: all.map((given, at) => {
      const left = { given, name: pictureName(given), ...leftAt(steps.get(at), ctx.now()) };
      return outcomes.get(at) ?? left;
    }),
    stoppedBy: reason instanceof BotError ? reason : undefined,
  };
}

function leftAt(step: CutoutStep | undefined, now: number) {
  const charged = step?.at === "composing" ? step.charged : undefined;
  return isUntouched(step, now)
    ? ({ state: "untouched" } as const)
    : ({ state: "interrupted", charged } as const);
}

function isUntouched(step: CutoutStep | undefined, now: number): boolean {
  if (step === undefined || step.at === "reading") return true;
  return step.at === "queued" && now < step.until;
}

/** How many are done, and which step each of the others is at. */
function showProgress(ctx: Ctx, { all, outcomes, steps, queued }: Progress): void {
  const { words } = ctx;
  const count = all.length;
  if (count === 1) {
    if (outcomes.size === 0) showStep(ctx, steps.get(0) ?? { at: "reading" });
    return;
  }
  const title = words.say("background.progress.title", { count });
  const done = outcomes.size;
  const lines: Text[] = [words.say("background.progress.several", { done, count })];
  for (const [at, step] of steps) {
    const given = all[at];
    if (given === undefined) continue;
    const ahead = queued.get(at);
    const doing =
      ahead === undefined ? stepText(ctx, step) : words.say("common.queue.place", { ahead });
    lines.push(md`**${cut(pictureName(given), 60)}** · ${doing}`);
  }
  ctx.progress({ title, text: join(lines), done: done / count });
}
