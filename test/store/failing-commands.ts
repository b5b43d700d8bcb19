import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIInteraction, REST } from "discord.js";
import {
  type BilledTo,
  createSpending,
  projectOfKey,
  type Spending,
} from "../../src/budget/index.ts";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/database/index.ts";
import { collectRoutes } from "../../src/discord/declare/routes.ts";
import { loadCommands } from "../../src/discord/index.ts";
import { createDispatcher } from "../../src/discord/run/dispatch.ts";
import { createRunningHandlers } from "../../src/discord/run/running-handlers.ts";
import type { Services } from "../../src/discord/run/services.ts";
import { decodeCancelId } from "../../src/discord/wire/custom-id.ts";
import { createFeatureContexts, type FeatureServices } from "../../src/features/index.ts";
import { createHttp } from "../../src/http/index.ts";
import { createLanguages, type MessageKey } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import type { Credential, CredentialKind } from "../../src/store/index.ts";
import { createStore } from "../../src/store/index.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { sqlitePlace } from "../support/databases/kinds.ts";
import { rolesFrom, rolesGiving } from "../support/guild-roles.ts";
import { seeded } from "../support/random.ts";
import { failing } from "./failing.ts";

const guildId = "111111111111111111";
const keys = [{ id: "k1", key: new Uint8Array(32).fill(1) }];
const kept = /^(credential|settings|canary):/;
/** What nobody may read here: that something stored is missing, or that Greenroom itself failed. */
const lies: readonly MessageKey[] = [
  "usage.unconnected.title",
  "start.missing",
  "connect.region.none",
  "failures.not_connected.title",
  "failures.video_key_missing.title",
  "failures.background_key_missing.title",
  "failures.channel_missing.title",
  "failures.too_old.title",
  "failures.bug.title",
];
const share = 0.05;

/**
 * Sends commands and presses through the whole bot, in a server that has everything connected, while calls of the store
 * fail.
 */
export async function runCommands(count: number, seed: number) {
  const random = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "greenroom-failing-"));
  const path = join(folder, "a.sqlite");
  const video = await startVideo();
  let rate = 0;
  const opened = await openDatabase({ url: `sqlite:${path}` });
  const { database, failed } = failing(opened, () => rate, random);
  const store = await createStore({ database, keys });
  for (const credential of credentialsFor(video))
    await store.credentials.write(guildId, credential);
  await store.settings.update(guildId, () => ({ region: "DE", timeZone: "Europe/Berlin" }));
  const before = await rowsOf(path);

  const http = createHttp();
  const clock = createTimerClock(Date.now);
  const spending = createSpending({ database, clock, secret: new Uint8Array(32) });
  const seen = answers();
  const { receive } = createDispatcher({
    routes: collectRoutes(await loadCommands(new URL("../../commands/", import.meta.url))),
    ...servicesFor({ store, http, spending, video, random }),
    callbackRest: seen.rest,
    answerRest: seen.rest,
    rest: seen.rest,
    running: createRunningHandlers(),
    create: { emoji: never, sticker: never },
    serverRoles: rolesFrom(Date.now),
    botId: "9".repeat(18),
  });

  rate = share;
  for (let done = 0; done < count; done += 20) {
    const batch = Array.from({ length: Math.min(20, count - done) }, (_, n) =>
      interactionFor(done + n, random, seen.buttons),
    );
    await Promise.all(batch.map((interaction) => receive(interaction, { arrivedAt: Date.now() })));
  }
  rate = 0;

  await spending.close();
  await database.close();
  await http.close();
  await store.close();
  const after = await rowsOf(path);
  await video.close();
  rmSync(folder, { recursive: true });
  const all = [...seen.texts.values()];
  const english = createLanguages().of("en-US");
  const misleading = lies.map((key) => english.say(key));
  return {
    /** How many calls of the store failed. */
    failures: failed(),
    /** How many interactions were answered with "Storage is unavailable". */
    refused: all.filter((text) => text.includes("Storage")).length,
    /** How many were answered with the video's data, which shows that not everything failed. */
    served: all.filter((text) => text.includes("http")).length,
    unanswered: count - seen.texts.size,
    /** Answers that claim that something stored does not exist, or that something unforeseen happened. */
    misleading: all.filter((text) => misleading.some((words) => text.includes(words))),
    /** Keys of credentials and settings that have changed. */
    changed: changedBetween(before, after),
  };
}

function credentialsFor(video: VideoServer): readonly Credential[] {
  const facts = { addedBy: "333333333333333333", addedAt: 1 };
  const secrets: Readonly<Record<CredentialKind, string>> = {
    "video-key": video.key,
    "background-key": "background-key-of-the-test",
    channel: "1//refresh-of-the-test",
  };
  return Object.entries(secrets).map(([kind, secret]) => ({
    ...facts,
    kind: kind as CredentialKind,
    secret,
    ...(kind === "channel" && { channelId: video.ownChannelId, channelTitle: "Own", scopes: [] }),
  }));
}

