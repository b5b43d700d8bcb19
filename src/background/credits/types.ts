/** On whose behalf credits are spent. */
export interface CreditSpender {
  readonly guildId: string;
  readonly userId: string;
  /** Path of the command, or name of the action: `background remove`. */
  readonly command: string;
}

/** What one person of a guild spent on one day with one command. */
export interface CreditsSpent {
  /** UTC day, `2026-01-31`. */
  readonly day: string;
  readonly userId: string;
  readonly command: string;
  /** Credits; may have fractions. */
  readonly credits: number;
  /** Pictures that were cut out. */
  readonly pictures: number;
}

/** What a person may spend a day, and whose budget it is. */
export interface CreditBudget {
  readonly amount: number;
  readonly of: "person" | "rank";
  readonly rank?: string;
}

export interface CreditsOptions {
  readonly records: CreditRecords;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told when a picture could not be counted. */
  readonly onFailure?: (error: unknown) => void;
}

/** What each guild spent at the image service, kept for 40 days. */
export interface Credits {
  /** Counts a picture and what the service charged for it; 0 when it did not say. Never throws: a lost count costs nobody anything. */
  count(spender: CreditSpender, charged: number): Promise<void>;
  /** `count` for one command; counts nothing any more once its guild is forgotten. */
  counter(spender: CreditSpender): (charged: number) => Promise<void>;
  /**
   * Sets aside what a cut-out takes at most, so that two at once can't both take the last credits; what it answers gives
   * that back, once the cut-out is counted. Without a budget, or where the records can't be read, nothing is refused.
   * @throws LimitError `budget_person` or `budget_rank`.
   */
  hold(spender: CreditSpender, price: number, budget?: CreditBudget): Promise<() => void>;
  /** The same without setting anything aside. */
  afford(spender: CreditSpender, price: number, budget?: CreditBudget): Promise<void>;
  /** The last `days` days, today included, newest first; of this guild alone. @throws ServiceError `store_unavailable`. */
  spent(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
  /** Ends the counting of what is under way for a guild whose records are to be erased. */
  forget(guildId: string): void;
}

/** Counters by name; credits in thousandths. */
export type CreditCounts = Readonly<Record<string, number>>;

/** Which record: what one guild spent on one UTC day. */
export interface CreditRecordAt {
  readonly guildId: string;
  /** `2026-01-31`. */
  readonly day: string;
}

/** Where counts are kept. What is written are differences, so that several processes can share a record. */
export interface CreditRecords {
  read(
    at: CreditRecordAt,
  ): Promise<
    | { readonly state: "found"; readonly value: CreditCounts }
    | { readonly state: "absent" }
    | { readonly state: "failed"; readonly error: Error }
  >;
  /** Adds to what is stored and answers the sums. */
  add(at: CreditRecordAt, differences: CreditCounts): Promise<CreditCounts>;
}
