import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseServer } from "../databases/child.ts";
import { type DatabaseAddress, openDatabaseAddress } from "../databases/database-address.ts";
import { startPostgres, startStandby } from "../databases/postgres-server.ts";
import { query } from "../databases/shared-server.ts";
import { seeded } from "../random.ts";
import { saysFailure } from "./asked.ts";
import {
  type BotProcess,
  type BotProcesses,
  type LogLine,
  openBotProcesses,
  type Transport,
} from "./bot-processes.ts";
import { type Load, prepareLoad } from "./load.ts";
import { type StandIns, startStandIns } from "./stand-ins.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface CampaignOptions {
  readonly transport: Transport;
  /** Commands a second. */
  readonly perSecond: number;
  /** Nobody begins anything while so many wait for an answer. No limit when absent. */
  readonly mostWaiting?: number;
  readonly seed: number;
  /** Told where it is now and then. */
  readonly onProgress?: (line: string) => void;
}

/** A campaign under way. */
interface Stage {
  readonly standIns: StandIns;
  readonly storeUrl: string;
  readonly bots: BotProcesses;
  readonly load: Load;
  readonly perSecond: number;
  readonly server: DatabaseServer;
  readonly address: DatabaseAddress;
}

/**
 * No machine fails here, so no disk has to be waited for. A killed server must keep what it confirmed, so commits still wait
 * until the system has the log.
 */
const quick = ["fsync=off", "full_page_writes=off"];
/** Code that runs for the first times is slow. */
const warmUpSeconds = 2;

export interface RollingResult extends Verdict {
  /** Exit codes of the old processes. */
  readonly exitCodes: readonly (number | null)[];
  /** The longest time that an old process took to end. */
  readonly stopMs: number;
}

/** Replaces the only process again and again: a new one starts beside it, and once that is ready the old one is told to stop. */
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
  /** The longest time from a kill until others had all jobs of the dead process. */
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
      // At any moment between two commands.
      await wait((random() * 1_000) / perSecond);
      const victim = bots.all[Math.floor(random() * bots.all.length)] as BotProcess;
      await bots.kill(victim);
      freed.push(untilFree(storeUrl, victim.processId));
      await bots.start();
      onProgress(`${count} of ${kills} kills, ${stage.load.asked.all.length} commands`);
    }
    const verdict = await conclude(stage);
    return { ...verdict, jobsMs: Math.max(...(await Promise.all(freed))) };
  });
}

const longestLifeSeconds = 2;
const lookEveryMs = 200;
const tickMs = 10;
const tooLongMs = 120_000;

/** How long a dead process still has jobs that it had begun. */
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
  /** The longest time from the end of an outage until a command was answered as usual by every process. */
  readonly wellMs: number;
  /** What a process wrote to its log more than twice in an outage, in words. */
  readonly repeated: readonly string[];
}

/** Takes the database away from two processes: it hangs, it is stopped, it is started again, another server takes its place. */
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
      // What is confirmed must not be lost along with the first server.
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
 * What is about no single interaction and was said more than twice, of one job or of all: on a slow machine a database may
 * be gone, back and gone again in one outage.
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

/** How long it takes until all are ready and several commands in a row are answered as usual. */
async function untilWell({ bots, load: { asked } }: Stage): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < tooLongMs) {
    const at = performance.now();
    await wait(lookEveryMs * 5);
    const ready = await Promise.all(bots.all.map(bots.isReady));
    const since = asked.all.filter(({ answeredAt = 0 }) => answeredAt > at);
    const isWell = since.length >= 5 && !since.some(({ text }) => saysFailure(text));
    if (isWell && ready.every(Boolean)) return performance.now() - began;
  }
  return Number.POSITIVE_INFINITY;
}

/** From then on every commit waits until the standby has it too. */
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

async function withStage<Result>(
  { transport, processes, ...options }: CampaignOptions & { readonly processes: number },
  run: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const [server, standIns] = await Promise.all([startPostgres(quick), startStandIns()]);
  const address = await openDatabaseAddress(server.port);
  const { url: storeUrl } = address;
  await standIns.connect(storeUrl);
  const bots = await openBotProcesses({ standIns, storeUrl, transport });
  try {
    for (let count = 0; count < processes; count += 1) await bots.start();
    const load = await prepareLoad({ standIns, ...options });
    await load.prepare();
    load.begin();
    const { perSecond } = options;
    const stage = { standIns, storeUrl, bots, load, perSecond, server, address };
    await pass(stage, warmUpSeconds * perSecond);
    return await run(stage);
  } finally {
    await bots.close();
    await standIns.close();
    await address.close();
    await server.stop();
  }
}

/** Until people have begun so many more commands. */
async function pass({ load: { asked } }: Stage, commands: number): Promise<void> {
  const end = asked.all.length + commands;
  while (asked.all.length < end) await wait(tickMs);
}

async function conclude(stage: Stage): Promise<Verdict> {
  await pass(stage, warmUpSeconds * stage.perSecond);
  await stage.load.end();
  return judge(stage);
}
