import type { BackgroundClient } from "../../background/index.ts";
import type { Bucket, CreditsSpent, QuotaState, SpendingLimits } from "../../budget/index.ts";
import type { ServerRow, ServerRowCounts, ServerRowTable } from "../../database/index.ts";
import type { BotError } from "../../errors.ts";
import type { GuildFeeds } from "../../feeds/index.ts";
import type { Images } from "../../images/index.ts";
import type { Log } from "../../log.ts";
import type { GuildModeration, SavedReply } from "../../moderation/index.ts";
import type {
  ChannelChange,
  CredentialFacts,
  CredentialKind,
  GuildSettings,
  SettingsChange,
  StoreExport,
} from "../../store/index.ts";
import type { VideoClient } from "../../video/index.ts";
import type { Notice } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import type { Rank } from "../rank.ts";
import type { Planned, UnitsSpent } from "./clients.ts";
import type { Expressions } from "./expressions.ts";
import type { Extra } from "./extra.ts";
import type { GuildLinks } from "./links.ts";
import type { Attachment } from "./option.ts";

/** Who asks, where, and in which language: all that is known without waiting. */
export interface Asked {
  readonly guildId: string;
  readonly userId: string;
  readonly words: Words;
  now(): number;
}

/** What a form that a button opens may ask for. */
export interface AskedForm extends Asked {
  /** Answers that this server keeps for comments, by name; none where the store is too slow for a first answer. */
  savedReplies(): Promise<readonly SavedReply[]>;
}

/** What a handler may use. Everything in it belongs to one interaction of one guild. */
export interface Ctx<O = unknown> extends Asked {
  /** At least this; only `requireRank` asks Discord where more is needed. */
  readonly rank: Rank;
  /** For `requireRank`: why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
  /** For `requireRank`: reads the server's roles unless they are known. */
  readonly learnRoles: () => Promise<void>;
  /** In the server's language, for what stays in a channel for everybody. */
  readonly serverWords: Words;
  /** What the platform calls the person, whatever they are called in this server: for records. */
  readonly userName: string;
  readonly options: O;
  /** What the option `extra` said, for `withExtra`. */
  readonly extra: Extra;
  /** What the option `output` said: `list` when absent. */
  readonly output: Output;
  /** Whether the guild has a credential that the handler needs or wants. */
  has(kind: CredentialKind): boolean;
  /**
   * The guild's own client. Answers that all can read see what everybody may see; the linked channel's private things
   * are only in answers for one person of rank (docs/decisions.md). Lists are remembered for a short while.
   */
  readonly video: VideoClient;
  /** Acts and reads as the linked channel, whoever reads the answer. @throws ConnectError `channel_missing`. */
  readonly own: VideoClient;
  /** The linked channel's id, where it is known. */
  readonly channelId: string | undefined;
  /** Where the guild is, for popular lists, categories and dates. */
  readonly settings: GuildSettings;
  /** Answers what is then set. */
  changeSettings(change: SettingsChange): Promise<GuildSettings>;
  /** Does work of one name one after the other in this guild, so that a look and what follows from it stay together. */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Language that the service is asked to answer in: the person's. */
  readonly hl: string;
  /** `This costs 50 units; 9,350 left today.`, for questions: of every call that the answer yes will make. */
  price(...calls: readonly Planned[]): Promise<string>;
  /**
   * Whether all that could be paid for today, by the project, the server and the person: for handlers that make many
   * calls, before the first of them. `credits` of the image service.
   * @throws LimitError `quota_exceeded`, `units_reserved`, `budget_part`, `budget_guild`, `budget_rank` or `budget_person`.
   */
  afford(calls: readonly Planned[], credits?: number): Promise<void>;
  /** What limits the person alone, a day. */
  readonly budgets: SpendingLimits["budgets"];
  /** What may still be spent today with the key, or as the linked channel; undefined without it. */
  left(kind: "video-key" | "channel"): Promise<Readonly<Record<Bucket, QuotaState>> | undefined>;
  readonly background: BackgroundClient;
  /**
   * What this guild spent at the video service in the last days of Los Angeles, today included.
   * @throws ServiceError `store_unavailable`.
   */
  unitsSpent(days: number): Promise<readonly UnitsSpent[]>;
  /** What this guild spent at the image service in the last days, today included. @throws ServiceError `store_unavailable`. */
  creditsSpent(days: number): Promise<readonly CreditsSpent[]>;
  /** What the image service takes at most; larger pictures are brought under it. */
  readonly pictureLimits: PictureLimits;
  /** Keeps bytes in this process for a quarter of an hour at most, often less; answers the handle that `kept` takes. */
  keep(bytes: Uint8Array): string;
  /** Undefined when they are no longer here. */
  kept(handle: string): Uint8Array | undefined;
  /** Clients with a credential that is still to be proved. */
  readonly clients: ProvingClients;
  readonly credentials: GuildCredentials;
  readonly records: GuildRecords;
  /** The server's name; asked of the platform. */
  serverName(): Promise<string>;
  /** How channels come to be linked. */
  readonly links: GuildLinks;
  /** This guild's queue of comments. */
  readonly moderation: GuildModeration;
  /** This guild's announcements. */
  readonly feeds: GuildFeeds;
  readonly images: Images;
  /** Emoji and stickers of this server. */
  readonly expressions: Expressions;
  /**
   * Reads what a person attached: host and size are checked. Waits for its turn where many files are held; what was read
   * counts as held until the answer was sent.
   * @throws LimitError `files_busy`.
   */
  fetchAttachment(attachment: Attachment): Promise<Buffer>;
  /** The same without holding it, for what may be large. */
  openAttachment(attachment: Attachment, maxBytes: number): Promise<OpenedAttachment>;
  /**
   * One of several pieces of work on files: what it reads counts as held until it is over, not until the answer was sent.
   * `onQueued` is told how many go before it while it waits, and nothing when it goes on.
   */
  apart<T>(
    onQueued: (ahead: number | undefined) => void,
    work: (ctx: Ctx) => Promise<T>,
  ): Promise<T>;
  /** Files of the message that was pressed or that a menu was opened on. */
  readonly attachments: readonly Attachment[];
  /** Largest file that this interaction's answer may carry, in bytes. */
  readonly attachmentLimit: number;
  /** Shows how far it is, with a Cancel button for the person who asked; edits are spaced out. */
  progress(progress: Progress): void;
  /** Aborts when the person cancels, the time is up or the bot stops. */
  readonly signal: AbortSignal;
  /** Six characters that the log has too, for the foot of a failure that a handler tells itself. */
  readonly reference: string;
  readonly log: Log;
}

