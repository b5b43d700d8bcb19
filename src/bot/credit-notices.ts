import { type LimitedRank, limitedRanks, pacificDate, rankBudget } from "../budget/index.ts";
import type { ServiceClients } from "../features/index.ts";
import type { Job, Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { readServerSettings, readValue, type Store } from "../store/index.ts";
import type { Notifier } from "./notifier.ts";

interface CreditNoticesDeps {
  readonly jobs: Pick<Jobs, "handle" | "put">;
  readonly store: Pick<Store, "credentials" | "database" | "settings">;
  readonly notify: Notifier;
  readonly clients: Pick<ServiceClients, "background" | "creditsSpent">;
  readonly log: Pick<Log, "warn">;
}

/** What each person of a rank may spend a day; null is no limit. */
type CreditLimits = Readonly<Record<LimitedRank, number | null>>;

declare module "../channel-messages.ts" {
  interface NotificationFacts {
    /** Half of the credits that the day began with are spent. */
    "credits-half": {
      readonly guildId: string;
      readonly day: string;
      readonly spent: number;
      readonly left: number;
    };
    /** Credits are limited by the day, in a server that had its key before they were. */
    "credits-limits": { readonly guildId: string; readonly limits: CreditLimits };
  }
}

const queue = "credits";
const queueOptions = { concurrency: 2, perServer: 1, timeoutMs: 60_000, maxTries: 10 } as const;

/** The balance lags by seconds and must not be polled, so it is read once for all that was spent within this time. */
const gapMs = 15_000;

/** Whoever spent less is not warned, however little is left. */
const leastSpent = 1;

/** Warns owners once a day when half of their credits are spent, and tells them that there are limits. */
export function createCreditNotices(deps: CreditNoticesDeps) {
  const { jobs, store, log } = deps;
  jobs.handle(queue, queueOptions, async (job) => {
    const { guildId } = job;
    if (guildId === undefined) return undefined;
    await (job.data === "limits"
      ? tellLimits(guildId, deps)
      : warnOfHalf({ ...job, guildId }, deps));
    return undefined;
  });

  return {
    /** A server has spent credits. Never throws: what was paid for must reach the person. */
    async spent(guildId: string): Promise<void> {
      try {
        const dueAt = store.database.now() + gapMs;
        await jobs.put({ queue, key: guildId, guildId, dueAt });
      } catch (error) {
        log.warn("it is not checked how many credits went today", { error });
      }
    },
  };
}

async function tellLimits(guildId: string, { store, notify }: CreditNoticesDeps): Promise<void> {
  const settings = await readServerSettings(store, guildId);
  const { ranks } = settings.budgets ?? {};
  const limits = Object.fromEntries(
    limitedRanks.map((rank) => [rank, rankBudget(rank, settings).budget.credits ?? null]),
  ) as CreditLimits;
  // An owner who chose every limit knows them.
  const isChosen = limitedRanks.every(
    (rank) => ranks?.[rank]?.credits !== undefined || limits[rank] === null,
  );
  if (!isChosen) await notify({ name: "credits-limits", facts: { guildId, limits } });
}

async function warnOfHalf(
  { guildId, signal }: Job & { readonly guildId: string },
  { store, clients, notify }: CreditNoticesDeps,
): Promise<void> {
  const { background, creditsSpent } = clients;
  const day = pacificDate(store.database.now());
  const key = readValue(await store.credentials.read(guildId, "background-key"));
  if (
    key === undefined ||
    key.engine === "rembg" ||
    (await readServerSettings(store, guildId)).creditsWarnedOn === day
  )
    return;
  const spent = (await creditsSpent(guildId, 1)).reduce((sum, { credits }) => sum + credits, 0);
  if (spent < leastSpent) return;
  const reader = { guildId, userId: guildId, command: "connect budget" };
  const { credits } = await background(key, reader).account({ signal });
  if (spent < credits.total) return;
  await store.database.transaction(async () => {
    let isFirst = false;
    await store.settings.update(guildId, (stored) => {
      isFirst = stored.creditsWarnedOn !== day;
      return { ...stored, creditsWarnedOn: day };
    });
    const facts = { guildId, day, spent, left: credits.total };
    if (isFirst) await notify({ name: "credits-half", facts });
  });
}
