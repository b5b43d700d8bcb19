import {
  createBackgroundClient,
  createKeyAllowance,
  type KeyAllowance,
  type SharedRateWindow,
} from "../background/index.ts";
import {
  type BilledTo,
  defaultReserve,
  projectOfClient,
  projectOfKey,
  type QuotaSharer,
  type Spending,
  type SpendingLimits,
} from "../budget/index.ts";
import type { Config } from "../config.ts";
import type { ServiceClients, VideoAccess } from "../features/index.ts";
import type { Http } from "../http/index.ts";
import type { Secrets } from "../log.ts";
import { type ChannelTokens, clientMissing } from "../oauth/index.ts";
import type { CredentialStore } from "../store/index.ts";
import { createVideoClient } from "../video/index.ts";
import type { Load, Metrics } from "../web/index.ts";

interface ClientsDeps {
  readonly http: Http;
  readonly spending: Spending;
  readonly tokens: ChannelTokens | undefined;
  readonly credentials: Pick<CredentialStore, "read">;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly allowances: Allowances;
  readonly metrics: Pick<Metrics, "call" | "cutout">;
  /** Called after a server has spent credits. */
  readonly onCredits: (guildId: string) => void;
}

type Allowances = ReturnType<typeof createAllowances>;

/** Rates are per minute, and credits are soon read again: nothing is lost after an hour. */
const idleMs = 3_600_000;

interface AllowancesDeps {
  /** The same for all processes that share `windowOf`. */
  readonly now: () => number;
  /** Where the megapixels of a key are counted, if not in this process alone. */
  readonly windowOf?: ((key: string) => SharedRateWindow) | undefined;
}

/** The rate limits of each image service key. An hour after its last use a key is forgotten: people also try invalid keys. */
export function createAllowances({ now, windowOf }: AllowancesDeps) {
  /** The least recently used key comes first. */
  const byKey = new Map<string, { readonly allowance: KeyAllowance; usedAt: number }>();

  function dropIdle(): void {
    for (const [key, { allowance, usedAt }] of byKey) {
      if (now() - usedAt < idleMs) return;
      if (!allowance.pacer.isBusy()) byKey.delete(key);
    }
  }

  return {
    now,
    of(key: string): KeyAllowance {
      dropIdle();
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
export function createClients(config: Config, deps: ClientsDeps): ServiceClients {
  const { http, spending, tokens, secrets, now, allowances, metrics, onCredits } = deps;
  /** Each key belongs to a project of its own; all linked channels share the project that this bot is registered in. */
  const opened = (access: VideoAccess) => {
    if ("key" in access) {
      secrets.addUnproven(access.key);
      return { credential: { key: access.key }, project: projectOfKey(access.key) };
    }
    const { client } = config.oauth;
    if (client === undefined || tokens === undefined) throw clientMissing();
    const token = tokens.of(access.channelOf, access.channelId);
    return { credential: { token }, project: projectOfClient(client.clientId) };
  };
  const limited = (access: VideoAccess, billedTo: BilledTo) => {
    const limits = spendingLimitsFor(access, billedTo, config);
    if ("key" in access) return { ...billedTo, limits };
    return { ...billedTo, limits: { ...limits, sharer: () => sharerOf(deps, access) } };
  };
  const accountOf = (access: VideoAccess, billedTo: BilledTo) =>
    spending.account(opened(access).project, limited(access, billedTo));
  return {
    video: (access, billedTo, onSpent) => {
      const { credential, project } = opened(access);
      const units = spending.account(project, limited(access, billedTo), (spent) => {
        const { method, bucket, cost } = spent;
        if (bucket === "credits") return;
        metrics.call({ method, bucket, spent: cost });
        onSpent?.({ bucket, cost });
      });
      return createVideoClient({ ...config.video, ...credential, http, now, units });
    },
    left: async (access, billedTo) => accountOf(access, billedTo).left(),
    afford: async (access, billedTo, { charges, personal }) =>
      accountOf(access, billedTo).afford(charges, personal),
    // A person's budget is the same, whichever account pays.
    affordCredits: (billedTo, credits) => spending.account("", billedTo).affordCredits(credits),
    takeForDecisions: (access, billedTo, wanted) =>
      accountOf(access, billedTo).takeForDecisions(wanted),
    unitsSpent: spending.unitsSpent,
    creditsSpent: spending.creditsSpent,
    projectOf: (access) => {
      if ("key" in access) return projectOfKey(access.key);
      const { client } = config.oauth;
      return client && projectOfClient(client.clientId);
    },
    background: (key, billedTo) => {
      secrets.addUnproven(key);
      const { baseUrl, maxBytes } = config.background;
      return createBackgroundClient({
        baseUrl,
        maxBytes,
        http,
        now: allowances.now,
        apiKey: key,
        allowance: allowances.of(key),
        tenant: billedTo.guildId,
        person: billedTo.userId,
        credits: spending.account(projectOfKey(key), billedTo, ({ cost }) => {
          metrics.cutout(cost);
          if (cost > 0) onCredits(billedTo.guildId);
        }),
      });
    },
  };
}

/** The linked channel that spends; the guild itself while its link can't be read. */
async function sharerOf(
  { credentials }: Pick<ClientsDeps, "credentials">,
  { channelOf, channelId }: Exclude<VideoAccess, { readonly key: string }>,
): Promise<QuotaSharer> {
  const read = await credentials.read(channelOf, "channel", channelId);
  if (read.state !== "found") return { linkedBy: channelOf };
  return { channelId: read.value.channelId, linkedBy: read.value.addedBy };
}

/**
 * What limits a person's spending with a credential. A guild decides alone about the project of its own key; two guilds
 * that entered the same key share it as they like. Of the project that all linked channels share, each channel has a part, and
 * a guild can reserve more of it for moderation, never less.
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
    ...(guildDailyUnits !== undefined && { guild: { units: guildDailyUnits } }),
    budgets,
  };
}
