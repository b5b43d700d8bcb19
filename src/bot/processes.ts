import type { Config } from "../config.ts";
import type { Discord } from "../discord/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { LostError } from "../ownership.ts";
import type { Store } from "../store/index.ts";

interface ProcessesDeps {
  readonly jobs: Pick<Jobs, "handle" | "hold" | "put" | "remove" | "countHeld" | "processId">;
  readonly store: {
    readonly database: Pick<Store["database"], "dialect" | "urgently">;
    readonly interactions: Pick<Store["interactions"], "hasOpen" | "leftBy">;
  };
  /** Connected later, because it needs what is made before. */
  readonly discord: Promise<Discord>;
  readonly config: Pick<Config, "discord">;
  readonly log: Log;
  /** Called when others may have taken this process for dead, before anything else happens: what it does has to stop. */
  readonly onLost: () => void;
}

/** This process among all that share the database. */
export type Processes = Awaited<ReturnType<typeof openProcesses>>;

const queue = "processes";
/** People whose process died are answered at once, or within the 15 minutes in which an answer is possible. */
const queueOptions = {
  concurrency: 4,
  perServer: 1,
  timeoutMs: 15 * 60_000,
  waitMs: { first: 1_000, longest: 30_000 },
} as const;
/** https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const discordRequestsPerSecond = 50;
const lookEveryMs = 5_000;
const holdAgainMs = 500;

/**
 * Each process holds a job for as long as it lives. When it dies, another process runs that job, and with it goes on with
 * what the dead one had not answered. One that may count as dead stops all that it does, and lives on under another id. @throws ServiceError `store_unavailable`
 */
export async function openProcesses(deps: ProcessesDeps) {
  const { jobs, store, discord, config, log } = deps;
  const { requestsPerSecond = discordRequestsPerSecond } = config.discord;
  const isShared =
    config.discord.requestsPerSecond === undefined && store.database.dialect === "postgres";
  let live = 1;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  jobs.handle(queue, queueOptions, async ({ key, signal }) => {
    await (await discord).recover(key, signal);
    return undefined;
  });
  await hold();

  async function hold() {
    const { signal } = await jobs.hold({ queue, key: jobs.processId });
    signal.addEventListener("abort", () => {
      if (!(signal.reason instanceof LostError)) return;
      deps.onLost();
      log.warn("other processes may take this one for dead, so it goes on as a new one");
      void holdAgain();
    });
  }

  async function holdAgain(): Promise<void> {
    try {
      await hold();
    } catch {
      // The database is away, which others log, or another process goes on with what this one has just claimed.
      if (!isClosed) timer = setTimeout(() => void holdAgain(), holdAgainMs).unref();
    }
  }

  async function look(): Promise<void> {
    try {
      live = Math.max(1, await jobs.countHeld(queue));
      // Such a process was killed before it held the job of its new id, or it claimed more after others had taken over the rest.
      for (const key of await store.interactions.leftBy(queue)) await jobs.put({ queue, key });
    } catch {
      // Until the database answers again, as many as before.
    }
  }

  if (isShared) await look();
  const looking = isShared ? setInterval(() => void look(), lookEveryMs).unref() : undefined;
  return {
    /** How many requests this process may send to Discord within a second. */
    requestsPerSecond: () => Math.max(1, Math.floor(requestsPerSecond / (isShared ? live : 1))),
    /**
     * Signs off. Call it after the jobs are closed, because until then they may take over interactions. Where some are not
     * answered its job stays, for another process to run.
     */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(looking);
      clearTimeout(timer);
      const mine = { queue, key: jobs.processId };
      try {
        const isLeft = await store.interactions.hasOpen(mine.key);
        await store.database.urgently<unknown>(() =>
          isLeft ? jobs.put(mine) : jobs.remove(queue, mine.key),
        );
      } catch (error) {
        log.warn("this process was not signed off", { error });
      }
    },
  };
}
