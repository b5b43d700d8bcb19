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
  /** Commands per second; by default three times what the machine was found to manage. */
  readonly overloadPerSecond?: number | undefined;
  readonly overloadMs: number;
}

export interface OverloadResult extends Verdict {
  /** Commands per second that were really sent during the overload. */
  readonly sentPerSecond: number;
  /** How often a process learned that others took it for dead. */
  readonly dead: number;
  /** Times of the answers that said the bot has too much to do. */
  readonly refusedMs: readonly number[];
  /** Times of all other answers. Decisions always wait for a few seconds. */
  readonly acceptedMs: readonly number[];
  /** The time from the end of the overload until every process ran commands as usual again. */
  readonly wellMs: number;
  readonly peakMiB: number;
}

const timesTooMuch = 3;
const firstRate = 20;
const rateStep = 1.25;
const stepMs = 4_000;
const slowMs = 2_000;

/** Sends three processes three times the commands that they can manage, then few again. */
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

/** The log line of `src/bot/processes.ts`. */
const tookForDead = /may take this one for dead/u;

/** Raises the rate step by step; returns the last one at which answers came soon. */
async function measureCapacity({ load }: CampaignStage): Promise<number> {
  for (let rate = firstRate; ; rate *= rateStep) {
    load.setRate(rate);
    const from = load.asked.all.length;
    await wait(stepMs);
    const asked = load.asked.all.slice(from).filter(({ kind }) => soon.has(kind));
    if (asked.filter(isSlow).length > asked.length / 20) return rate / rateStep;
  }
}

/** Pictures and decisions always take longer. */
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
