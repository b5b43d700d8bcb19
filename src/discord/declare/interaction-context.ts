import type { BotError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { ServerSettings, SettingsChange } from "../../store/index.ts";
import type { Notice, Reply, ReplyFileOnDisk } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import type { Rank } from "../rank.ts";
import type { ServerExpressions } from "./expressions.ts";
import type { Attachment } from "./option.ts";
import type { CommandInfo, RequestInfo } from "./request-info.ts";
import type { PostChannel, ServerChannels } from "./text-channel.ts";

/** How an interaction's answer can be edited later, such as when the person has finished on our web page. */
export interface AnswerAddress {
  readonly applicationId: string;
  readonly interactionToken: string;
  /** The person's language. */
  readonly locale: string;
  /** The channel that shows it. */
  readonly channelId?: string | undefined;
}

/** The state of one interaction of one server: who asks, what for, and what Discord can do about it. */
export interface InteractionContext<O = unknown> extends RequestInfo {
  /** At least this; only `requireRank` asks Discord where more is needed. */
  readonly rank: Rank;
  /** For `requireRank`: why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
  /** For `requireRank`: reads the server's roles unless they are known. */
  readonly learnRoles: () => Promise<void>;
  /** In the server's language, for what stays in a channel for everybody. */
  readonly serverWords: Words;
  /** In the language of that tag, such as one that was chosen for a channel. */
  wordsIn(tag: string): Words;
  /** The account's name, not the nickname in this server: for records. */
  readonly userName: string;
  readonly options: O;
  /** Changes the stored settings and returns them. `change` gets what is stored, which may be newer than `settings`. */
  changeSettings(change: SettingsChange): Promise<ServerSettings>;
  /** Runs work of the same name one at a time in this server, so that nothing changes between a check and what follows it. */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The server's name, read from Discord. */
  serverName(): Promise<string>;
  /** Every command that can be typed, by its path, with the rank that it takes. */
  readonly commands: readonly CommandInfo[];
  /** The channel that the interaction comes from; undefined where the bot can't keep messages there, as in a thread. */
  readonly here: PostChannel | undefined;
  /** Whether the bot has the permission to make events in this server, by what the interaction says. */
  readonly mayMakeEvents: boolean;
  /** Channels of this server, and who reads them. */
  readonly serverChannels: ServerChannels;
  /** Emoji and stickers of this server. */
  readonly expressions: ServerExpressions;
  /**
   * Downloads an attachment after checking its host and size. Waits for its turn where many files are in memory; its bytes
   * count until the answer is sent.
   * @throws LimitError `files_busy`.
   */
  fetchAttachment(attachment: Attachment): Promise<Buffer>;
  /** The same as a stream, for files that may be large. */
  openAttachment(attachment: Attachment, maxBytes: number): Promise<OpenedAttachment>;
  /**
   * Runs one of several pieces of work on files: what it reads counts until it ends, not until the answer is sent.
   * `onQueued` is called with the number ahead of it while it waits, and with undefined when its turn has come.
   */
  apart<T>(
    onQueued: (ahead: number | undefined) => void,
    work: (ctx: this) => Promise<T>,
  ): Promise<T>;
  /**
   * Writes a file of a long list, entry by entry, in its turn among all files that are in memory or being made. It is there
   * until the answer is sent.
   * @throws LimitError `files_busy`; InputError `answer_file_too_large`.
   */
  makeFile(file: FileToMake): Promise<MadeFile>;
  /** Counts that many bytes, which a handler is about to read, until the answer is sent. @throws LimitError `files_busy`. */
  holdBytes(bytes: number): Promise<void>;
  /** Files of the message that was pressed or that a menu was opened on. */
  readonly attachments: readonly Attachment[];
  /** Largest file that this interaction's answer may carry, in bytes. */
  readonly attachmentLimit: number;
  /** Shows the progress, with a Cancel button for the person who asked; edits are spaced out. */
  progress(progress: ProgressNotice): void;
  /**
   * Replaces the answer by what `work` resolves to, unless the message was changed by then: for an answer that says what is
   * about to happen. It does not hold up the interaction, and does not outlive the process.
   */
  afterwards(work: (signal: AbortSignal) => Promise<Reply | undefined>): void;
  /** Aborts when the person cancels, the time is up or the bot stops. */
  readonly signal: AbortSignal;
  /** Six characters that the log has too, for the footer of a failure that a handler shows itself. */
  readonly reference: string;
  readonly log: Log;
}

/** A part of a file that is never cut in two, and what would end the file after it. */
export interface FileEntry {
  readonly text: string;
  readonly end: string;
  /** Whether it is not counted, such as the names of a table's columns. */
  readonly isHead?: true;
}

export interface FileToMake {
  readonly name: string;
  readonly alt?: string;
  /** Read one after the other: none before the one before it is written. */
  readonly entries: AsyncIterable<FileEntry> | Iterable<FileEntry>;
  /** Whether it is compressed (gzip). */
  readonly isPacked?: boolean;
}

export interface MadeFile {
  readonly file: ReplyFileOnDisk;
  /** How many entries it has. */
  readonly count: number;
  /** Whether entries were left out because there was no room for them. */
  readonly isCut: boolean;
  /** How large it may be. */
  readonly maxBytes: number;
}

export interface OpenedAttachment {
  /** Its length, as its host says. */
  readonly bytes: number;
  readonly body: import("node:stream").Readable;
}

export interface ProgressNotice extends Omit<Notice, "kind" | "tone" | "title"> {
  readonly title: string;
  /** From 0 to 1, drawn as a bar. */
  readonly done?: number;
}
