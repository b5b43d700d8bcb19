import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seeded } from "../../support/random.ts";
import { createQuickClock, type Quick } from "./quick-clock.ts";
import { messagesOn, openServices, type Services, watchOf } from "./services.ts";
import { type Claim, disagreements, isCalm, shown, write } from "./verdict.ts";

/** What a process is started with. */
export interface ChildOptions {
  readonly storeUrl: string;
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
}

export interface KillResult {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly wrong: readonly string[];
  readonly decisions: number;
}

const child = fileURLToPath(new URL("child.ts", import.meta.url));
/** So many times as fast as the machine's: leases of 20 s end within one. */
const speed = 20;
const longestLifeMs = 3_000;
const restMs = 300_000;
const unitsToRefill = 8_000;

/** Processes that are killed with SIGKILL, one after the other, whatever they are doing. */
export async function killProcesses(options: KillOptions): Promise<KillResult> {
  const { comments, kills, faults, seed } = options;
  const random = seeded(seed);
  const quick = { since: Date.now(), speed };
  const services = await openServices({ now: createQuickClock(quick).now, random, faults });
  try {
    const { store, guildId, video, platform } = services;
    const watch = watchOf(services, { digestFrom: 12 });
    await store.moderation.watches.update(guildId, watch.id, () => watch);
    const messages = messagesOn(platform, services.now);
    const written = new Map<string, string>();
    const claims = new Map<string, Claim>();

    for (let kill = 0; kill < kills; kill += 1) {
      while (written.size < (comments * (kill + 1)) / kills) write(services, written);
      if (video.quota.spent("units") > unitsToRefill) video.quota.refill();
      const started = start(services, { watchId: watch.id, seed: seed + kill, quick }, claims);
      await started.ready;
      await wait(random() * longestLifeMs);
      await started.kill();
    }
    const last = start(services, { watchId: watch.id, seed, quick, isLast: true }, claims);
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

interface Starting extends Pick<ChildOptions, "watchId" | "seed" | "quick"> {
  readonly isLast?: boolean;
}

function start(
  { storeUrl, video, platform, guildId }: Services,
  { isLast = false, ...starting }: Starting,
  claims: Map<string, Claim>,
) {
  const options: ChildOptions = {
    ...{ storeUrl, guildId, videoUrl: video.url, decides: !isLast, ...starting },
    ...{ platformUrl: platform.url, platformToken: platform.token },
    botId: platform.applicationId,
  };
  const started = spawn(process.execPath, [child, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: started.stdout });
  const end = once(started, "close");
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { itemId, ...claim } = JSON.parse(line) as Claim & { readonly itemId: string };
    claims.set(itemId, claim);
  });
  return {
    ready: Promise.race([once(lines, "line"), end.then(died)]),
    kill: async () => {
      started.kill("SIGKILL");
      await end;
    },
  };
}

function died(): never {
  throw new Error("a process of the queue ended by itself");
}
