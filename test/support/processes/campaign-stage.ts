import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseServer } from "../databases/child.ts";
import { type DatabaseAddress, openDatabaseAddress } from "../databases/database-address.ts";
import { startPostgres } from "../databases/postgres-server.ts";
import { saysFailure } from "./asked.ts";
import { type BotProcesses, openBotProcesses, type Transport } from "./bot-processes.ts";
import { type Load, prepareLoad } from "./load.ts";
import { type StandIns, startStandIns } from "./stand-ins.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface CampaignOptions {
  readonly transport: Transport;
  /** Commands per second. */
  readonly perSecond: number;
  /** Nothing new is begun while this many commands wait for an answer. No limit when absent. */
  readonly mostWaiting?: number;
  readonly seed: number;
  /** Called now and then with a line about the progress. */
  readonly onProgress?: (line: string) => void;
}

/** A running campaign. */
export interface CampaignStage {
  readonly standIns: StandIns;
  readonly storeUrl: string;
  readonly bots: BotProcesses;
  readonly load: Load;
  readonly perSecond: number;
  readonly server: DatabaseServer;
  readonly address: DatabaseAddress;
}

/**
 * No machine fails in a campaign, so nothing has to wait for a disk. But a killed server must keep what it confirmed,
 * so commits still wait until the operating system has the log.
 */
const quick = ["fsync=off", "full_page_writes=off"];
/** Code is slow while it runs for the first few times. */
const warmUpSeconds = 2;

export const lookEveryMs = 200;
export const tooLongMs = 120_000;
const tickMs = 10;

/** Waits until all processes are ready and several commands in a row succeed; returns how long that took. */
export async function untilWell({ bots, load: { asked } }: CampaignStage): Promise<number> {
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

export async function withStage<Result>(
  { transport, processes, ...options }: CampaignOptions & { readonly processes: number },
  run: (stage: CampaignStage) => Promise<Result>,
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

/** Waits until people have begun that many more commands. */
export async function pass({ load: { asked } }: CampaignStage, commands: number): Promise<void> {
  const end = asked.all.length + commands;
  while (asked.all.length < end) await wait(tickMs);
}

export async function conclude(stage: CampaignStage): Promise<Verdict> {
  await pass(stage, warmUpSeconds * stage.perSecond);
  await stage.load.end();
  return judge(stage);
}
