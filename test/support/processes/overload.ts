import { setTimeout as wait } from "node:timers/promises";
import { type Asked, saysFailure, saysTooBusy } from "./asked.ts";
import {
  type CampaignOptions,
  type CampaignStage,
  conclude,
  untilWell,
  withStage,
} from "./campaign-stage.ts";
import type { Verdict } from "./verdict.ts";

interface OverloadOptions extends CampaignOptions {
  /** Commands a second; three times what the machine was found to do when absent. */
  readonly overloadPerSecond?: number | undefined;
  readonly overloadMs: number;
}

export interface OverloadResult extends Verdict {
  /** Commands a second, as they were sent while there were too many. */
  readonly sentPerSecond: number;
  /** How often a process learned that others took it for dead. */
  readonly dead: number;
  /** Times of the answers that said that there was too much to do. */
  readonly refusedMs: readonly number[];
  /** Times of all other answers; decisions wait for seconds by themselves. */
  readonly acceptedMs: readonly number[];
  /** From the end of the overload until commands were answered as usual by every process. */
  readonly wellMs: number;
  readonly peakMiB: number;
}

const timesTooMuch = 3;
const firstRate = 20;
const rateStep = 1.25;
const stepMs = 4_000;
const slowMs = 2_000;

/** People ask three processes for three times what they can do, and then for little again. */
export async function overloadProcesses(options: OverloadOptions): Promise<OverloadResult> {
  const { overloadMs, perSecond, onProgress = () => undefined } = options;
  return withStage({ ...options, processes: 3 }, async (stage) => {
    const { bots, load } = stage;
    const rate = options.overloadPerSecond ?? timesTooMuch * (await measureCapacity(stage));
    load.setRate(perSecond);
    await untilWell(stage);
    const from = load.asked.all.length;
    onProgress(`${Math.round(rate)} commands a second`);
    load.setRate(rate);
    await wait(overloadMs);
    load.setRate(perSecond);
    const sent = load.asked.all.slice(from);
    const wellMs = await untilWell(stage);
    onProgress(`well again after ${Math.round(wellMs)} ms`);
    const peakMiB = Math.max(...bots.peakMiB());
    const warnings = bots.all.flatMap((bot) => bot.warnings);
    const verdict = await conclude(stage);
    const { refused = [], accepted = [] } = Object.groupBy(sent.filter(isAnswered), ({ text }) =>
      saysTooBusy(text) ? "refused" : "accepted",
    );
    return {
      ...verdict,
      sentPerSecond: (sent.length * 1_000) / overloadMs,
      dead: warnings.filter(({ message = "" }) => tookForDead.test(message)).length,
      refusedMs: refused.map(answerMsOf),
      acceptedMs: accepted.filter(({ kind }) => kind !== "approve").map(answerMsOf),
      wellMs,
      peakMiB,
    };
  });
}

/** As `src/bot/processes.ts` puts it. */
const tookForDead = /may take this one for dead/u;

/** The last of rising rates at which people were answered soon. */
async function measureCapacity({ load }: CampaignStage): Promise<number> {
  for (let rate = firstRate; ; rate *= rateStep) {
    load.setRate(rate);
    const from = load.asked.all.length;
    await wait(stepMs);
    const asked = load.asked.all.slice(from).filter(({ kind }) => soon.has(kind));
    if (asked.filter(isSlow).length > asked.length / 20) return rate / rateStep;
  }
}

/** Pictures and decisions take longer by themselves. */
const soon: ReadonlySet<string> = new Set(["playlist", "comment", "list", "channel", "next"]);

function isSlow({ sentAt, answeredAt = performance.now(), refusal, text }: Asked): boolean {
  return refusal !== undefined || saysFailure(text) || answeredAt - sentAt > slowMs;
}

function isAnswered({ answeredAt }: Asked): boolean {
  return answeredAt !== undefined;
}

function answerMsOf({ sentAt, answeredAt = sentAt }: Asked): number {
  return answeredAt - sentAt;
}
