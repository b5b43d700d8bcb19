import {
  createBackgroundClient,
  createKeyAllowance,
  createRembgClient,
  type KeyAllowance,
  type SharedRateWindow,
} from "../background/index.ts";
import {
  type BilledTo,
  defaultReserve,
  type OnSpent,
  projectOfClient,
  projectOfKey,
  type QuotaSharer,
  type Spending,
  type SpendingLimits,
} from "../budget/index.ts";
import type { Config } from "../config.ts";
import type { FeatureServices, ServiceClients, VideoAccess } from "../features/index.ts";
import type { Http } from "../http/index.ts";
import type { Images } from "../images/index.ts";
import { type ChannelTokens, clientMissing } from "../oauth/index.ts";
import { createVideoClient } from "../video/index.ts";
import type { Load, Metrics } from "../web/index.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

interface ClientServices {
  readonly http: Http;
  readonly images: Images;
  readonly spending: Spending;
  readonly tokens: ChannelTokens | undefined;
  readonly allowances: ReturnType<typeof createAllowances>;
  readonly metrics: Pick<Metrics, "call" | "cutout">;
  /** Called after a server has spent credits. */
  readonly onCredits: (guildId: string) => void;
}

/** Rates are per minute, and credits are soon read again: nothing is lost after an hour. */
const idleMs = 3_600_000;

/** The rate limits of each remove.bg key. An hour after its last use a key is forgotten: people also try invalid keys. */
export function createAllowances({
  now,
  windowOf,
}: {
  /** The same for all processes that share `windowOf`. */
  readonly now: () => number;
  /** Where the megapixels of a key are counted, if not in this process alone. */
  readonly windowOf?: ((key: string) => SharedRateWindow) | undefined;
}) {
  /** The least recently used key comes first. */
  const byKey = new Map<string, { readonly allowance: KeyAllowance; usedAt: number }>();

  return {
    now,
    of(key: string): KeyAllowance {
      for (const [other, { allowance, usedAt }] of byKey) {
        if (now() - usedAt < idleMs) break;
        if (!allowance.pacer.isBusy()) byKey.delete(other);
      }
      const allowance =
        byKey.get(key)?.allowance ?? createKeyAllowance({ now, shared: windowOf?.(key) });
      byKey.delete(key);
      byKey.set(key, { allowance, usedAt: now() });
      return allowance;
    },
    /** The load of all keys together. */
    load(): Load {
      const loads = [...byKey.values()].map(({ allowance }) => allowance.pacer.load());
      const sum = (which: keyof Load) => loads.reduce((total, load) => total + load[which], 0);
      return { waiting: sum("waiting"), running: sum("running") };
    },
  };
}