export interface PictureLimits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

/** How a list is wanted: as a message, as a file for tables or programs, or as the service answered. */
export type Output = "list" | "csv" | "json" | "raw";

export interface OpenedAttachment {
  /** Its length, as its host says. */
  readonly bytes: number;
  readonly body: import("node:stream").Readable;
}

export interface Progress extends Omit<Notice, "kind" | "tone" | "title"> {
  readonly title: string;
  /** From 0 to 1, drawn as a bar. */
  readonly done?: number;
}

/** Clients of one interaction. */
export interface ProvingClients {
  video(key: string): VideoClient;
  background(key: string): BackgroundClient;
}

/** The credentials of this interaction's guild alone. */
export interface GuildCredentials {
  /** Undefined when there is none; of the linked channels the default. @throws ServiceError `store_unavailable`. */
  facts(kind: CredentialKind): Promise<CredentialFacts | undefined>;
  /** Every linked channel, the default first. @throws ServiceError `store_unavailable`. */
  channels(): Promise<readonly CredentialFacts[]>;
  /** The same; titles that were read longer ago are read again, a unit each, where that works. */
  freshChannels(olderThanMs: number, signal: AbortSignal): Promise<readonly CredentialFacts[]>;
  /** Answers whether that channel is linked. @throws ServiceError `store_unavailable`. */
  changeChannel(channelId: string, change: ChannelChange): Promise<boolean>;
  /** Answers whether that channel is linked. @throws ServiceError `store_unavailable`. */
  chooseDefault(channelId: string): Promise<boolean>;
  write(kind: Exclude<CredentialKind, "channel">, secret: string): Promise<void>;
  /**
   * One linked channel, or all of them without an id; their consents are ended at the service too, unless a channel is
   * linked elsewhere. Answers whether there was one. @throws ServiceError `store_unavailable`.
   */
  remove(kind: CredentialKind, channelId?: string): Promise<boolean>;
}

/** All that is stored about this interaction's guild. */
export interface GuildRecords {
  /** What is read whole by its key, without its secrets. @throws ServiceError `store_unavailable`. */
  held(): Promise<StoreExport>;
  /** How many rows there are of everything else. @throws ServiceError `store_unavailable`. */
  counts(): Promise<ServerRowCounts>;
  /** Those rows, page after page. @throws ServiceError `store_unavailable`. */
  rows(table: ServerRowTable): AsyncGenerator<readonly ServerRow[]>;
  /** Removes it, with what this process remembers. @throws ServiceError `store_unavailable`, outcome `part`. */
  erase(): Promise<void>;
}
