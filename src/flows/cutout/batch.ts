import { setTimeout as delay } from "node:timers/promises";
import type { Ctx } from "../../discord/index.ts";
import { cut, join, md, type Text } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import { lingerMs } from "../linger.ts";
import { type Step, stepText } from "./cut-out-one.ts";
import { type Attempt, type Making, make } from "./make.ts";
import { type Given, nameOf, type Wishes } from "./wishes.ts";

/** The service works on several at once; more than this would keep other servers waiting. */
const atOnce = 3;

/** What became of one picture. */
export type Outcome = { readonly given: Given; readonly name: string } & (
  | { readonly state: "done"; readonly attempt: Attempt }
  | { readonly state: "failed"; readonly error: BotError }
  /** Stopped once the service had it: charged as told, or possibly. */
  | { readonly state: "interrupted"; readonly charged: number | undefined }
  /** Stopped before anything was sent. */
  | { readonly state: "untouched" }
);

export interface Batch {
  /** One for each picture, in the order given. */
  readonly outcomes: readonly Outcome[];
  /** Why not all were tried. */
  readonly stoppedBy: BotError | undefined;
}

/** After these no other picture would fare better. */
const hopeless: ReadonlySet<string> = new Set([
  "credits_gone",
  "budget_person",
  "budget_rank",
  "background_key_refused",
  "background_key_missing",
  "store_unavailable",
]);

/**
 * Cuts several pictures out at once and shows how far they are. Those that worked are kept, whatever became of the
 * others, also when the work is cancelled half-way. @throws what is no BotError
 */
export async function cutOutAll(
  ctx: Ctx,
  all: readonly Given[],
  { wishes, maxBytes }: { readonly wishes: Wishes; readonly maxBytes: number },
): Promise<Batch> {
  const outcomes = new Map<number, Outcome>();
  const steps = new Map<number, Step>();
  /** How many files go before those that wait for their turn here. */
  const queued = new Map<number, number>();
  const known: Making["known"] = new Map();
  let stoppedBy: BotError | undefined;
  let next = 0;
  const show = () => showProgress(ctx, all, { outcomes, steps, queued });
  const stop = new AbortController();

  async function one(at: number, given: Given): Promise<void> {
    const name = nameOf(given);
    const onStep = (step: Step) => {
      steps.set(at, step);
      show();
    };
    const onQueued = (ahead: number | undefined) => {
      if (ahead === undefined) queued.delete(at);
      else queued.set(at, ahead);
      show();
    };
    const isAlone = all.length === 1;
    const making = { maxBytes, onStep, known, keepsSent: isAlone };
    const work = (own: Ctx) => make(own, given, wishes, making);
    try {
      // Of several, one's bytes are let go of before the next one's are fetched.
      const attempt = isAlone ? await work(ctx) : await ctx.apart(onQueued, work);
      outcomes.set(at, { given, name, state: "done", attempt });
    } catch (error) {
      if (ctx.signal.aborted) return;
      if (!(error instanceof BotError)) throw error;
      ctx.log.debug("picture failed", { code: error.code, reason: error.message });
      outcomes.set(at, { given, name, state: "failed", error });
      if (hopeless.has(error.code)) stoppedBy = error;
    }
    steps.delete(at);
    queued.delete(at);
    show();
  }

  async function worker(): Promise<void> {
    for (let at = next++; at < all.length; at = next++) {
      const given = all[at];
      if (given === undefined || stoppedBy !== undefined || ctx.signal.aborted) return;
      await one(at, given);
    }
  }

  show();
  const workers = Array.from({ length: Math.min(atOnce, all.length) }, worker);
  // What hangs after a cancellation is not waited for: the answer is due. What is paid for may end.
  const isPaid = () => [...steps.values()].some(({ at }) => at === "composing");
  const ended = Promise.all(workers);
  await Promise.race([ended, aborted(ctx.signal, stop.signal)]);
  if (ctx.signal.aborted && isPaid()) await Promise.race([ended, delay(lingerMs)]);
  stop.abort();
  const reason: unknown = ctx.signal.aborted ? ctx.signal.reason : stoppedBy;
  return {
    outcomes: all.map((given, at) => {
      const left = { given, name: nameOf(given), ...leftAt(steps.get(at), ctx.now()) };
      return outcomes.get(at) ?? left;
    }),
    stoppedBy: reason instanceof BotError ? reason : undefined,
  };
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true, signal: over });
  });
}

function leftAt(step: Step | undefined, now: number) {
  const charged = step?.at === "composing" ? step.charged : undefined;
  return isUntouched(step, now)
    ? ({ state: "untouched" } as const)
    : ({ state: "interrupted", charged } as const);
}

function isUntouched(step: Step | undefined, now: number): boolean {
  if (step === undefined || step.at === "reading") return true;
  return step.at === "queued" && now < step.until;
}

interface Standing {
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly steps: ReadonlyMap<number, Step>;
  readonly queued: ReadonlyMap<number, number>;
}

/** How many are done, and what is being done about which. */
function showProgress(
  ctx: Ctx,
  all: readonly Given[],
  { outcomes, steps, queued }: Standing,
): void {
  const { words } = ctx;
  const count = all.length;
  const title = words.say("background.progress.title", { count });
  if (count === 1 && outcomes.size === 1) return;
  if (count === 1) {
    ctx.progress({ title, text: stepText(ctx, steps.get(0) ?? { at: "reading" }) });
    return;
  }
  const done = outcomes.size;
  const lines: Text[] = [words.say("background.progress.several", { done, count })];
  for (const [at, step] of steps) {
    const given = all[at];
    if (given === undefined) continue;
    const ahead = queued.get(at);
    const doing =
      ahead === undefined ? stepText(ctx, step) : words.say("common.queue.place", { ahead });
    lines.push(md`**${cut(nameOf(given), 60)}** · ${doing}`);
  }
  ctx.progress({ title, text: join(lines), done: done / count });
}
