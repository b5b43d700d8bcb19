import type { AuditEntry } from "./records/audit.ts";
import type {
  AccessTokens,
  Credential,
  CredentialKind,
  Credentials,
} from "./records/credentials.ts";
import type { Announcement, Feed, FeedProgress } from "./records/feed.ts";
import type { GuildRows } from "./records/guild-rows.ts";
import type { AuthorHistory, Digest, QueueItem, SavedReply } from "./records/queue.ts";
import type { RuleBook } from "./records/rules.ts";
import type { GuildSettings, Settings } from "./records/settings.ts";
import type { Watch, WatchProgress } from "./records/watch.ts";

export type * from "./records/credentials.ts";
export type * from "./records/settings.ts";

/** A read has three answers, because a failure must never look like an absence. */
export type Read<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

/** What must happen once across processes. */
export interface Leases {
  /**
   * Undefined while somebody else holds it. `name` is made of fixed-shape ids and `:`, at most 100 characters.
   * @throws ServiceError `store_unavailable`.
   */
  take(name: string, holdMs: number): Promise<Lease | undefined>;
}

export interface Lease {
  /** Holds it for so long from now; answers whether it still was held. @throws ServiceError `store_unavailable`. */
  renew(holdMs: number): Promise<boolean>;
  /** Lets others have it; never throws, because it ends by itself too. */
  release(): Promise<void>;
}

/** A sealed record that whoever holds its token may use once. */
export interface Ticket {
  readonly guildId: string;
  readonly userId: string;
  /** JSON-shaped; may hold secrets. */
  readonly content: unknown;
  /** What it is, where it is no step of a link: `push` is what a hub calls back. Stored openly. */
  readonly of?: "push";
}

/** Steps of the link flow. The token has 256 random bits (43 characters base64url) and is stored as its SHA-256 only. */
export interface Tickets {
  /** Answers the token. @throws ServiceError `store_unavailable`. */
  put(ticket: Ticket, ttlMs: number): Promise<string>;
  /** Absent for anything that is no token. */
  read(token: string): Promise<Read<Ticket>>;
  /** The same, and only one of all who ask at once gets it. */
  take(token: string): Promise<Read<Ticket>>;
  /** What the tickets of one person in one guild have in common; sealed too. */
  readDraft(guildId: string, userId: string): Promise<Read<Ticket>>;
  /**
   * Replaces the content of that by what is made of it, `undefined` where there is none, and answers it; nobody, in this
   * process or another, comes between. To make `undefined` removes it. `make` may be called several times.
   * @throws ServiceError `store_unavailable`.
   */
  changeDraft<T>(
    of: Pick<Ticket, "guildId" | "userId">,
    make: (content: unknown) => T,
    ttlMs: number,
  ): Promise<T>;
}

/** Tokens that the authorisation service has still to be told to end. Sealed; they belong to no guild any more. */
export interface Revocations {
  /** Answers its id. @throws ServiceError `store_unavailable`. */
  add(token: string, options?: RevocationOptions): Promise<string>;
  /** @throws ServiceError `store_unavailable`. */
  all(): Promise<readonly Revocation[]>;
  /** @throws ServiceError `store_unavailable`. */
  remove(id: string): Promise<void>;
}

export interface RevocationOptions {
  /**
   * Of the channel that the token speaks for. To end a token ends everything its account gave to this bot, so that a
   * channel which is linked somewhere by then keeps it.
   */
  readonly channelId?: string | undefined;
  /** Milliseconds since the epoch; half a minute from now when absent, so that the link can be removed first. */
  readonly dueAt?: number | undefined;
}

