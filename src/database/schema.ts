import type { Generated } from "kysely";

export type Dialect = "sqlite" | "postgres";

/**
 * Every table and its columns. What is listed, filtered, sorted or counted has a column of its own; the rest of a record
 * is JSON in `data`. Times are milliseconds since the epoch, flags are 0 or 1.
 */
export interface Tables {
  readonly servers: ServersTable;
  readonly keyv: KeyvTable;
  readonly continuations: ContinuationsTable;
  readonly linked_channels: LinkedChannelsTable;
  readonly refresh_claims: RefreshClaimsTable;
  readonly revocations: RevocationsTable;
  readonly watches: WatchesTable;
  readonly held_comments: HeldCommentsTable;
  readonly digests: DigestsTable;
  readonly authors: AuthorsTable;
  readonly audit_log: AuditLogTable;
  readonly rule_books: RuleBooksTable;
  readonly saved_replies: SavedRepliesTable;
  readonly feeds: FeedsTable;
  readonly announcements: AnnouncementsTable;
  readonly spending: SpendingTable;
  readonly quota: QuotaTable;
  readonly quota_parts: QuotaPartsTable;
  readonly quota_servers: QuotaServersTable;
  readonly jobs: JobsTable;
  readonly removals: RemovalsTable;
}

/** A Discord server that anything is stored about. Erasing it and setting it up again gives it another id. */
export interface ServersTable {
  readonly id: Generated<number>;
  readonly guild_id: string;
  readonly added_at: number;
}

/** What keyv keeps: read whole by its key. Rows without a server belong to nobody's erasure. */
export interface KeyvTable {
  readonly key: string;
  readonly server_id: number | null;
  readonly value: string;
  readonly expires_at: number | null;
}

/** What a server's buttons take of its room, beside their rows in keyv: they go with those. */
export interface ContinuationsTable {
  /** Grows with time. */
  readonly id: Generated<number>;
  readonly key: string;
  readonly server_id: number;
  readonly user_id: string;
  readonly bytes: number;
  readonly expires_at: number;
}

/** Which servers have linked which channel; the credential itself is sealed in keyv. */
export interface LinkedChannelsTable {
  readonly server_id: number;
  readonly channel_id: string;
  readonly is_broken: number;
  /** When the service was last asked what it is called; null where that is not known. */
  readonly title_read_at: number | null;
}

/** Which process refreshes the access token of a linked channel just now. */
export interface RefreshClaimsTable {
  readonly server_id: number;
  readonly channel_id: string;
  readonly held_by: string;
  readonly held_until: number;
}

/** Consents that the authorisation service has still to be told to end. They outlive their server. */
export interface RevocationsTable {
  readonly id: string;
  readonly channel_id: string | null;
  /** Sealed. */
  readonly token: string;
  readonly added_at: number;
  readonly due_at: number;
}

export interface WatchesTable {
  readonly server_id: number;
  readonly id: string;
  readonly source: string;
  readonly is_paused: number;
  readonly pace_ms: number;
  /** What a poll costs. */
  readonly poll_units: number;
  /** Since when it has not been able to poll; null while it can. */
  readonly unable_since: number | null;
  readonly added_at: number;
  readonly data: string;
  /** How far it is; apart, so that who changes one does not undo the other. */
  readonly progress: Generated<string>;
}

export interface HeldCommentsTable {
  readonly server_id: number;
  readonly watch_id: string;
  /** Made of the comment's id, so the same in each watch. */
  readonly id: string;
  /** The linked channel it is decided as. */
  readonly source: string;
  readonly status: string;
  /** In which of the service's lists it was found. */
  readonly listed_as: string;
  readonly published_at: number;
  /** When a decision is to be sent, or looked up, or a snoozed comment comes back. */
  readonly due_at: number | null;
  /** Of a decision that waits or is on its way: its kind. */
  readonly decision: string | null;
  /** `due` or `sending` where its own card has to be sent, or may have been. */
  readonly card_state: string | null;
  /** The message that shows it shows an older revision. */
  readonly needs_drawing: number;
  /** The digest that shows it, or tells what a rule did with it. */
  readonly digest_id: string | null;
  /** The same for comments that say the same; null for what is too short to count. */
  readonly likeness: string | null;
  readonly read_at: number;
  readonly ended_at: number | null;
  /** Whether the service's text and names are still in `data`. */
  readonly has_text: number;
  readonly data: string;
}

