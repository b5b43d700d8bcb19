import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseServer } from "../databases/child.ts";
import { startStandby } from "../databases/postgres-server.ts";
import { query } from "../databases/shared-server.ts";
import { seeded } from "../random.ts";
import type { BotProcess, BotProcesses, LogLine } from "./bot-processes.ts";
import {
  type CampaignOptions,
  conclude,
  lookEveryMs,
  pass,
  tooLongMs,
  untilWell,
  withStage,
} from "./campaign-stage.ts";
import type { Verdict } from "./verdict.ts";

export interface RollingResult extends Verdict {
  /** Exit codes of the old processes. */
  readonly exitCodes: readonly (number | null)[];
  /** The longest time that an old process took to end. */
  readonly stopMs: number;
}

/** Replaces the only process again and again: starts a new one beside it and, once that is ready, stops the old one. */
export async function replaceProcesses(
  options: CampaignOptions & { readonly replacements: number },
): Promise<RollingResult> {
  const { replacements, onProgress = () => undefined } = options;
  return withStage({ ...options, processes: 1 }, async (stage) => {
    const { bots } = stage;
    const stops: Awaited<ReturnType<BotProcesses["stop"]>>[] = [];
    let [old] = bots.all;
    for (let count = 1; count <= replacements; count += 1) {
      const next = await bots.start();
      if (old !== undefined) stops.push(await bots.stop(old));
      old = next;
      onProgress(
        `${count} of ${replacements} replacements, ${stage.load.asked.all.length} commands`,
      );
    }
    return {
      ...(await conclude(stage)),
      exitCodes: stops.map(({ code }) => code),
      stopMs: Math.max(...stops.map(({ tookMs }) => tookMs)),
    };
  });
}

export interface KilledResult extends Verdict {
  /** The longest time from a kill until the other processes had taken over all jobs of the dead one. */
  readonly jobsMs: number;
}

/** Kills one of three processes again and again, at any moment, and starts another in its place. */
export async function killProcesses(
  options: CampaignOptions & { readonly kills: number },
): Promise<KilledResult> {
  const { kills, seed, perSecond, onProgress = () => undefined } = options;
  const random = seeded(seed);
  return withStage({ ...options, processes: 3 }, async (stage) => {
    const { bots, storeUrl } = stage;
    const freed: Promise<number>[] = [];
    for (let count = 1; count <= kills; count += 1) {
      await pass(stage, random() * longestLifeSeconds * perSecond);
      // So that the kill comes at any moment between two commands.
      await wait((random() * 1_000) / perSecond);
      const victim = bots.all[Math.floor(random() * bots.all.length)] as BotProcess;
      await bots.kill(victim);
      freed.push(untilFree(storeUrl, victim.processId));
      const { startMs } = await bots.start();
      const commands = stage.load.asked.all.length;
      onProgress(
        `${count} of ${kills} kills, ${commands} commands; started in ${Math.round(startMs)} ms`,
      );
    }
    const verdict = await conclude(stage);
    return { ...verdict, jobsMs: Math.max(...(await Promise.all(freed))) };
  });
}

const longestLifeSeconds = 2;

export interface PausedResult extends Verdict {
  /** How often a process exited because it had been paused. */
  readonly exits: number;
}

/** Pauses one of three processes again and again, as happens on a machine that swaps or is moved to another host. */
export async function pauseProcesses(
  options: CampaignOptions & { readonly pauses: number; readonly pauseMs: number },
): Promise<PausedResult> {
  const { pauses, pauseMs, seed, perSecond, onProgress = () => undefined } = options;
  const random = seeded(seed);
  return withStage({ ...options, processes: 3 }, async (stage) => {
    const { bots } = stage;
    let exits = 0;
    for (let count = 1; count <= pauses; count += 1) {
      await pass(stage, random() * longestLifeSeconds * perSecond);
      await wait((random() * 1_000) / perSecond);
      const victim = bots.all[Math.floor(random() * bots.all.length)] as BotProcess;
      bots.pause(victim);
      await wait(pauseMs);
      bots.goOn(victim);
      await untilReady(bots, victim);
      if (victim.child.exitCode !== null) {
        exits += 1;
        await bots.stop(victim);
        await bots.start();
      }
      onProgress(`${count} of ${pauses} pauses, ${stage.load.asked.all.length} commands`);
    }
    return { ...(await conclude(stage)), exits };
  });
}

