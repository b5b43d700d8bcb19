/** What YouTube counts by the day. */
export type QuotaBucket = "units" | "searches" | "uploads";

/** What can be spent in a day; credits are those of remove.bg. */
export type SpendingKind = QuotaBucket | "credits";

/** What one call is about to spend. */
export interface CallCharge {
  readonly method: string;
  readonly bucket: SpendingKind;
  readonly cost: number;
}

/** How a booked call went. */
export interface CallResult {
  /** How often the request reached YouTube or remove.bg; 0 gives the whole booking back. */
  readonly attempts: number;
  /** YouTube said that the bucket is empty for today. */
  readonly exhausted?: boolean;
  /** What remove.bg says it charged; replaces the price that was booked. */
  readonly charged?: number;
}

/** Counts what calls cost, before they are sent. A meter belongs to one project and one `BilledTo`. */
export interface SpendingMeter {
  /**
   * Books a call.
   * @throws LimitError `quota_exceeded`, `quota_short`, `units_reserved` or `budget_…`, with `retryAt`; then nothing is
   * booked. ServiceError `guild_erased`.
   */
  book(charge: CallCharge): Promise<Booking>;
}

export interface Booking {
  /** Corrects the booking by how the call went; never throws. A booking that is not settled stays spent. */
  settle(result: CallResult): Promise<void>;
}

/** On whose behalf something is spent, and what limits it. */
export interface BilledTo {
  readonly guildId: string;
  readonly userId: string;
  /** Path of the command, or name of the action: `playlists list`. */
  readonly command: string;
  /** Moderation may use the units that are reserved for it. */
  readonly purpose?: "moderation";
  /** No person asked for it, so it does not use the last tenth of any limit. */
  readonly isSpare?: true;
  readonly limits?: SpendingLimits | undefined;
}

export type QuotaAmounts = Readonly<Partial<Record<QuotaBucket, number>>>;

/** Limits beside those that YouTube sets for a project. */
export interface SpendingLimits {
  /** What the project may spend a day, where it differs from the default. */
  readonly quota?: QuotaAmounts | undefined;
  /** Share of the project's units that only moderation may spend; `defaultReserve` when absent. */
  readonly reserve?: number | undefined;
  /** Who spends, where linked channels share the project and each has a part of it. Never throws. */
  readonly sharer?: (() => Promise<QuotaSharer>) | undefined;
  /** Most that the server may spend of this project a day. */
  readonly server?: QuotaAmounts | undefined;
  /** What the person may spend a day in all projects together; kinds without a budget are not limited. */
  readonly budgets?: Readonly<Partial<Record<SpendingKind, Budget>>> | undefined;
}

/** Who spends of a project that linked channels share. */
export interface QuotaSharer {
  /** The channel at YouTube; undefined where none is linked yet. */
  readonly channelId?: string | undefined;
  /** Who linked it. */
  readonly linkedBy: string;
}

/** What a person may spend a day, and whose budget it is. */
export interface Budget {
  readonly amount: number;
  readonly of: "person" | "rank";
  /** Name of the rank, for messages. */
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
  /** YouTube said that the bucket is empty, whatever was counted here. */
  readonly blocked: boolean;
  /** The tightest limit of the spender, when less is left of it than of the project. */
  readonly bound?: QuotaBound;
  /** What this channel, or this server, may spend of a project that several use. */
  readonly share?: QuotaBound;
}

/** A limit of one spender, beside the limit of the project. */
export interface QuotaBound {
  /**
   * `part`: the channel's part of a project that several use. `guild`: the most that the operator lets a server spend.
   * `person`: the budget of one person. `rank`: that of each person of a rank.
   */
  readonly of: "part" | "guild" | "person" | "rank";
  readonly rank?: string;
  readonly limit: number;
  readonly used: number;
  readonly left: number;
  /** Part of `left` that only moderation may spend. */
  readonly reserved?: number;
  /** For a part: why it is as large as it is. */
  readonly sharing?: QuotaSharingFacts;
  readonly resetsAt: Date;
}

/** Why a channel's part of a project is as large as it is. */
export interface QuotaSharingFacts {
  /** Nobody else can spend this much; the rest of the channel's limit is lent. */
  readonly own: number;
  /** How many channels share the project. */
  readonly channels: number;
  /** How many of them share this part: those of the person who linked the channel. */
  readonly ofPerson: number;
  /** The day from which on the channel has a full part, `2026-01-31`; absent once it has. */
  readonly fullFrom?: string;
}

/** What one person of a server spent of a project on one day with one command. */
export interface SpendingLine {
  readonly project: string;
  /** Day in Los Angeles, `2026-01-31`. */
  readonly day: string;
  readonly bucket: QuotaBucket;
  readonly userId: string;
  readonly command: string;
  readonly method: string;
  readonly spent: number;
}

/** What one person of a server spent at remove.bg on one day with one command. */
export interface CreditsSpent {
  /** Day in Los Angeles, `2026-01-31`. */
  readonly day: string;
  readonly userId: string;
  readonly command: string;
  /** Credits; may have fractions. */
  readonly credits: number;
  /** Pictures that were cut out. */
  readonly pictures: number;
}

/** Units that a server wants for decisions about comments. */
export interface DecisionUnits {
  readonly cost: number;
  /** Most that may be taken today, those taken before included. */
  readonly limit: number;
}
