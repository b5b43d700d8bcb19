/** A read has three answers, because a failure must never look like an absence. */
export type Read<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

/** `channel` is a linked channel; the others are API keys. */
export type CredentialKind = "video-key" | "channel" | "background-key";

/** What may be shown about a credential. */
export interface CredentialFacts {
  readonly kind: CredentialKind;
  /** Discord user id of the person who entered it. */
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Of a linked channel. */
  readonly channelId?: string;
  /** Of a linked channel, as it was called when it was linked. */
  readonly channelTitle?: string;
  /** What the channel's owner consented to, without the address prefix: `youtube.force-ssl`. */
  readonly scopes?: readonly string[];
}

export interface Credential extends CredentialFacts {
  /** The key; of a linked channel its refresh token. */
  readonly secret: string;
}

/** Sealed with AES-256-GCM; guild, kind and field are bound in, so a row moved to another guild does not open. */
export interface Credentials {
  read(guildId: string, kind: CredentialKind): Promise<Read<Credential>>;
  /** @throws ServiceError `store_unavailable`; nothing is changed then. */
  write(guildId: string, credential: Credential): Promise<void>;
  /** Answers whether there was one. @throws ServiceError `store_unavailable`. */
  remove(guildId: string, kind: CredentialKind): Promise<boolean>;
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
  /** Answers a handle of 128 random bits, base64url (22 characters). @throws ServiceError `store_unavailable`. */
  put(continuation: Continuation, ttlMs: number): Promise<string>;
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

/** Who of a guild may do more than members, by role ids. */
export type RankRoles = Readonly<
  Partial<Record<"moderator" | "manager" | "owner", readonly string[]>>
>;

/** What a guild chose; nothing of it is secret. */
export interface GuildSettings {
  /** ISO 3166-1 alpha-2: `DE`. */
  readonly region?: string;
  /** IANA: `Europe/Berlin`. */
  readonly timeZone?: string;
  readonly roles?: RankRoles;
}

/** What is given replaces, `undefined` removes, and what is left out stays; roles likewise, rank by rank. */
export interface SettingsChange {
  readonly region?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly roles?: { readonly [R in keyof RankRoles]?: RankRoles[R] | undefined } | undefined;
}

export interface Settings {
  read(guildId: string): Promise<Read<GuildSettings>>;
  /**
   * Answers what is then set; changes at the same time do not undo each other.
   * @throws ServiceError `store_unavailable`; nothing is changed then.
   */
  update(guildId: string, change: SettingsChange): Promise<GuildSettings>;
}

/** Which guilds have anything stored. */
export interface Guilds {
  /** Ids of all guilds with stored credentials or settings. @throws ServiceError `store_unavailable`. */
  all(): Promise<readonly string[]>;
  /** Removes all that is stored about a guild and every trace of it in the database's files. @throws ServiceError `store_unavailable`. */
  erase(guildId: string): Promise<void>;
}

export interface Store {
  readonly credentials: Credentials;
  readonly continuations: Continuations;
  readonly units: Units;
  readonly credits: Credits;
  readonly settings: Settings;
  readonly guilds: Guilds;
  /** Writes, reads and removes a row of its own. */
  ping(): Promise<Read<true>>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** `sqlite:path` or `sqlite::memory:`. */
  readonly url: string;
  /** Master keys; the first seals, all open. */
  readonly keys: readonly MasterKey[];
  /** Told every secret that is opened or written, so that the log can remove it by value. */
  readonly onSecret?: (secret: string) => void;
  readonly now?: () => number;
}

export interface MasterKey {
  /** 1 to 16 characters of a-z, 0-9 and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}