const never = (): never => {
  throw new TypeError("nothing of this is used here");
};

type Parts = Pick<Services, "store" | "http" | "random"> & {
  readonly spending: Spending;
  readonly video: VideoServer;
};

/** Only what the commands below use. */
function servicesFor({ store, http, spending, video, random }: Parts) {
  const project = projectOfKey(video.key);
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const account = (billedTo: BilledTo) => spending.account(project, billedTo);
  const clients = {
    video: (_: unknown, billedTo: BilledTo) =>
      createVideoClient({ baseUrl: video.url, key: video.key, http, units: account(billedTo) }),
    left: async (_: unknown, billedTo: BilledTo) => account(billedTo).left(),
    afford: async () => undefined,
    affordCredits: async () => undefined,
    unitsSpent: spending.unitsSpent,
    creditsSpent: spending.creditsSpent,
    projectOf: () => project,
    background: never,
  };
  const features = {
    store,
    clients,
    now: Date.now,
    images: { of: () => ({ chart: never }) },
    // Nothing is watched.
    moderation: { of: () => ({ watches: { all: async () => [] } }) },
    links: {
      begin: async () => ({ url: "https://example.com/oauth", endsAt: new Date() }),
    },
    verifier: undefined,
    channelsOf: never,
    pictureLimits: { maxBytes: 1, maxPixels: 1 },
  };
  const services = {
    processId: "11111111-1111-4111-8111-111111111111",
    store,
    http,
    log,
    random,
    now: Date.now,
    languages: createLanguages(),
    commandIds: new Map(),
    attachmentHosts: [],
  };
  return {
    services: services as unknown as Services,
    features: createFeatureContexts(features as unknown as FeatureServices),
  };
}

/** Stands in for Discord: keeps the last text sent for each interaction token, and the buttons. */
function answers() {
  const texts = new Map<string, string>();
  const buttons: string[] = [];
  const take = async (route: string, { body }: { readonly body?: unknown } = {}) => {
    const text =
      body instanceof FormData ? `${body.get("payload_json")}` : JSON.stringify(body ?? "");
    const token = /token-\d+/.exec(route)?.[0];
    if (token !== undefined && /embeds|content|components/.test(text)) texts.set(token, text);
    for (const [, id = ""] of text.matchAll(/"custom_id":"(.*?)"/g)) {
      // Buttons that cancel end with their work, and fields of forms are not buttons.
      if (decodeCancelId(id) === undefined && !text.includes('"type":9,')) buttons.push(id);
    }
    return { id: "1" };
  };
  const rest = { post: take, patch: take, put: take, delete: take, get: take };
  return { texts, buttons, rest: rest as unknown as REST };
}

const commands = [
  { name: "videos", options: [sub("show", { video: "dQw4w9WgXcQ" })] },
  { name: "channels", options: [sub("show", {})] },
  { name: "regions", options: [sub("list", {})] },
  { name: "connect", options: [sub("status", {})] },
  { name: "usage", options: [] },
] as const;

function sub(name: string, values: Readonly<Record<string, string>>) {
  const options = Object.entries(values).map(([key, value]) => ({ name: key, type: 3, value }));
  return { name, type: 1, options };
}

function interactionFor(n: number, random: () => number, buttons: readonly string[]) {
  const common = {
    id: `${200_000_000_000_000_000n + BigInt(n)}`,
    application_id: "1".repeat(18),
    token: `token-${n}`,
    guild_id: guildId,
    channel_id: "4".repeat(18),
    locale: "en-US",
    attachment_size_limit: 10_485_760,
    member: {
      user: { id: "3".repeat(18), username: "robin" },
      roles: rolesGiving(32n),
      // Manage Server, as decimal text.
      permissions: "32",
    },
  };
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const button = random() < 0.3 ? pick(buttons) : undefined;
  const pressed = {
    type: 3,
    data: { component_type: 2, custom_id: button },
    message: { id: "5", flags: 0, embeds: [], attachments: [], components: [] },
  };
  const data = { id: "6", type: 1, ...pick(commands) };
  return { ...common, ...(button ? pressed : { type: 2, data }) } as unknown as APIInteraction;
}

async function rowsOf(path: string): Promise<ReadonlyMap<string, string>> {
  const all = await sqlitePlace(path).all();
  return new Map([...all].filter(([key]) => kept.test(key)));
}

function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const every = new Set([...before.keys(), ...after.keys()]);
  return [...every].filter((key) => before.get(key) !== after.get(key));
}
