import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../clock.ts";
import { isServerErased } from "../errors.ts";
import type { QuotaDay } from "./calendar.ts";
import type { QuotaUsage } from "./measure.ts";
import type { AccountHolder, SpendingChange, SpendingEntry } from "./spending-entry.ts";
import type { SpendingKind } from "./types.ts";

interface UnsavedChange extends SpendingChange {
  readonly entry: SpendingEntry;
  /** Runs work in the async context of the call, so that an erasure of its server is noticed. */
  readonly within: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

interface UnsavedDeps {
  readonly clock: Clock;
  /** @throws ServiceError `store_unavailable`. */
  readonly write: (entry: SpendingEntry, change: SpendingChange) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export type UnsavedChanges = ReturnType<typeof createUnsavedChanges>;

const retryMs = 10_000;
/** These take a few megabytes. More is not counted; YouTube still refuses what exceeds its own quota. */
const maxChanges = 10_000;

/** Keeps what could not be counted in the database, in the order in which it was spent. Nothing here throws. */
export function createUnsavedChanges({ clock, write, onFailure }: UnsavedDeps) {
  const changes: UnsavedChange[] = [];
  let tryAgainAt = Number.NEGATIVE_INFINITY;
  let saving: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  let isClosed = false;

  function failed(error: unknown): void {
    tryAgainAt = clock.now() + retryMs;
    onFailure(error);
  }

  function planRetry(): void {
    if (cancelRetry !== undefined || isClosed || changes.length === 0) return;
    cancelRetry = clock.after(retryMs, () => {
      cancelRetry = undefined;
      void save().finally(planRetry);
    });
  }

  async function save(): Promise<void> {
    if (clock.now() < tryAgainAt) return;
    saving ??= saveAll().finally(() => {
      saving = undefined;
    });
    await saving;
  }

  async function saveAll(): Promise<void> {
    for (let [first] = changes; first !== undefined; [first] = changes) {
      const { entry, within, ...change } = first;
      try {
        await within(() => write(entry, change));
      } catch (error) {
        if (isOutage(error)) return failed(error);
        // Nothing may be stored about a server that was erased meanwhile.
        if (!isServerErased(error)) onFailure(error);
      }
      changes.shift();
    }
  }

  return {
    get isEmpty() {
      return changes.length === 0;
    },
    /** The database failed a moment ago and is not asked. */
    get isPaused() {
      return clock.now() < tryAgainAt;
    },
    failed,
    put(entry: SpendingEntry, change: SpendingChange): void {
      if (changes.length < maxChanges) {
        changes.push({ ...change, entry, within: AsyncLocalStorage.snapshot() });
      }
      planRetry();
    },
    /** Saves what can be saved, unless the database failed a moment ago. */
    save,
    /** What this process could not save yet of the usage that limits this holder. */
    usage({ project, billedTo }: AccountHolder, bucket: SpendingKind, day: QuotaDay): QuotaUsage {
      const usage = { used: 0, lent: 0, isEmpty: false, person: 0, channel: 0, server: 0 };
      for (const { entry, amount, isEmpty } of changes) {
        if (entry.charge.bucket !== bucket || entry.day.name !== day.name) continue;
        const by = entry.holder;
        const isSameServer = by.billedTo.guildId === billedTo.guildId;
        if (isSameServer && by.billedTo.userId === billedTo.userId) usage.person += amount;
        if (by.project !== project) continue;
        usage.used += amount;
        if (isEmpty) usage.isEmpty = true;
        if (isSameServer) usage.server += amount;
      }
      // How a project is divided is not known without the database.
      return { ...usage, linker: { used: 0, moderated: 0 } };
    },
    of: (guildId: string): readonly UnsavedChange[] =>
      changes.filter(({ entry }) => entry.holder.billedTo.guildId === guildId),
    async close(): Promise<void> {
      isClosed = true;
      cancelRetry?.();
      await save();
    },
  };
}

export function isOutage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "store_unavailable";
}
