import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { startPostgres } from "../support/databases/postgres-server.ts";
import { freePort } from "../support/free-port.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import type {
  LightApplication,
  LightDiscordOptions,
  LoadQuestion,
  LoadResult,
  Transport,
} from "./light-discord-protocol.ts";
import { cpuOf } from "./process-cpu.ts";
import { startService } from "./service.ts";

/** How bots are run: one process with SQLite, or several that share PostgreSQL. */
export interface ScaleSetup {
  readonly transport: Transport;
  readonly database: "sqlite" | "postgres";
  readonly processes: number;
}

interface StageOptions extends ScaleSetup {
  readonly idleGuilds?: number;
  readonly nodeFlags?: readonly string[];
  /** Called before the first bot starts, with the address of the database server. */
  readonly fill?: (storeUrl: string) => Promise<void>;
}

/** The result of a load, and the CPU that the bots and the database used meanwhile. */
export interface MeasuredLoad extends LoadResult {
  readonly botCpuMs: number;
  readonly databaseCpuMs: number;
}

/** Bots as operators run them, with a load generator and a database; each in a process of its own. */
export interface ScaleStage {
  readonly bots: readonly SpawnedBot[];
  /** From the start of the first process to the first acknowledgement. */
  readonly firstMs: number;
  readonly ask: (question: LoadQuestion) => Promise<MeasuredLoad>;
  close(): Promise<void>;
}

/** For more servers, reading their roles would take more than the 50 requests a second that Discord allows. */
const activeGuilds = 100;

export async function openScaleStage(options: StageOptions): Promise<ScaleStage> {
  const { transport, database, processes, idleGuilds = 0, nodeFlags = [] } = options;
  const shards = transport === "gateway" ? processes : 1;
  const light: LightDiscordOptions = {
    transport,
    activeGuilds,
    idleGuilds,
    shards,
  };
  const discord = await startService("light-discord", JSON.stringify(light));
  const { token, publicKey } = await discord.ask<LightApplication>({ kind: "application" });
  const server = database === "postgres" ? await startPostgres() : undefined;
  const bots: SpawnedBot[] = [];
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);

  const close = async () => {
    await Promise.allSettled(bots.map((bot) => bot.stop()));
    await discord.stop();
    await server?.stop();
  };

  async function start(port: number, n: number): Promise<void> {
    const [before] = bots;
    const shardEnvironment: Record<string, string> =
      processes > 1 ? { SHARDS: String(n), SHARD_COUNT: String(processes) } : {};
    const httpEnvironment = {
      DISCORD_PUBLIC_KEY: publicKey,
      PUBLIC_URL: urls[n] ?? "",
      PORT: String(port),
    };
    const bot = await spawnBot({
      platform: { url: discord.url, token, guildId: "" },
      ...(before !== undefined && { masterKey: before.masterKey }),
      nodeFlags,
      env: {
        ...(server !== undefined && { STORE_URL: server.url }),
        ...(transport === "http" ? httpEnvironment : shardEnvironment),
      },
    });
    bots.push(bot);
    // A bot alone gets a core; several share what there is with the database and the generator.
    pin(bot.child.pid, n);
  }

  let firstMs = Number.NaN;
  const usage = () => ({
    bots: bots.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0),
    database: server === undefined ? 0 : cpuOf(server.pid()),
  });

  try {
    if (processes === 1) for (const pid of [discord.pid, server?.pid()]) pin(pid, 1);
    if (server !== undefined) await options.fill?.(server.url);
    await discord.ask({ kind: "targets", urls: urls.slice(0, 1) });
    const startedAt = Date.now();
    const first = discord.ask<LoadResult>({ kind: "first" });
    for (const [n, port] of ports.entries()) {
      await start(port, n);
      if (n === 0) firstMs = (await first).firstAt - startedAt;
    }
    await discord.ask({ kind: "targets", urls });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    bots,
    firstMs,
    async ask(question) {
      const before = usage();
      const result = await discord.ask<LoadResult>(question);
      const after = usage();
      return {
        ...result,
        botCpuMs: after.bots - before.bots,
        databaseCpuMs: after.database - before.database,
      };
    },
    close,
  };
}

/** Pins a process with all its threads to one core; does nothing without `taskset` or with only one core. */
function pin(pid: number | undefined, core: number): void {
  const cores = cpus().length;
  if (pid === undefined || cores < 2) return;
  try {
    execFileSync("taskset", ["-acp", String(core % cores), String(pid)], { stdio: "ignore" });
  } catch {
    // The process is measured all the same, with what the machine gives it.
  }
}
