import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { REST } from "discord.js";
import type { Desk } from "../../../src/desk.ts";
import { createDeskRest } from "../../../src/discord/wire/post.ts";
import { createHttp } from "../../../src/http/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import type { Moderation } from "../../../src/moderation/index.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { type Platform, startPlatform } from "../../../src/sandbox/platform/index.ts";
import {
  type SeenRequest,
  startVideo,
  type VideoServer,
} from "../../../src/sandbox/video/index.ts";
import { openStore, type Store, type Watch } from "../../../src/store/index.ts";
import {
  createVideoClient,
  type Left,
  type VideoClient,
  warmVideoClient,
} from "../../../src/video/index.ts";
import { ownRoutes } from "../../support/raw-dispatch.ts";
import { createFence, type Fence, type Life } from "./fence.ts";
import { queueOver, token } from "./queue-over.ts";
import { createStillClock, type StillClock } from "./still-clock.ts";

/** One process of the bot, as far as the queue is concerned. */
export interface Process {
  readonly moderation: Moderation;
  readonly fence: Fence;
  /** What it is asked from outside; undefined where it was killed meanwhile. */
  ask<T>(work: Promise<T>): Promise<T | undefined>;
  /** Stops it as a supervisor does. */
  close(): Promise<void>;
}

/** Stand-ins over the wire, a store on the disk, and processes that come and go. */
export interface Place {
  readonly clock: StillClock;
  readonly video: VideoServer;
  readonly platform: Platform;
  readonly store: Store;
  readonly guildId: string;
  /** Acts as the creator. */
  readonly client: VideoClient;
  /** What the video stand-in was asked, in the order of its answers. */
  readonly asked: readonly SeenRequest[];
  /** Lines of the log of level warn and above. */
  readonly logged: readonly string[];
  /** Outcomes of polls, and how often each came. */
  readonly polls: ReadonlyMap<string, number>;
  start(life?: Life): Process;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly random: () => number;
  /** Share of requests that fail, 5xx and cuts, on the video service and on the platform. */
  readonly faults?: number;
}

/** Longer than anybody waits for what is under way. */
const closeMs = 60_000;
const keys = [{ id: "k1", key: new Uint8Array(32).fill(3) }];
const unitsADay = 10_000;
const pacificDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });

