import { setTimeout as wait } from "node:timers/promises";
import type { RedisSettings } from "./check.ts";
import { unlessForbidden } from "./check.ts";
import { isRefusal, type RedisClient } from "./client.ts";

interface Rewrite {
  readonly start: (client: RedisClient) => Promise<unknown>;
  readonly running: string;
  readonly status: string;
}

const log: Rewrite = {
  start: (client) => client.bgRewriteAof(),
  running: "aof_rewrite_in_progress",
  status: "aof_last_bgrewrite_status",
};

const snapshot: Rewrite = {
  start: (client) => client.bgSave(),
  running: "rdb_bgsave_in_progress",
  status: "rdb_last_bgsave_status",
};

const longestMs = 120_000;

/** Has the server write its files anew, from memory, where a deleted value is no more. A host that forbids it sees to that itself. */
export async function scrubRedis(client: RedisClient, settings: RedisSettings): Promise<void> {
  if (settings.hasLog !== false) await rewritten(client, log);
  if (settings.hasSnapshots !== false) await rewritten(client, snapshot);
}

async function rewritten(client: RedisClient, { start, running, status }: Rewrite): Promise<void> {
  const ends = performance.now() + longestMs;
  // One that runs already may have begun before the deletion.
  while (!(await started(client, start))) await pause(ends);
  for (;;) {
    const info = await unlessForbidden(() => client.info("persistence"));
    if (info === undefined) return;
    const is = (line: string) => String(info).includes(`\r\n${line}\r\n`);
    const isWaiting = is(`${running}:1`) || is("aof_rewrite_scheduled:1");
    if (!isWaiting && !is(`${status}:ok`)) throw new Error("Redis could not write its files anew");
    if (!isWaiting) return;
    await pause(ends);
  }
}

/** Answers false while the server is at it already. */
async function started(client: RedisClient, start: Rewrite["start"]): Promise<boolean> {
  try {
    await unlessForbidden(() => start(client));
    return true;
  } catch (error) {
    if (isRefusal(error) && /in progress/.test(error.message)) return false;
    throw error;
  }
}

async function pause(ends: number): Promise<void> {
  if (performance.now() > ends) throw new Error("Redis writes its files anew for too long");
  await wait(50);
}
