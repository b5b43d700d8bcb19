import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, CredentialKind, Credentials } from "./credential-types.ts";
import type { GuildSettings, Settings } from "./settings-types.ts";

export type * from "./credential-types.ts";
export type * from "./settings-types.ts";

/** A read has three answers, because a failure must never look like an absence. */
export type Read<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  | { readonly state: "failed"; readonly error: Error };

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
  /** Answers its id. Part of the transaction that is under way. @throws ServiceError `store_unavailable`. */
  add(token: string, options?: RevocationOptions): Promise<string>;
  read(id: string): Promise<Read<Revocation>>;
  /** Those whose time has come, the earliest first; at most 100, without what does not open. @throws ServiceError `store_unavailable`. */
  due(): Promise<readonly Revocation[]>;
  /** The latest first; at most 100, without what does not open. @throws ServiceError `store_unavailable`. */
  ofChannel(channelId: string): Promise<readonly Revocation[]>;
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

/** What the store holds about a server, in a form for people. */
export interface StoreExport {
  readonly credentials: readonly ExportedCredential[];
  readonly settings: GuildSettings | undefined;
  readonly accessTokens: HeldRecords;
  /** What buttons, selects and forms stand for. */
  readonly buttons: HeldRecords;
  readonly linksUnderWay: HeldRecords;
}

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

export interface Store {
  /** What it lies on, with everything else that is stored; `close` closes it. */
  readonly database: Database;
  readonly credentials: Credentials;
  readonly accessTokens: AccessTokens;
  readonly tickets: Tickets;
  readonly revocations: Revocations;
  readonly continuations: Continuations;
  readonly settings: Settings;
  /** @throws ServiceError `store_unavailable`. */
  exportServer(guildId: string): Promise<StoreExport>;
  /**
   * Removes all that is stored about a server, in every table. The consents of its channels are written down to be ended as
   * its links go. @throws ServiceError `store_unavailable`, outcome `part`; call it again then.
   */
  eraseServer(guildId: string): Promise<void>;
  /** Writes, reads and removes a row of its own. */
  ping(): Promise<Read<true>>;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** Master keys; the first seals, all open. */
  readonly keys: readonly MasterKey[];
  /** Told every secret that is opened or written, so that the log can remove it by value. */
  readonly onSecret?: (secret: string) => void;
  /** Told what is doubtful about a database server, in words for the log. */
  readonly onWarning?: (what: string) => void;
  /** Called with each consent that is to be ended, within the transaction that writes it down. */
  readonly onRevocation?: (revocation: Pick<Revocation, "id" | "dueAt">) => Promise<void>;
  /** In place of the database's own clock. */
  readonly now?: () => number;
}

/** The same over a database that is open already; whoever opened it closes it. */
export interface StoreOverOptions extends Omit<OpenStoreOptions, "url" | "onWarning" | "now"> {
  readonly database: Database;
}

export interface MasterKey {
  /** 1 to 16 characters of a-z, 0-9 and `-`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}
