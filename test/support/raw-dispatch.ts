import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { APIInteraction, REST } from "discord.js";
import { collectRoutes, type Routes } from "../../src/discord/declare/routes.ts";
import { loadCommands } from "../../src/discord/index.ts";
import { createDispatcher } from "../../src/discord/run/dispatch.ts";
import {
  reopenForm,
  tryAgainPrivately,
  tryAgainPublicly,
} from "../../src/discord/run/failure-buttons.ts";
import {
  createRunningHandlers,
  type RunningHandlers,
} from "../../src/discord/run/running-handlers.ts";
import type { ObservedOutcome, Services } from "../../src/discord/run/services.ts";
import { createFeatureContexts, type FeatureServices } from "../../src/features/index.ts";
import { createLanguages } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { createClaimedInteractions } from "./claimed-interactions.ts";
import { guildWithEveryRole, rolesFrom } from "./guild-roles.ts";

/** A request to Discord. */
export interface Sent {
  readonly method: "post" | "patch" | "delete";
  readonly path: string;
  readonly body: unknown;
}

/** The result of one raw interaction. */
export interface Received {
  readonly observed: ObservedOutcome;
  /** The failure's code, or `answered`. */
  readonly code: string;
  readonly sent: readonly Sent[];
  /** Parts of the bot, other than Discord and the store, that were called. */
  readonly reached: readonly string[];
}

/** Runs interactions without a gateway: real commands and a real store, but no YouTube, remove.bg and so on. */
export interface RawDispatch {
  readonly routes: Routes;
  readonly store: Store;
  readonly running: RunningHandlers;
  /** Milliseconds; `pass` advances it. */
  now(): number;
  pass(ms: number): void;
  /** `waitedMs` is how long ago the interaction arrived. */
  receive(interaction: unknown, waitedMs?: number): Promise<Received>;
  /** Changes with every write to the store. */
  version(): unknown;
  /** Sets Discord's answer to requests about a server. By default every permission has a role of its own. */
  answerGuilds(answer: (guildId: string) => Promise<unknown>): void;
  /** How often Discord was asked about a server so far. */
  guildReads(): number;
  /** Another dispatcher on the same store, as in another process. */
  another(): RawDispatch;
  close(): Promise<void>;
}

/** The bot's own commands with their routes, made as `connectDiscord` makes them. */
export async function ownRoutes(): Promise<Routes> {
  const folder = new URL("../../commands/", import.meta.url);
  return collectRoutes(await loadCommands(folder), [
    reopenForm,
    tryAgainPublicly,
    tryAgainPrivately,
  ]);
}

export async function openRawDispatch(change: (store: Store) => Store = (store) => store) {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-dispatch-"));
  const file = join(folder, "bot.sqlite");
  const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
  let clock = Date.now();
  const now = () => clock;
  const opened = await openStore({ url: `sqlite:${file}`, keys, now });
  // Every interaction is recorded, even a refused one, so `version` leaves those records out.
  const store = change({ ...opened, interactions: createClaimedInteractions() });
  const routes = await ownRoutes();
  const reader = new DatabaseSync(file, { readOnly: true });
  const close = async () => {
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };

  function open(): RawDispatch {
    const sent: Sent[] = [];
    const reached: string[] = [];
    let observed: ObservedOutcome | undefined;
    const running = createRunningHandlers();
    let reads = 0;
    let answer = async (guildId: string): Promise<unknown> => guildWithEveryRole(guildId);
    const serverRoles = rolesFrom(now, (guildId) => {
      reads += 1;
      return answer(guildId);
    });
    const { receive } = createDispatcher({
      routes,
      running,
      ...servicesOf(store, { now, reached, observer: (each) => (observed = each) }),
      callbackRest: recordingRest(sent),
      answerRest: recordingRest(sent),
      rest: recordingRest(sent),
      create: untouchable("create", reached) as never,
      serverRoles,
      botId: "9".repeat(18),
    });
    return {
      routes,
      store,
      running,
      now,
      pass: (ms) => {
        clock += ms;
      },
      async receive(interaction, waitedMs = 0) {
        sent.length = 0;
        reached.length = 0;
        await receive(interaction as APIInteraction, { arrivedAt: clock - waitedMs });
        if (observed === undefined) throw new Error("nobody was told of the interaction");
        const code = observed.failure?.code ?? "answered";
        return { observed, code, sent: [...sent], reached: [...reached] };
      },
      version: () => reader.prepare("pragma data_version").get()?.data_version,
      answerGuilds: (next) => {
        answer = next;
      },
      guildReads: () => reads,
      another: open,
      close,
    };
  }

  return open();
}

interface Parts {
  readonly now: () => number;
  readonly reached: string[];
  readonly observer: (observed: ObservedOutcome) => void;
}

function servicesOf(store: Store, { now, reached, observer }: Parts) {
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const outside = ["images", "clients", "links", "verifier", "feeds", "channelsOf"];
  const features = {
    store,
    now,
    pictureLimits: { maxBytes: 12e6, maxPixels: 50e6 },
    ...Object.fromEntries(outside.map((name) => [name, untouchable(name, reached)])),
    moderation: unwatched(reached),
  };
  const services = {
    processId: randomUUID(),
    store,
    log,
    now,
    observer,
    random: Math.random,
    languages: createLanguages(),
    commandIds: new Map(),
    attachmentHosts: ["cdn.discordapp.com"],
    siteUrl: "https://chat.test",
    http: untouchable("http", reached),
  };
  // Only what a handler may use before it is stopped.
  return {
    services: services as unknown as Services,
    features: createFeatureContexts(features as unknown as FeatureServices),
  };
}

/** Calls that throw at once; all others return a rejected promise. */
const immediate = ["clients.video", "clients.background", "clients.projectOf", "feeds.of"];

/** The moderation of servers without watches, which `/connect status` shows. */
function unwatched(reached: string[]): object {
  return {
    of: () => {
      reached.push("moderation.of");
      return { watches: { all: async () => [] } };
    },
  };
}

/** Records every call and then fails it. */
function untouchable(name: string, reached: string[]): object {
  const fail = (what: string) => {
    reached.push(what);
    const error = new Error(`${what} is not here`);
    if (immediate.includes(what)) throw error;
    return Promise.reject(error);
  };
  return new Proxy(() => undefined, {
    get: (_, property) => () => fail(`${name}.${String(property)}`),
    apply: () => fail(name),
  });
}

function recordingRest(sent: Sent[]): REST {
  const note =
    (method: Sent["method"]) =>
    async (path: string, { body }: { readonly body?: unknown } = {}) => {
      sent.push({ method, path, body });
      return { id: "1", channel_id: "1" };
    };
  // Only the methods that the dispatcher calls.
  const methods = { post: note("post"), patch: note("patch"), delete: note("delete") };
  return { ...methods, options: { api: "https://chat.test/api" } } as unknown as REST;
}
