import { type Allowance, createAllowance, createBackgroundClient } from "../background/index.ts";
import { type BilledTo, projectOfClient, projectOfKey, type Spending } from "../budget/index.ts";
import type { Config } from "../config.ts";
import type { Clients, VideoAccess } from "../discord/index.ts";
import type { Http } from "../http/index.ts";
import type { Secrets } from "../log.ts";
import { clientMissing, type Tokens } from "../oauth/index.ts";
import { createVideoClient } from "../video/index.ts";
import type { Load, Metrics } from "../web/index.ts";
import { limitsFor } from "./limits-for.ts";

interface ClientsDeps {
  readonly http: Http;
  readonly spending: Spending;
  readonly tokens: Tokens | undefined;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly allowances: Allowances;
  readonly metrics: Pick<Metrics, "call" | "cutout">;
}

type Allowances = ReturnType<typeof createAllowances>;

/** Rates are a minute's, and what is known of credits is soon asked anew: nothing is lost after an hour. */
const idleMs = 3_600_000;

/** How fast the image service may be asked, by key. What a key did is forgotten an hour after it was used last: people also try keys that are none. */
export function createAllowances(now: () => number) {
  /** The one that was used longest ago first. */
  const byKey = new Map<string, { readonly allowance: Allowance; usedAt: number }>();

  function dropIdle(): void {
    for (const [key, { allowance, usedAt }] of byKey) {
      if (now() - usedAt < idleMs) return;
      if (!isBusy(allowance)) byKey.delete(key);
    }
  }

  return {
    of(key: string): Allowance {
      dropIdle();
      const allowance = byKey.get(key)?.allowance ?? createAllowance({ now });
      byKey.delete(key);
      byKey.set(key, { allowance, usedAt: now() });
      return allowance;
    },
    /** Of all keys together. */
    load(): Load {
      const loads = [...byKey.values()].map(({ allowance }) => allowance.pacer.load());
      const sum = (which: keyof Load) => loads.reduce((total, load) => total + load[which], 0);
      return { waiting: sum("waiting"), running: sum("running") };
    },
  };
}

function isBusy({ pacer }: Allowance): boolean {
  const { waiting, running } = pacer.load();
  return waiting + running > 0 || pacer.heldUntil() !== undefined;
}

/** Clients by credential. A key is known to the log's filter before it is used; a stored one is since it was read. */
export function clientsOf(config: Config, deps: ClientsDeps): Clients {
  const { http, spending, tokens, secrets, now, allowances, metrics } = deps;
  /** Keys have projects of their own; all linked channels share the one that this bot is registered in. */
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
    return { ...billedTo, limits: limitsFor(access, billedTo, config) };
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
    // A person's budget is the same whichever account pays.
    affordCredits: (billedTo, credits) => spending.account("", billedTo).affordCredits(credits),
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
        ...{ baseUrl, maxBytes, http, now },
        apiKey: key,
        allowance: allowances.of(key),
        tenant: billedTo.guildId,
        person: billedTo.userId,
        credits: spending.account(projectOfKey(key), billedTo, ({ cost }) => metrics.cutout(cost)),
      });
    },
  };
}