/** Resolves when the process is ready again or has ended. */
async function untilReady(bots: BotProcesses, bot: BotProcess): Promise<void> {
  const began = performance.now();
  while (!(await bots.isReady(bot)) && bot.child.exitCode === null) {
    if (performance.now() - began > tooLongMs) throw new Error("a process stands still for good");
    await wait(lookEveryMs);
  }
}

/** Resolves when a dead process holds no jobs any more; returns how long that took. */
async function untilFree(storeUrl: string, processId: string): Promise<number> {
  const began = performance.now();
  const held = "select from jobs where locked_by = $1 limit 1";
  while ((await query(storeUrl, held, [processId])).length > 0) {
    if (performance.now() - began > tooLongMs) break;
    await wait(lookEveryMs);
  }
  return performance.now() - began;
}

export interface AwayResult extends Verdict {
  /** The longest time from the end of an outage until every process ran commands as usual again. */
  readonly wellMs: number;
  /** Lines that a process wrote to its log more than twice in one outage, with their number. */
  readonly repeated: readonly string[];
}

/** Cuts two processes off from their database: it hangs, is stopped, restarts, and is replaced by another server. */
export async function takeDatabaseAway(
  options: CampaignOptions & { readonly awayMs: number },
): Promise<AwayResult> {
  const { awayMs, onProgress = () => undefined } = options;
  return withStage({ ...options, processes: 2 }, async (stage) => {
    const { server, address } = stage;
    const standby = await startStandby(server);
    let wellMs = 0;
    const repeated: string[] = [];

    async function endure(name: string, outage: () => Promise<void>): Promise<void> {
      const from = stage.bots.all.map(({ warnings }) => warnings.length);
      await outage();
      const tookMs = await untilWell(stage);
      wellMs = Math.max(wellMs, tookMs);
      for (const [n, { warnings }] of stage.bots.all.entries())
        repeated.push(...repeatedIn(warnings.slice(from[n])).map((text) => `${name}: ${text}`));
      onProgress(`${name}: well again after ${Math.round(tookMs)} ms`);
    }

    try {
      await endure("it hangs", async () => {
        server.pause();
        await wait(awayMs);
        server.goOn();
      });
      await endure("it is stopped", async () => {
        await server.kill();
        await wait(awayMs);
        await server.start();
      });
      await endure("it is started again", async () => {
        await server.kill();
        await server.start();
      });
      // So that nothing confirmed is lost with the first server.
      await waitForStandby(server);
      await endure("another takes its place", async () => {
        await server.kill();
        address.lead(standby.port);
        await wait(awayMs);
        await query(standby.url, "select pg_promote()");
      });
      return { ...(await conclude(stage)), wellMs, repeated };
    } finally {
      await standby.stop();
    }
  });
}

/**
 * Log lines that belong to no interaction and came more than twice, each with its number. Twice is allowed: on a slow
 * machine a database may be gone, back and gone again in one outage.
 */
function repeatedIn(lines: readonly LogLine[]): readonly string[] {
  const general = lines.filter(({ interaction }) => interaction === undefined);
  const byText = Map.groupBy(general, ({ message, room, queue = "", key = "" }) =>
    [room, message, queue, key].join(" ").trim(),
  );
  return [...byText].flatMap(([text, { length }]) =>
    length > 2 ? [`${length} times: ${text}`] : [],
  );
}

/** Makes every commit wait from now on until the standby has it too. */
async function waitForStandby({ url }: DatabaseServer): Promise<void> {
  await query(url, "alter system set synchronous_standby_names = '*'");
  await query(url, "select pg_reload_conf()");
  const began = performance.now();
  const text = "select from pg_stat_replication where sync_state = 'sync'";
  while ((await query(url, text)).length === 0) {
    if (performance.now() - began > tooLongMs) throw new Error("the standby does not follow");
    await wait(lookEveryMs);
  }
}
