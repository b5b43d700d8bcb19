import type { Clock } from "../clock.ts";
import { isGuildErased } from "../errors.ts";
import type { QuotaDay } from "./calendar.ts";
import type { AccountHolder, SpendingChange, SpendingEntry } from "./entry.ts";
import type { Usage } from "./measure.ts";
import type { Spendable } from "./types.ts";

type UnsavedChange = SpendingChange & { readonly entry: SpendingEntry };

interface UnsavedDeps {
  readonly clock: Clock;
  /** @throws ServiceError `store_unavailable`. */
  readonly write: (entry: SpendingEntry, change: SpendingChange) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export type Unsaved = ReturnType<typeof createUnsaved>;

/** After a failure the database is left alone for so long. */
const retryMs = 10_000;
/** Some megabytes: whatever comes beyond is not counted, and the service still refuses what its own budget does not hold. */
const mostChanges = 10_000;

/** What could not be counted in the database, in the order in which it was spent. Nothing here throws. */
export function createUnsaved({ clock, write, onFailure }: UnsavedDeps) {
  const changes: UnsavedChange[] = [];
  let tryAgainAt = Number.NEGATIVE_INFINITY;
  let saving: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  function plan(): void {
    if (cancel !== undefined || isClosed || changes.length === 0) return;
    cancel = clock.after(retryMs, () => {
      cancel = undefined;
      void save().finally(plan);
    });
  }

  function failed(error: unknown): void {
    tryAgainAt = clock.now() + retryMs;
    onFailure(error);
  }

  async function saveAll(): Promise<void> {
    for (let [first] = changes; first !== undefined; [first] = changes) {
      const { entry, ...change } = first;
      try {
        await entry.within(() => write(entry, change));
      } catch (error) {
        if (isOutage(error)) return failed(error);
        // Of a guild that was erased meanwhile nothing is to be stored.
        if (!isGuildErased(error)) onFailure(error);
      }
      changes.shift();
    }
  }

  /** Saves what it can, unless the database failed a moment ago. */
  async function save(): Promise<void> {
    if (clock.now() < tryAgainAt) return;
    saving ??= saveAll().finally(() => {
      saving = undefined;
    });
    await saving;
  }

  return {
    get isEmpty() {
      return changes.length === 0;
    },
    /** The database failed a moment ago, and is left alone. */
    get isPaused() {
      return clock.now() < tryAgainAt;
    },
    failed,
    put(entry: SpendingEntry, change: SpendingChange): void {
      if (changes.length < mostChanges) changes.push({ ...change, entry });
      plan();
    },
    save,
    /** What this process could not save of what limits that holder. */
    usage(holder: AccountHolder, bucket: Spendable, day: QuotaDay): Usage {
      const usage = { used: 0, lent: 0, isEmpty: false, person: 0 };
      const guild = { used: 0, moderated: 0 };
      for (const { entry, amount, isEmpty } of changes) {
        if (entry.charge.bucket !== bucket || entry.day.name !== day.name) continue;
        const { project, part, billedTo } = entry.holder;
        if (project === holder.project) usage.used += amount;
        if (project === holder.project && isEmpty) usage.isEmpty = true;
        if (isSamePerson(billedTo, holder.billedTo)) usage.person += amount;
        if (part === undefined || part !== holder.part) continue;
        guild.used += amount;
        if (billedTo.purpose === "moderation") guild.moderated += amount;
      }
      return { ...usage, guild };
    },
    of: (guildId: string): readonly UnsavedChange[] =>
      changes.filter(({ entry }) => entry.holder.billedTo.guildId === guildId),
    async close(): Promise<void> {
      isClosed = true;
      cancel?.();
      await save();
    },
  };
}

function isSamePerson(one: AccountHolder["billedTo"], other: AccountHolder["billedTo"]): boolean {
  return one.guildId === other.guildId && one.userId === other.userId;
}

export function isOutage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "store_unavailable";
}
