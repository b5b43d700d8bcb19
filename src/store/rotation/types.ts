import type { CanaryState } from "../master-keys.ts";
import type { SealedKind } from "../sealed-rows.ts";

/** One master key, as the store knows it. */
export interface KeyState {
  readonly id: string;
  /** Whether the new rows are sealed with it: it stands first. */
  readonly isSealing: boolean;
  /** `absent` until a process that has the key was started; `unknown` and `another` as the store's check calls them. */
  readonly canary: CanaryState | "absent";
  /** How many rows of each kind it seals. */
  readonly rows: Readonly<Record<SealedKind, number>>;
}

export interface ResealProgress {
  /** Rows of this pass. */
  readonly done: number;
  readonly total: number;
}

export interface Resealed {
  readonly done: number;
  /** Rows that no key opens; they are left as they are. */
  readonly failed: number;
  /** Rows that another key than the first seals now, those that failed among them. */
  readonly left: number;
}

/** What changing the master keys of a store needs of it. Other processes may use the store meanwhile. */
export interface Rotation {
  /** Every key that is here or that sealed something, in the order of the keys. @throws ServiceError `store_unavailable`. */
  status(): Promise<readonly KeyState[]>;
  /** Which key the process sealed with that was started last; undefined before the first. @throws ServiceError `store_unavailable`. */
  sealingAtLastStart(): Promise<string | undefined>;
  /**
   * Seals anew under the first key what other keys sealed. May be stopped at any point and called again.
   * @throws ServiceError `store_unavailable`.
   */
  reseal(onProgress?: (progress: ResealProgress) => void): Promise<Resealed>;
  /**
   * Forgets a key that seals nothing.
   * @throws ConfigError `key_in_use` with the number of rows; ServiceError `store_unavailable`.
   */
  retire(id: string): Promise<void>;
  close(): Promise<void>;
}