/** Makes a client for each credential. Every key is known to the log's filter before it is used. */
export function createClients(
  { config, secrets, store, now }: Pick<RoomsDeps, "config" | "secrets" | "store" | "now">,
  { http, images, spending, tokens, allowances, metrics, onCredits }: ClientServices,
): ServiceClients {
  /** Each key belongs to a project of its own; all linked channels share the project that this bot is registered in. */
  const projectFor = (access: VideoAccess) => {
    if ("key" in access) return projectOfKey(access.key);
    return config.oauth.client && projectOfClient(config.oauth.client.clientId);
  };
  /** @throws ConnectError where the bot has no registration, for a linked channel. */
  const accountFor = (access: VideoAccess, billedTo: BilledTo, onSpent?: OnSpent) => {
    const project = projectFor(access);
    if (project === undefined) throw clientMissing();
    const limits = spendingLimitsFor(access, billedTo, config);
    const sharer = "key" in access ? {} : { sharer: () => findSharer(store, access) };
    return spending.account(project, { ...billedTo, limits: { ...limits, ...sharer } }, onSpent);
  };
  const credentialFor = (access: VideoAccess) => {
    if ("key" in access) {
      secrets.addUnproven(access.key);
      return { key: access.key };
    }
    if (tokens === undefined) throw clientMissing();
    return { token: tokens.of(access.channelOf, access.channelId) };
  };
  return {
    video: (access, billedTo, onSpent) => {
      const credential = credentialFor(access);
      const units = accountFor(access, billedTo, ({ method, bucket, cost }) => {
        if (bucket === "credits") return;
        metrics.call({ method, bucket, spent: cost });
        onSpent?.({ bucket, cost });
      });
      return createVideoClient({ ...config.video, ...credential, http, now, units });
    },
    left: async (access, billedTo) => accountFor(access, billedTo).left(),
    afford: async (access, billedTo, { charges, personal }) =>
      accountFor(access, billedTo).afford(charges, personal),
    // A person's budget is the same, whichever account pays.
    affordCredits: (billedTo, credits) => spending.account("", billedTo).affordCredits(credits),
    takeForDecisions: async (access, billedTo, wanted) =>
      accountFor(access, billedTo).takeForDecisions(wanted),
    unitsSpent: spending.unitsSpent,
    creditsSpent: spending.creditsSpent,
    projectOf: projectFor,
    background: ({ secret: key, engine, address }, billedTo) => {
      const { baseUrl, rembgUrl, maxBytes } = config.background;
      const { guildId: tenant, userId: person } = billedTo;
      const reach = address === undefined ? undefined : reachOf(address, config);
      const shared = { http, now: allowances.now, maxBytes, tenant, person, reach };
      if (engine === "rembg") {
        const own = address ?? rembgUrl ?? "";
        const allowance = allowances.of(`rembg ${own}`);
        const toJpeg = (picture: Uint8Array, signal?: AbortSignal) =>
          convertToJpeg(images.of({ tenant, person }), picture, signal);
        return createRembgClient({ ...shared, baseUrl: own, allowance, toJpeg });
      }
      secrets.addUnproven(key);
      return createBackgroundClient({
        ...shared,
        baseUrl: address ?? baseUrl,
        engineHost: address === undefined ? undefined : URL.parse(address)?.host,
        apiKey: key,
        allowance: allowances.of(key),
        credits: spending.account(projectOfKey(key), billedTo, ({ cost }) => {
          metrics.cutout(cost);
          if (cost > 0) onCredits(billedTo.guildId);
        }),
      });
    },
  };
}

/** Nobody entered it: servers without an engine of their own use it, and it costs them nothing. */
export function describeOperatorsEngine({
  background,
}: Config): FeatureServices["operatorsEngine"] {
  if (background.rembgUrl === undefined) return undefined;
  const facts = { kind: "background-key", engine: "rembg", isOperators: true } as const;
  return { ...facts, secret: "", addedBy: "0", addedAt: 0 };
}

/** An address that a server chose leads to public hosts only; in the sandbox also to its stand-ins. */
function reachOf(address: string, { background }: Config): "public" | undefined {
  const isStandIn = background.hasStandIns && new URL(address).hostname === "127.0.0.1";
  return isStandIn ? undefined : "public";
}

/** No picture that is cut out has a longer side, or more bytes as a JPEG. */
const jpegPlace = { width: 65_535, height: 65_535, shape: "inside", maxBytes: 64e6 } as const;

async function convertToJpeg(
  images: Images,
  picture: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const options = { ...jpegPlace, format: "jpeg", ...(signal && { signal }) } as const;
  return (await images.fit(picture, options)).bytes;
}

/** The linked channel that spends; the server itself while its link can't be read. */
async function findSharer(
  { credentials }: RoomsDeps["store"],
  { channelOf, channelId }: Exclude<VideoAccess, { readonly key: string }>,
): Promise<QuotaSharer> {
  const read = await credentials.read(channelOf, "channel", channelId);
  if (read.state !== "found") return { linkedBy: channelOf };
  return { channelId: read.value.channelId, linkedBy: read.value.addedBy };
}

/**
 * What limits a person's spending with a credential. A server decides alone about the project of its own key; two servers
 * that entered the same key share it as they like. Of the project that all linked channels share, each channel has a part, and
 * a server can reserve more of it for moderation, never less.
 */
export function spendingLimitsFor(
  access: VideoAccess,
  { limits = {} }: BilledTo,
  { guildDailyUnits, sharedDailyUnits }: Pick<Config, "guildDailyUnits" | "sharedDailyUnits">,
): SpendingLimits {
  const { budgets, quota, reserve } = limits;
  if ("key" in access) return { quota, reserve, budgets };
  return {
    ...(sharedDailyUnits !== undefined && { quota: { units: sharedDailyUnits } }),
    ...(reserve !== undefined && { reserve: Math.max(reserve, defaultReserve) }),
    ...(guildDailyUnits !== undefined && { server: { units: guildDailyUnits } }),
    budgets,
  };
}