export interface Revocation {
  /** 32 hex digits. */
  readonly id: string;
  readonly token: string;
  readonly channelId?: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Not told before. Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** What a button, select or form stands for, kept so that it works after a restart. */
export interface Continuation {
  readonly guildId: string;
  /** The person whose reply it hangs on. */
  readonly userId: string;
  /** JSON-shaped; the action's own state by component. */
  readonly state: unknown;
}

export interface Continuations {
  /** For 30 days at most. Answers a handle of 128 random bits, base64url (22 characters). @throws ServiceError `store_unavailable`. */
  put(continuation: Continuation, ttlMs: number): Promise<string>;
  /**
   * The same under a handle that was chosen before, and as long as a message with it may wait for an answer: for states
   * that hold nothing but ids. @throws ServiceError `store_unavailable`; TypeError for what is no handle.
   */
  putAs(handle: string, continuation: Continuation): Promise<void>;
  read(handle: string): Promise<Read<Continuation>>;
  remove(handle: string): Promise<void>;
}

/** Counters by name, whole numbers; differences may be below zero. */
export type Counts = Readonly<Record<string, number>>;

/** A project's day, or what one guild spent of it. */
export interface UnitRecordAt {
  /** 32 hex digits. */
  readonly project: string;
  /** `2026-01-31`. */
  readonly day: string;
  readonly guildId?: string;
}

/** Units spent at the video service; kept for 40 days. */
export interface Units {
  read(at: UnitRecordAt): Promise<Read<Counts>>;
  /**
   * Adds to each counter and answers the sums, so that what several wrote at once adds up.
   * @throws ServiceError `store_unavailable`; nothing is changed then.
   */
  add(at: UnitRecordAt, differences: Counts): Promise<Counts>;
}

/** What one guild spent on one day. */
export interface CreditRecordAt {
  readonly guildId: string;
  /** `2026-01-31`. */
  readonly day: string;
}

/** Credits spent at the image service; kept for 40 days. */
export interface Credits {
  read(at: CreditRecordAt): Promise<Read<Counts>>;
  /**
   * Adds to each counter and answers the sums, so that what several wrote at once adds up.
   * @throws ServiceError `store_unavailable`; nothing is changed then.
   */
  add(at: CreditRecordAt, differences: Counts): Promise<Counts>;
}

/** Which guilds have anything stored. */
export interface Guilds {
  /** Ids of all guilds that anything is stored about. @throws ServiceError `store_unavailable`. */
  all(): Promise<readonly string[]>;
  /**
   * Removes all that is stored about a guild and every trace of it in the database's files. Its channels' consents are
   * handed to `revocations` first. @throws ServiceError `store_unavailable`, outcome `part`; call it again then.
   */
  erase(guildId: string): Promise<void>;
  /**
   * Does a work for a guild: should the guild be erased before its end, then what it writes after that is refused with
   * ServiceError `guild_erased`, also where the guild is set up again by then. Another work may not inherit it for long:
   * what is done again and again is a work each time.
   */
  runFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** The same, begun before the store has answered: for what a person waits for. */
  answerFor<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** All that is stored about a guild, without its secrets. @throws ServiceError `store_unavailable`. */
  export(guildId: string): Promise<GuildExport>;
}

export interface GuildExport {
  readonly credentials: readonly ExportedCredential[];
  readonly settings: GuildSettings | undefined;
  /** What the guild's people spent, by day and project, as `units` counts it. */
  readonly units: readonly {
    readonly day: string;
    readonly project: string;
    readonly counts: Counts;
  }[];
  /** By day, as `credits` counts it. */
  readonly credits: readonly { readonly day: string; readonly counts: Counts }[];
  readonly accessTokens: HeldRecords;
  /** What buttons, selects and forms stand for. */
  readonly buttons: HeldRecords;
  readonly linksUnderWay: HeldRecords;
  readonly moderation: ExportedRows<ModerationRows>;
  readonly feeds: ExportedRows<FeedRows>;
}

/** Records of guilds, by their kinds; with their ids, which some do not hold. */
export type ExportedRows<Rows> = {
  readonly [Kind in keyof Rows]: Rows[Kind] extends GuildRows<infer T>
    ? readonly { readonly id: string; readonly value: T }[]
    : never;
};

/** `secret` is masked: its last four characters behind an ellipsis. */
export type ExportedCredential =
  | Credential
  | { readonly kind: CredentialKind; readonly isUnreadable: true };

/** Records that go by themselves. */
export interface HeldRecords {
  readonly count: number;
  /** When the last of them is gone. Milliseconds since the epoch. */
  readonly goneAt?: number;
}

/** What the queue of comments keeps. In brackets how a record's id is made. */
export interface ModerationRows {
  /** [watch] */
  readonly watches: GuildRows<Watch>;
  /** [watch] */
  readonly progress: GuildRows<WatchProgress>;
  /** [watch:item] */
  readonly items: GuildRows<QueueItem>;
  /** [watch:digest] */
  readonly digests: GuildRows<Digest>;
  /** [the first 32 hex digits of the SHA-256 of the author's channel id] */
  readonly authors: GuildRows<AuthorHistory>;
  /** [entry] */
  readonly audit: GuildRows<AuditEntry>;
  /** One record a guild, `all`. */
  readonly rules: GuildRows<RuleBook>;
  /** [reply] */
  readonly replies: GuildRows<SavedReply>;
}

/** What announcing releases keeps. */
export interface FeedRows {
  /** [feed] */
  readonly feeds: GuildRows<Feed>;
  /** [feed] */
  readonly progress: GuildRows<FeedProgress>;
  /** [feed:announcement] */
  readonly announcements: GuildRows<Announcement>;
}

/** How many records of each kind. */
export type Forgotten = Readonly<Record<"audit" | "items" | "digests" | "authors", number>>;

export interface Store {
  readonly credentials: Credentials;
  readonly accessTokens: AccessTokens;
  readonly leases: Leases;
  readonly tickets: Tickets;
  readonly revocations: Revocations;
  readonly continuations: Continuations;
  readonly units: Units;
  readonly credits: Credits;
  readonly settings: Settings;
  readonly moderation: ModerationRows;
  readonly feeds: FeedRows;
  readonly guilds: Guilds;
  /**
   * Forgets of all guilds what nobody needs any more: texts and names in the audit and in items that were not read again
   * for 30 days; items that were over 30 days ago, and digests without items; audit entries and authors after a year.
   * Damaged records are passed over. @throws ServiceError `store_unavailable`, outcome `part`.
   */
  forgetOld(): Promise<Forgotten>;
  /** Writes, reads and removes a row of its own. */
  ping(): Promise<Read<true>>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** `sqlite:path`, `sqlite::memory:`, `redis://…`, `rediss://…` or `postgres://…`. */
  readonly url: string;
  /** Master keys; the first seals, all open. */
  readonly keys: readonly MasterKey[];
  /** Told every secret that is opened or written, so that the log can remove it by value. */
  readonly onSecret?: (secret: string) => void;
  /** Told what is doubtful about a database server, in words for the log. */
  readonly onWarning?: (what: string) => void;
  readonly now?: () => number;
}

export interface MasterKey {
  /** 1 to 16 characters of a-z, 0-9 and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}
