import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../clock.ts";
import { isGuildErased } from "../errors.ts";
import type { QuotaDay } from "./calendar.ts";
import type { QuotaUsage } from "./measure.ts";
import type { AccountHolder, SpendingChange, SpendingEntry } from "./spending-entry.ts";
import type { SpendingKind } from "./types.ts";

interface UnsavedChange extends SpendingChange {
  readonly entry: SpendingEntry;
  /** Runs work in the async context of the call, so that an erasure of its guild is noticed. */
  readonly within: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

interface UnsavedDeps {
  readonly clock: Clock;
  /** @throws ServiceError `store_unavailable`. */
  readonly write: (entry: SpendingEntry, change: SpendingChange) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export type UnsavedChanges = ReturnType<typeof createUnsavedChanges>;

/** How long the database is not used after a failure. */
const retryMs = 10_000;
/** These take a few megabytes. More is not counted; the service still refuses what exceeds its own quota. */
const maxChanges = 10_000;

interface UnsavedState extends UnsavedDeps {
  readonly changes: UnsavedChange[];
  tryAgainAt: number;
  saving: Promise<void> | undefined;
  cancelRetry: (() => void) | undefined;
  isClosed: boolean;
}

/** Keeps what could not be counted in the database, in the order in which it was spent. Nothing here throws. */
export function createUnsavedChanges(deps: UnsavedDeps) {
  const { clock } = deps;
  const changes: UnsavedChange[] = [];
  const state: UnsavedState = {
    ...deps,
    changes,
    tryAgainAt: Number.NEGATIVE_INFINITY,
    saving: undefined,
    cancelRetry: undefined,
    isClosed: false,
  };
  return {
    get isEmpty() {
      return changes.length === 0;
    },
    /** The database failed a moment ago and is not asked. */
    get isPaused() {
      return clock.now() < state.tryAgainAt;
    },
    failed: (error: unknown): void => pause(state, error),
    put(entry: SpendingEntry, change: SpendingChange): void {
      if (changes.length < maxChanges) {
        changes.push({ ...change, entry, within: AsyncLocalStorage.snapshot() });
      }
      planRetry(state);
    },
    /** Saves what can be saved, unless the database failed a moment ago. */
    save: (): Promise<void> => save(state),
    /** What this process could not save yet of the usage that limits this holder. */
    usage: (holder: AccountHolder, bucket: SpendingKind, day: QuotaDay): QuotaUsage =>
      usageIn(
        changes.filter(
          ({ entry }) => entry.charge.bucket === bucket && entry.day.name === day.name,
        ),
        holder,
      ),
    of: (guildId: string): readonly UnsavedChange[] =>
      changes.filter(({ entry }) => entry.holder.billedTo.guildId === guildId),
    async close(): Promise<void> {
      state.isClosed = true;
      state.cancelRetry?.();
      await save(state);
    },
  };
}

function planRetry(state: UnsavedState): void {
  const { clock, changes } = state;
  if (state.cancelRetry !== undefined || state.isClosed || changes.length === 0) return;
  state.cancelRetry = clock.after(retryMs, () => {
    state.cancelRetry = undefined;
    void save(state).finally(() => planRetry(state));
  });
}

function pause(state: UnsavedState, error: unknown): void {
  state.tryAgainAt = state.clock.now() + retryMs;
  state.onFailure(error);
}

async function save(state: UnsavedState): Promise<void> {
  if (state.clock.now() < state.tryAgainAt) return;
  state.saving ??= saveAll(state).finally(() => {
    state.saving = undefined;
  });
  await state.saving;
}

async function saveAll(state: UnsavedState): Promise<void> {
  const { changes, write, onFailure } = state;
  for (let [first] = changes; first !== undefined; [first] = changes) {
    const { entry, within, ...change } = first;
    try {
      await within(() => write(entry, change));
    } catch (error) {
      if (isOutage(error)) return pause(state, error);
      // Nothing may be stored about a guild that was erased meanwhile.
      if (!isGuildErased(error)) onFailure(error);
    }
    changes.shift();
  }
}

function usageIn(changes: readonly UnsavedChange[], holder: AccountHolder): QuotaUsage {
  const usage = { used: 0, lent: 0, isEmpty: false, person: 0, channel: 0, guild: 0 };
  for (const { entry, amount, isEmpty } of changes) {
    const { project, billedTo } = entry.holder;
    if (isSamePerson(billedTo, holder.billedTo)) usage.person += amount;
    if (project !== holder.project) continue;
    usage.used += amount;
    if (isEmpty) usage.isEmpty = true;
    if (billedTo.guildId === holder.billedTo.guildId) usage.guild += amount;
  }
  // How a project is divided is not known without the database.
  return { ...usage, linker: { used: 0, moderated: 0 } };
}

function isSamePerson(one: AccountHolder["billedTo"], other: AccountHolder["billedTo"]): boolean {
  return one.guildId === other.guildId && one.userId === other.userId;
}

export function isOutage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "store_unavailable";
}