export interface DigestsTable {
  readonly server_id: number;
  readonly watch_id: string;
  readonly id: string;
  readonly card_state: string;
  readonly added_at: number;
  readonly data: string;
}

export interface AuthorsTable {
  readonly server_id: number;
  readonly id: string;
  readonly seen: number;
  readonly approved: number;
  readonly rejected: number;
  readonly last_at: number;
}

export interface AuditLogTable {
  readonly server_id: number;
  /** Sorts by time. */
  readonly id: string;
  readonly at: number;
  readonly act: string;
  /** Who did it: a person's id, or a rule's. */
  readonly actor_id: string;
  readonly comment_id: string;
  readonly author_id: string | null;
  /** In lower case, for filters; null once it is forgotten. */
  readonly author_name: string | null;
  /** Whether the service's text and names are still in `data`. */
  readonly has_text: number;
  readonly data: string;
}

export interface RuleBooksTable {
  readonly server_id: number;
  readonly data: string;
}

export interface SavedRepliesTable {
  readonly server_id: number;
  readonly id: string;
  /** In lower case: no two of a server are alike. */
  readonly name_key: string;
  readonly data: string;
}

export interface FeedsTable {
  readonly server_id: number;
  /** At random, so that a channel that is followed again has nothing of what was removed before. */
  readonly id: string;
  /** A server follows a channel once. */
  readonly source: string;
  readonly added_at: number;
  /** Whose units its looks take; null while nobody looks at it. */
  readonly project: string | null;
  readonly looks_a_day: Generated<number>;
  readonly data: string;
  readonly progress: Generated<string>;
}

export interface AnnouncementsTable {
  readonly server_id: number;
  readonly feed_id: string;
  readonly video_id: string;
  readonly state: string;
  /** When an awaited video is looked at again; null where its channel's list tells. */
  readonly look_at: number | null;
  /** When it was met or came out, whichever is later. */
  readonly at: number;
  readonly data: string;
}

/** What a person spent of a budget on a day with a command. */
export interface SpendingTable {
  readonly server_id: number;
  /** Of the video service the project that paid; of the image service the account. 32 hex digits. */
  readonly project: string;
  /** `2026-01-31`, in the service's own calendar. */
  readonly day: string;
  readonly bucket: string;
  readonly user_id: string;
  readonly command: string;
  readonly method: string;
  readonly purpose: string;
  /** Units, calls, or thousandths of a credit. */
  readonly amount: number;
  /** Calls, or pictures. */
  readonly count: number;
}

/** What all servers together spent of a project on a day. It belongs to no server. */
export interface QuotaTable {
  readonly project: string;
  readonly day: string;
  readonly bucket: string;
  readonly used: number;
  /** Of that, what servers spent beyond their own parts. */
  readonly lent: number;
  /** The service said that nothing is left. */
  readonly is_empty: number;
}

/**
 * What one server spent today of a project that several share, under a hash that only this bot can make of its id. It
 * belongs to no server, so that a server does not get its part of the day once more by erasing itself.
 */
export interface QuotaPartsTable {
  readonly part: string;
  readonly day: string;
  readonly bucket: string;
  readonly used: number;
  /** Of that, for moderation. */
  readonly moderated: number;
}

/** Which servers spend of a project that several share, and on which day they did so last. */
export interface QuotaServersTable {
  readonly server_id: number;
  readonly project: string;
  readonly last_day: string;
}

/** Durable work. */
export interface JobsTable {
  readonly queue: string;
  readonly key: string;
  readonly server_id: number | null;
  readonly data: string;
  readonly due_at: number;
  /** Asked for while it ran: due again then. */
  readonly wanted_at: number | null;
  /** Taken back while it ran: it goes when it is over, unless it is wanted again. */
  readonly is_taken_back: Generated<number>;
  readonly tries: number;
  /** Whose it is while it runs, and until when that holds. */
  readonly locked_by: string | null;
  readonly locked_until: number | null;
  readonly parked_at: number | null;
  /** Code of the error that it failed with last. */
  readonly failure: string | null;
}

/** What is being erased on SQLite, slice by slice; a process that ends halfway is followed by one that goes on. */
export interface RemovalsTable {
  readonly parent: "servers" | "watches" | "feeds";
  readonly server_id: number;
  /** Of a watch or a feed; empty for a server. */
  readonly part_id: string;
}
