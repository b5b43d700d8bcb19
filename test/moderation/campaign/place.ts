import type { REST } from "discord.js";
import type { QuotaState } from "../../../src/budget/index.ts";
import type { ChannelMessages } from "../../../src/channel-messages.ts";
import { createMessageRest } from "../../../src/discord/wire/post.ts";
import { createJobs } from "../../../src/jobs/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { ownRoutes } from "../../support/raw-dispatch.ts";
import { createFence, type Life } from "../support/fence.ts";
import { heldEngine } from "../support/rig.ts";
import { createStillClock } from "../support/still-clock.ts";
import { queueOver } from "./queue-over.ts";
import { openServices } from "./services.ts";

export type Place = Awaited<ReturnType<typeof openPlace>>;
export type Process = ReturnType<Place["start"]>;

export interface PlaceOptions {
  readonly random: () => number;
  /** The share of requests to YouTube and Discord that fail, with a 5xx or a cut connection. */
  readonly faults?: number;
  /** The address of an empty database; a new file when absent. */
  readonly databaseUrl?: string | undefined;
}

/** Longer than anything waits for work under way. */
const closeMs = 60_000;
/** Long, because every look for jobs by an idle process makes the still clock take a step. */
const lookEveryMs = 2_000;
const unitsADay = 10_000;
const pacificDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });

/** The services, and processes that come and go, on a clock that stands still while anything is under way. */
export async function openPlace({ random, faults = 0, databaseUrl }: PlaceOptions) {
  const clock = createStillClock(Date.now());
  const { now } = clock;
  const sleep = () => clock.hold(turn());
  const services = await openServices({ now, random, faults, sleep, databaseUrl });
  const { video, platform, store, database, http } = services;
  const logged: string[] = [];
  const polls = new Map<string, number>();
  const routes = await ownRoutes();
  const languages = createLanguages();
  const log = createLog({
    level: "warn",
    secrets: createSecrets(),
    write: (line) => logged.push(line),
  });
  // Short, because the waits between attempts to post take real time.
  const soon = () => random() / 500;
  const rests: REST[] = [];
  const engine = heldEngine(clock);

  function restFor(): REST {
    const rest = createMessageRest({ api: `${platform.url}/api`, version: "10" });
    rests.push(rest);
    return rest.setToken(platform.token);
  }

  /** Connections to Discord that dead processes have left, for new ones to use. */
  const idle: REST[] = [];

  /** Starts a process that runs moderation. */
  function start(life: Life = {}) {
    const fence = createFence({ random, ...life });
    const unwatch = clock.watch(fence.isBusy);
    const wire = idle.pop() ?? restFor();
    void fence.killed.then(() => idle.push(wire));
    const own = {
      database: fence.database(database),
      clock: fence.clock(clock),
      random,
      log: fence.log(log),
    };
    const jobs = createJobs({ ...own, lookEveryMs });
    const moderation = queueOver({
      ...own,
      jobs,
      engine,
      store: fence.around(store),
      rest: fence.around(wire, "isWire"),
      http: { ...http, request: fence.around({ request: http.request }, "isWire").request },
      around: holding,
      routes,
      languages,
      soon,
      videoUrl: video.url,
      botId: platform.applicationId,
      left: async () => left(),
      onPoll: (outcome) => polls.set(outcome, (polls.get(outcome) ?? 0) + 1),
    });
    jobs.start();

    /** Stops the clock during these calls, because the waits between attempts to post take real time. */
    function holding(given: ChannelMessages): ChannelMessages {
      const held = <G extends unknown[], T>(call: (...given: G) => Promise<T>) => {
        return (...all: G) => {
          const work = call(...all);
          void clock.hold(Promise.race([work, fence.killed])).catch(() => undefined);
          return work;
        };
      };
      const { post, edit, close, remove, find } = given;
      return {
        post: held(post),
        edit: held(edit),
        close: held(close),
        remove: held(remove),
        find: held(find),
      };
    }

    return {
      moderation,
      fence,
      /** Waits for work that was requested from outside; undefined if the process was killed meanwhile. */
      ask: async <T>(work: Promise<T>) => {
        const asking = Promise.race([work, fence.killed.then(() => undefined)]);
        return clock.hold(asking);
      },
      /** Stops the process as a supervisor does. */
      close: async () => {
        const closed = jobs.close();
        await clock.pass(closeMs);
        await Promise.race([closed, fence.killed]);
        fence.kill();
        unwatch();
      },
    };
  }

  function left(): QuotaState {
    const used = video.quota.spent("units");
    return {
      used,
      limit: unitsADay,
      left: unitsADay - used,
      reserved: 0,
      blocked: false,
      resetsAt: midnightAfter(now()),
    };
  }

  return {
    ...services,
    clock,
    /** Warnings and errors in the log. */
    logged,
    /** How often polls had each outcome. */
    polls,
    start,
    close: async () => {
      for (const rest of rests) {
        rest.clearHashSweeper();
        rest.clearHandlerSweeper();
      }
      await services.close();
    },
  };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function midnightAfter(at: number): Date {
  const hour = 3_600_000;
  const today = pacificDay.format(at);
  let next = Math.floor(at / hour) * hour + hour;
  while (pacificDay.format(next) === today) next += hour;
  return new Date(next);
}
