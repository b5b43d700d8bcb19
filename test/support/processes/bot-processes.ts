import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Balancer, startBalancer } from "../../../src/sandbox/balancer.ts";
import { childEnvironment } from "../child-environment.ts";
import { endWithThis } from "../databases/child.ts";
import { query } from "../databases/shared-server.ts";
import { freePort } from "../free-port.ts";
import { eachLine, startFlags } from "../spawn-bot.ts";
import type { StandIns } from "./stand-ins.ts";

export type Transport = "gateway" | "http";

/** One process of the bot: `src/main.ts` with the flags of `npm start`. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** Its id as a holder of jobs. */
  readonly processId: string;
  /** The address for Discord's requests. */
  readonly url: string;
  /** The time from its start until it was ready. */
  readonly startMs: number;
  /** Warnings and errors in its log, parsed. */
  readonly warnings: readonly LogLine[];
}

export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };

/** Processes that share a database; Discord's requests are spread among those that are ready. */
export type BotProcesses = Awaited<ReturnType<typeof openBotProcesses>>;

interface BotProcessesOptions {
  readonly standIns: StandIns;
  readonly storeUrl: string;
  readonly transport: Transport;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * How often the balancer asks each process whether it is ready; a process that is stopping still serves for two
 * seconds.
 */
const lookEveryMs = 250;
const startMs = 90_000;

export async function openBotProcesses(options: BotProcessesOptions) {
  const { standIns, storeUrl, transport } = options;
  const isHttp = transport === "http";
  const balancer: Balancer | undefined = isHttp ? await startBalancer() : undefined;
  const all: RunningBot[] = [];
  let isClosed = false;
  /** Whether Discord knows the balancer's address. */
  let isKnown = false;
  const looking = look();

  async function look(): Promise<void> {
    for (; !isClosed; await wait(lookEveryMs)) {
      const known = [...all];
      const answers = await Promise.all(known.map(isReady));
      const ready = known.filter((bot, n) => answers[n] && all.includes(bot));
      // If no process is ready, all get requests, as with Amazon's and Envoy's balancers.
      balancer?.use((ready.length > 0 ? ready : all).map(({ url }) => url));
    }
  }

  async function isReady({ healthUrl }: RunningBot): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(`${healthUrl}/readyz`, { signal });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  /** Each process holds a job whose key is the process's id. */
  async function processIds(): Promise<readonly string[]> {
    const rows = await query(storeUrl, "select key from jobs where queue = 'processes'");
    return rows.map(({ key }) => String(key));
  }

  async function start(): Promise<RunningBot> {
    const [port, healthPort] = [await freePort(), await freePort()];
    const began = performance.now();
    const httpEnv: Record<string, string> = {
      DISCORD_PUBLIC_KEY: standIns.platform.publicKey,
      PUBLIC_URL: balancer?.url ?? "",
      PORT: `${port}`,
    };
    const child = spawn(process.execPath, [...startFlags, "src/main.ts"], {
      cwd: join(import.meta.dirname, "../../.."),
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...childEnvironment,
        ...standIns.env,
        STORE_URL: storeUrl,
        LOG_LEVEL: "warn",
        HEALTH_PORT: `${healthPort}`,
        ...(isHttp && httpEnv),
        ...options.env,
      },
    });
    endWithThis(child);
    const warnings: LogLine[] = [];
    let said = "";
    eachLine(child.stdout, (line) => warnings.push(JSON.parse(line) as LogLine));
    child.stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
    const bot: RunningBot = {
      child,
      warnings,
      url: `http://127.0.0.1:${port}`,
      healthUrl: `http://127.0.0.1:${healthPort}`,
      startMs: 0,
      processId: "",
    };
    all.push(bot);
    while (!(await isReady(bot))) {
      const isLate = performance.now() - began > startMs;
      if (isLate || child.exitCode !== null || child.signalCode !== null) {
        const lines = warnings.slice(-5).map((line) => JSON.stringify(line));
        throw new Error(`a bot did not start (${child.exitCode}): ${said}\n${lines.join("\n")}`);
      }
      await wait(50);
    }
    bot.startMs = performance.now() - began;
    return bot;
  }

  async function end(bot: BotProcess, signal: NodeJS.Signals) {
    const began = performance.now();
    const { child } = bot;
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    const at = all.indexOf(bot as RunningBot);
    if (at !== -1) all.splice(at, 1);
    return { code: child.exitCode, tookMs: performance.now() - began };
  }

  return {
    all,
    /** Resolves when the process is ready. To be called for one process at a time. */
    async start() {
      const before = await processIds();
      const bot = await start();
      bot.processId = (await processIds()).find((id) => !before.includes(id)) ?? "";
      if (balancer !== undefined && !isKnown) {
        isKnown = true;
        balancer.use([bot.url]);
        await standIns.platform.setInteractionsUrl(`${balancer.url}/discord/interactions`);
      }
      return bot;
    },
    isReady: (bot: BotProcess) => isReady(bot as RunningBot),
    /** Sends SIGTERM; returns the exit code and the time until the exit. */
    stop: (bot: BotProcess) => end(bot, "SIGTERM"),
    /** Sends SIGKILL. */
    kill: async (bot: BotProcess) => void (await end(bot, "SIGKILL")),
    /**
     * Sends SIGSTOP: the process keeps its connections, and the kernel accepts more of them, but it does nothing until
     * `goOn`.
     */
    pause: ({ child }: BotProcess) => void child.kill("SIGSTOP"),
    /** Sends SIGCONT. */
    goOn: ({ child }: BotProcess) => void child.kill("SIGCONT"),
    /** The most memory that each running process has had at once, in MiB; Linux only. */
    peakMiB: () => all.map(({ child }) => readPeakMiB(child.pid ?? 0)),
    async close() {
      isClosed = true;
      await Promise.all([...all].map((bot) => end(bot, "SIGKILL")));
      await looking;
      await balancer?.close();
    },
  };
}

interface RunningBot extends BotProcess {
  processId: string;
  startMs: number;
  readonly healthUrl: string;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
function readPeakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) / 1_024;
}
