import {
  type Allowance,
  type BackgroundClient,
  type Credits,
  createAllowance,
  createBackgroundClient,
  priceOf,
} from "../background/index.ts";
import type { Config } from "../config.ts";
import type { Clients, VideoAccess } from "../discord/index.ts";
import type { Http } from "../http/index.ts";
import type { Secrets } from "../log.ts";
import { clientMissing, type Tokens } from "../oauth/index.ts";
import {
  createVideoClient,
  type Meter,
  projectOfClient,
  projectOfKey,
  type Units,
} from "../video/index.ts";
import type { Load, Metrics } from "../web/index.ts";
import { termsOf } from "./terms.ts";

type Payer = Parameters<Clients["left"]>[1];
type OnSpent = NonNullable<Parameters<Clients["video"]>[2]>;

export interface ClientParts {
  readonly http: Http;
  readonly units: Units;
  readonly credits: Credits;
  readonly tokens: Tokens | undefined;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly allowances: Allowances;
  readonly metrics: Pick<Metrics, "call" | "cutout">;
}

/** How fast the image service may be asked, by key. */
export interface Allowances {
  of(key: string): Allowance;
  /** Of all keys together. */
  load(): Load;
}

/** Rates are a minute's, and what is known of credits is soon asked anew: nothing is lost after an hour. */
const idleMs = 3_600_000;

/** What a key did is forgotten an hour after it was used last: people also try keys that are none. */
export function createAllowances(now: () => number): Allowances {
  /** The one that was used longest ago first. */
  const byKey = new Map<string, { readonly allowance: Allowance; usedAt: number }>();

  function dropIdle(): void {
    for (const [key, { allowance, usedAt }] of byKey) {
      if (now() - usedAt < idleMs) return;
      if (!isBusy(allowance)) byKey.delete(key);
    }
  }

  return {
    of(key) {
      dropIdle();
      const allowance = byKey.get(key)?.allowance ?? createAllowance({ now });
      byKey.delete(key);
      byKey.set(key, { allowance, usedAt: now() });
      return allowance;
    },
    load() {
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
export function clientsOf(config: Config, parts: ClientParts): Clients {
  const { http, units, credits, tokens, secrets, now, allowances, metrics } = parts;
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
  const accountOf = (access: VideoAccess, payer: Payer) =>
    units.meter(opened(access).project, payer, termsOf(access, payer, config));
  return {
    video: (access, payer, onSpent) => {
      const { credential } = opened(access);
      const meter = accountOf(access, payer);
      const told = telling(meter, ({ method, bucket, cost }) => {
        metrics.call({ method, bucket, spent: cost });
        onSpent?.({ bucket, cost });
      });
      return createVideoClient({ ...config.video, ...credential, http, now, units: told });
    },
    left: async (access, payer) => accountOf(access, payer).left(),
    afford: async (access, payer, { charges, personal }) =>
      accountOf(access, payer).afford(charges, personal),
    spent: (guildId, days) => units.history(guildId, days),
    projectOf: (access) => {
      if ("key" in access) return projectOfKey(access.key);
      const { client } = config.oauth;
      return client && projectOfClient(client.clientId);
    },
    background: (key, payer) => {
      secrets.addUnproven(key);
      const { baseUrl, maxBytes } = config.background;
      const client = createBackgroundClient({
        ...{ baseUrl, maxBytes, http, now },
        apiKey: key,
        allowance: allowances.of(key),
        tenant: payer.guildId,
        person: payer.userId,
      });
      const count = credits.counter(payer);
      return counting(client, {
        hold: (price) => credits.hold(payer, price, payer.purse?.budgets?.credits),
        count: async (charged) => {
          metrics.cutout(charged);
          await count(charged);
        },
      });
    },
  };
}

interface Purse {
  hold(price: number): Promise<() => void>;
  count(charged: number): Promise<void>;
}

/** Counts each cut-out once it is here; what it may cost is set aside before it is sent. */
function counting(client: BackgroundClient, purse: Purse): BackgroundClient {
  return {
    ...client,
    removeBackground: async (request, how) => {
      const release = await purse.hold(priceOf(request.size, request.megapixels));
      try {
        const removal = await client.removeBackground(request, how);
        await purse.count(removal.creditsCharged ?? 0);
        return removal;
      } finally {
        release();
      }
    },
  };
}

/** Tells what a call cost once it has reached the service; of a repeated one, as it is counted. */
function telling(
  meter: Meter,
  onSpent: (spent: Parameters<OnSpent>[0] & { readonly method: string }) => void,
): Meter {
  return {
    book: async (charge) => {
      const { method, bucket, cost } = charge;
      const booking = await meter.book(charge);
      return {
        settle: async (spending) => {
          await booking.settle(spending);
          const { attempts, exhausted } = spending;
          const counted = bucket === "units" ? attempts : Math.min(attempts, 1);
          // An empty bucket's refusal takes nothing from it.
          if (counted > 0 && !exhausted) onSpent({ method, bucket, cost: cost * counted });
        },
      };
    },
  };
}
