import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endWithThis } from "../../support/databases/child.ts";
import { seeded } from "../../support/random.ts";
import { createQuickClock, type Quick } from "./quick-clock.ts";
import { messagesOn, openServices, putWatch, type Services } from "./services.ts";
import { type Claim, disagreements, isCalm, shown, write } from "./verdict.ts";

/** What a process is started with. */
export interface ChildOptions {
  readonly storeUrl: string;
  readonly databaseUrl: string;
  readonly videoUrl: string;
  readonly platformUrl: string;
  readonly platformToken: string;
  readonly botId: string;
  readonly guildId: string;
  readonly watchId: string;
  readonly seed: number;
  readonly decides: boolean;
  readonly quick: Quick;
}

export interface KillOptions {
  readonly comments: number;
  readonly kills: number;
  readonly faults: number;
  readonly seed: number;
  /** The address of an empty database; a new file when absent. */
  readonly databaseUrl?: string | undefined;
  /** Called now and then with the progress, because a campaign takes a quarter of an hour. */
  readonly onProgress?: (line: string) => void;
}

export interface KillResult {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly wrong: readonly string[];
  readonly decisions: number;
}

const child = fileURLToPath(new URL("child.ts", import.meta.url));
/** How much faster the campaign's clock runs than the machine's: a lease of 20 s ends within one. */
const speed = 20;
const longestLifeMs = 3_000;
const restMs = 300_000;
const unitsToRefill = 8_000;
/** A process that is not ready by then never will be. */
const startMs = 120_000;
/** A campaign of 300 kills takes 13 minutes on an idle machine. */
const longestMs = 60 * 60_000;
const killsPerLine = 10;

/** Kills processes with SIGKILL at random moments, one after the other. */
export async function killProcesses(options: KillOptions): Promise<KillResult> {
  const { kills, faults, seed, databaseUrl, onProgress = () => undefined } = options;
  const random = seeded(seed);
  const quick = { since: Date.now(), speed };
  const { now } = createQuickClock(quick);
  const services = await openServices({ now, random, faults, databaseUrl });
  try {
    const { platform } = services;
    const watch = await putWatch(services, { digestFrom: 12 });
    const messages = messagesOn(platform, services.now);
    const written = new Map<string, string>();
    const claims = new Map<string, Claim>();

    for (let kill = 0; kill < kills; kill += 1) {
      if (Date.now() - quick.since > longestMs) throw new Error(`${kill} of ${kills} kills so far`);
      if (kill % killsPerLine === 0)
        onProgress(`${kill} of ${kills} kills, ${claims.size} decisions`);
      feed(services, written, { ...options, kill });
      const started = start(services, { watchId: watch.id, seed: seed + kill, quick }, claims);
      await started.ready();
      await wait(random() * longestLifeMs);
      await started.kill();
    }
    onProgress(`${kills} kills, ${claims.size} decisions, the last process works on what is left`);
    const last = start(services, { watchId: watch.id, seed, quick, isLast: true }, claims);
    await last.ready();
    const until = Date.now() + restMs;
    while (Date.now() < until && !(await isCalm(services, watch, written))) await wait(1_000);
    await last.kill();
    return {
      ...shown(written, messages),
      wrong: await disagreements(services, watch, { written, claims }),
      decisions: claims.size,
    };
  } finally {
    await services.close();
  }
}

/** Adds comments so that the last come before the last kill, and refills the quota for them. */
function feed(
  services: Services,
  written: Map<string, string>,
  { comments, kills, kill }: KillOptions & { readonly kill: number },
): void {
  while (written.size < (comments * (kill + 1)) / kills) write(services, written);
  const { quota } = services.video;
  if (quota.spent("units") > unitsToRefill) quota.refill();
}

interface Starting extends Pick<ChildOptions, "watchId" | "seed" | "quick"> {
  readonly isLast?: boolean;
}

function start(
  { storeUrl, databaseUrl, video, platform, guildId }: Services,
  { isLast = false, ...starting }: Starting,
  claims: Map<string, Claim>,
) {
  const options: ChildOptions = {
    storeUrl,
    databaseUrl,
    guildId,
    videoUrl: video.url,
    decides: !isLast,
    ...starting,
    platformUrl: platform.url,
    platformToken: platform.token,
    botId: platform.applicationId,
  };
  const started = spawn(process.execPath, [child, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithThis(started);
  const lines = createInterface({ input: started.stdout });
  const end = once(started, "close");
  const isReady = new Promise<boolean>((resolve) => {
    lines.once("line", () => resolve(true));
    void end.then(() => resolve(false));
  });
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { itemId, ...claim } = JSON.parse(line) as Claim & { readonly itemId: string };
    claims.set(itemId, claim);
  });
  const kill = async () => {
    started.kill("SIGKILL");
    await end;
  };
  return {
    kill,
    /** Rejects if the process ends by itself or is not ready in time. Calling it is optional. */
    ready: async () => {
      const isAlive = await Promise.race([isReady, wait(startMs, "late" as const, { ref: false })]);
      if (isAlive === true) return;
      await kill();
      const why = isAlive === "late" ? "did not start" : "ended by itself";
      throw new Error(`a process of the queue ${why}`);
    },
  };
}
