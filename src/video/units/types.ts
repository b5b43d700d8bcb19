import type { Bucket, Charge, Meter } from "./meter.ts";
import type { Amount, Terms } from "./terms.ts";

/** On whose behalf something is spent. */
export interface Spender {
  readonly guildId: string;
  readonly userId: string;
  /** Path of the command, or name of the action: `playlists list`. */
  readonly command: string;
  /** Moderation may use the share that is kept for it. */
  readonly purpose?: "moderation";
}

export interface UnitsOptions {
  readonly records: UnitRecords;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What a project may spend a day; the service's defaults when absent (facts, limits.quota). */
  readonly limits?: Readonly<Partial<Record<Bucket, number>>>;
  /** Share of the units that is kept for moderation, from 0 to 1; `defaultReserve` when absent. */
  readonly reserve?: number;
  /** Told when the records can't be read or written; the count goes on in memory. */
  readonly onFailure?: (error: unknown) => void;
}

/** What every project of this bot has spent, and who spent it. */
export interface Units {
  /** What counts the calls of one spender against one project. */
  meter(project: string, spender: Spender, terms?: Terms): Account;
  /** Today's buckets of a project. */
  left(project: string): Promise<Readonly<Record<Bucket, Left>>>;
  /**
   * What one guild spent today, or in the last `days` days: it never sees another guild's spenders.
   * @throws ServiceError `store_unavailable`.
   */
  spent(project: string, guildId: string, days?: number): Promise<readonly Spent[]>;
  /**
   * The same of every project that the guild spent of in that time, whichever keys it has now.
   * @throws ServiceError `store_unavailable`.
   */
  history(guildId: string, days: number): Promise<readonly SpentOf[]>;
  /** Lets go of what is not saved yet of a guild whose records are to be erased. */
  forget(guildId: string): Promise<void>;
  /** Saves what is not saved yet. */
  close(): Promise<void>;
}

/** One spender's part of a project. */
export interface Account extends Meter {
  /** Today's buckets, with the tightest of what limits this spender alone. */
  left(): Promise<Readonly<Record<Bucket, Left>>>;
  /**
   * Whether all these calls could be paid for today; books nothing. `personal` is what the person would spend of all
   * projects together, where that is more.
   * @throws LimitError as `book` does.
   */
  afford(charges: readonly Charge[], personal?: Amount): Promise<void>;
}

/** What limits one spender beside the project itself. */
export interface Bound {
  /**
   * The guild's part of a project that several guilds use, the most that the operator lets a guild spend of it, what a
   * person may spend, or each person of a rank.
   */
  readonly of: "part" | "guild" | "person" | "rank";
  readonly rank?: string;
  readonly limit: number;
  readonly used: number;
  readonly left: number;
  /** Part of `left` that only moderation may spend. */
  readonly reserved?: number;
  /** How many guilds the project is shared by. */
  readonly servers?: number;
  readonly resetsAt: Date;
}

export interface Left {
  readonly used: number;
  readonly limit: number;
  /** What anybody may still spend: 0 when blocked. */
  readonly left: number;
  /** Part of `left` that only moderation may spend. */
  readonly reserved: number;
  readonly resetsAt: Date;
  /** The service said that it is empty, whatever was counted here. */
  readonly blocked: boolean;
  /** Of what limits the asker alone the tightest, when less is left of it than of the project. */
  readonly bound?: Bound;
  /** Of a project that several guilds use, what this one may spend of it. */
  readonly share?: Bound;
}

export interface Spent {
  /** Day in Los Angeles, `2026-01-31`. */
  readonly day: string;
  readonly bucket: Bucket;
  readonly userId: string;
  readonly command: string;
  readonly method: string;
  readonly spent: number;
}

export interface SpentOf extends Spent {
  readonly project: string;
}

/** Counters by name. */
export type Counts = Readonly<Record<string, number>>;

/** Which record: a project's day, or what one guild spent of it. */
export interface RecordAt {
  /** 32 hex digits. */
  readonly project: string;
  /** `2026-01-31`. */
  readonly day: string;
  readonly guildId?: string;
}

/** Where counts are kept. What is written are differences, so that several processes can share a record. */
export interface UnitRecords {
  read(
    at: RecordAt,
  ): Promise<
    | { readonly state: "found"; readonly value: Counts }
    | { readonly state: "absent" }
    | { readonly state: "failed"; readonly error: Error }
  >;
  /** Adds to what is stored and answers the sums. */
  add(at: RecordAt, differences: Counts): Promise<Counts>;
}
