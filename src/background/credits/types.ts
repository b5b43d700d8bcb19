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

/** What each guild spent at the image service, kept for 40 days. */
export interface Credits {
  /** Counts a picture and what the service charged for it; 0 when it did not say. Never throws: a lost count costs nobody anything. */
  count(spender: CreditSpender, charged: number): Promise<void>;
  /** The last `days` days, today included, newest first; of this guild alone. @throws ServiceError `store_unavailable`. */
  spent(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
}
