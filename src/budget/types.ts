/** What the video service counts by the day. */
export type Bucket = "units" | "searches" | "uploads";

/** What can be spent a day: of the image service, credits. */
export type Spendable = Bucket | "credits";

/** What one call is about to spend. */
export interface Charge {
  readonly method: string;
  readonly bucket: Spendable;
  readonly cost: number;
}

/** How a booked call went. */
export interface CallResult {
  /** Times the request reached the service; 0 gives the whole booking back. */
  readonly attempts: number;
  /** The service said that the bucket is empty for today. */
  readonly exhausted?: boolean;
  /** What the service said it charged, where it says so: it takes the price's place. */
  readonly charged?: number;
}

/** Counts what calls cost, before they leave. One belongs to one project and to whom it bills. */
export interface SpendingMeter {
  /**
   * @throws LimitError `quota_exceeded`, `quota_short`, `units_reserved` or `budget_…`, with `retryAt`; nothing is booked
   * then. ServiceError `guild_erased`.
   */
  book(charge: Charge): Promise<Booking>;
}

export interface Booking {
  /** Corrects the booking; never throws. Not settled, it stays spent. */
  settle(result: CallResult): Promise<void>;
}

/** On whose behalf something is spent, and what limits it. */
export interface BilledTo {
  readonly guildId: string;
  readonly userId: string;
  /** Path of the command, or name of the action: `playlists list`. */
  readonly command: string;
  /** Moderation may use the share that is kept for it. */
  readonly purpose?: "moderation";
  /** Nobody asked for it: the last tenth of everything is left alone. */
  readonly isSpare?: true;
  readonly limits?: SpendingLimits | undefined;
}

export type QuotaAmounts = Readonly<Partial<Record<Bucket, number>>>;

/** What holds beside what the service gives a project. */
export interface SpendingLimits {
  /** What the project may spend a day, where it is not the usual. */
  readonly quota?: QuotaAmounts | undefined;
  /** Share of the project's units that only moderation may spend; `defaultReserve` when absent. */
  readonly reserve?: number | undefined;
  /** Several guilds spend of this project: each has a part of its own. */
  readonly isShared?: boolean | undefined;
  /** Most that the guild may spend of this project a day. */
  readonly guild?: QuotaAmounts | undefined;
  /** What the person may spend a day, of all projects together; what has no budget is not limited. */
  readonly budgets?: Readonly<Partial<Record<Spendable, Budget>>> | undefined;
}

/** What a person may spend a day, and whose budget it is. */
export interface Budget {
  readonly amount: number;
  readonly of: "person" | "rank";
  /** Whose rank it is, for words. */
  readonly rank?: string;
}

/** What is left of a bucket today. */
export interface QuotaState {
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
  readonly bound?: QuotaBound;
  /** Of a project that several guilds use, what this one may spend of it. */
  readonly share?: QuotaBound;
}

/** What limits one spender beside the project itself. */
export interface QuotaBound {
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

/** What one person of a guild spent of a project on one day with one command. */
export interface SpendingLine {
  readonly project: string;
  /** Day in Los Angeles, `2026-01-31`. */
  readonly day: string;
  readonly bucket: Bucket;
  readonly userId: string;
  readonly command: string;
  readonly method: string;
  readonly spent: number;
}

/** What one person of a guild spent at the image service on one day with one command. */
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