export async function openPlace({ random, faults = 0 }: PlaceOptions): Promise<Place> {
  const folder = mkdtempSync(join(memoryFolder(), "greenroom-campaign-"));
  const clock = createStillClock(Date.now());
  const { now } = clock;
  const asked: SeenRequest[] = [];
  const logged: string[] = [];
  const polls = new Map<string, number>();
  const video = await startVideo({
    ...{ random, now },
    identify: (given) =>
      given === token
        ? { channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }
        : undefined,
    onRequest: (seen) => asked.push(seen),
  });
  const platform = await startPlatform({ random, now, hasLimits: false });
  const store = await openStore({ url: `sqlite:${join(folder, "bot.sqlite")}`, keys, now });
  const routes = await ownRoutes();
  const languages = createLanguages();
  const log = createLog({
    level: "warn",
    secrets: createSecrets(),
    write: (line) => logged.push(line),
  });
  // Waits between tries are real ones, and time stands still meanwhile.
  const soon = () => random() / 500;
  const http = createHttp({ now, random: soon, sleep: () => clock.hold(turn()) });
  const rests: REST[] = [];
  // Time does not stand still while code is loaded.
  await Promise.all([http.warm(), warmVideoClient()]);

  function restFor(): REST {
    const rest = createDeskRest({ api: `${platform.url}/api`, version: "10" });
    rests.push(rest);
    return rest.setToken(platform.token);
  }

  for (const one of [video, platform]) {
    for (const fault of faultsOf(faults)) one.faults.add(fault);
  }

  /** One way to the platform for whoever lives at the same time. */
  const idle: REST[] = [];

  function start(life: Life = {}): Process {
    const fence = createFence({ random, ...life });
    const unwatch = clock.watch(fence.isBusy);
    const wire = idle.pop() ?? restFor();
    void fence.killed.then(() => idle.push(wire));
    const moderation = queueOver({
      store: fence.around(store),
      rest: fence.around(wire, "isWire"),
      http: { ...http, request: fence.around({ request: http.request }, "isWire").request },
      clock: fence.clock(clock),
      around: holding,
      ...{
        routes,
        languages,
        random,
        soon,
        log,
        videoUrl: video.url,
        botId: platform.applicationId,
      },
      left: async () => left(),
      onPoll: (outcome) => polls.set(outcome, (polls.get(outcome) ?? 0) + 1),
    });
    moderation.start();

    /** Waits between tries of the desk are real ones. */
    function holding(given: Desk): Desk {
      const held = <G extends unknown[], T>(call: (...given: G) => Promise<T>) => {
        return (...all: G) => {
          const work = call(...all);
          void clock.hold(Promise.race([work, fence.killed])).catch(() => undefined);
          return work;
        };
      };
      const { post, edit, remove, find } = given;
      return { post: held(post), edit: held(edit), remove: held(remove), find: held(find) };
    }

    return {
      moderation,
      fence,
      ask: async (work) => {
        const asking = Promise.race([work, fence.killed.then(() => undefined)]);
        return clock.hold(asking);
      },
      close: async () => {
        const closed = moderation.close();
        await clock.pass(closeMs);
        await Promise.race([closed, fence.killed]);
        fence.kill();
        unwatch();
      },
    };
  }

  function left(): Left {
    const used = video.quota.spent("units");
    return {
      ...{ used, limit: unitsADay, left: unitsADay - used, reserved: 0, blocked: false },
      resetsAt: midnightAfter(now()),
    };
  }

  return {
    ...{ clock, video, platform, store, asked, logged, polls, start },
    guildId: platform.guildId,
    client: createVideoClient({ baseUrl: video.url, token, http, now }),
    close: async () => {
      await http.close();
      for (const rest of rests) {
        rest.clearHashSweeper();
        rest.clearHandlerSweeper();
      }
      await store.close();
      await Promise.all([video.close(), platform.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A file, without a disk's waits for each of a hundred thousand writes: what is killed here is never the machine. */
function memoryFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** Half of them answers of the 5xx kind, the rest cuts before and after the work. */
function faultsOf(share: number): readonly Fault[] {
  if (share === 0) return [];
  return [
    { kind: "answer", status: 503, rate: share / 2 },
    { kind: "cut-before", rate: share / 4 },
    { kind: "cut-after", rate: share / 4 },
  ];
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

/** A watch of the platform's channel, or of another one of it. */
export function watchOf(place: Place, change: Partial<Watch> = {}): Watch {
  return {
    id: "a1".repeat(8),
    channelId: place.platform.channelId,
    source: place.video.ownChannelId,
    states: ["heldForReview"],
    ...{ paceMs: 60_000, digestFrom: 5, addedBy: place.platform.ownerId },
    addedAt: place.clock.now(),
    ...change,
  };
}

/** A message or post as it came to be. */
export interface LeftMessage {
  readonly text: string;
  readonly at: number;
}

/** Notes every message that comes to be on the platform, each once, by its id. */
export function messagesOn(
  platform: Platform,
  now: () => number,
): ReadonlyMap<string, LeftMessage> {
  const left = new Map<string, LeftMessage>();
  platform.onExchange(({ method, path, status, responseBody }) => {
    if (method !== "POST" || !/\/channels\/\d+\/(messages|threads)$/.test(path)) return;
    if (status < 200 || status >= 300) return;
    const { id } = responseBody as { readonly id: string };
    if (!left.has(id)) left.set(id, { text: JSON.stringify(responseBody), at: now() });
  });
  return left;
}
