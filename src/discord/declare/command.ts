import type { BackgroundClient, CreditSpender, CreditsSpent } from "../../background/index.ts";
import type { Images } from "../../images/index.ts";
import type { Log } from "../../log.ts";
import type {
  ChannelChange,
  CredentialFacts,
  CredentialKind,
  GuildExport,
  GuildSettings,
  SettingsChange,
} from "../../store/index.ts";
import type {
  Amount,
  Bucket,
  Budget,
  Charge,
  Left,
  Method,
  Spender,
  SpentOf,
  VideoClient,
} from "../../video/index.ts";
import type { SuggestCtx } from "../declare/suggest.ts";
import type { Form, Notice, Press, Reply } from "../draw/reply.ts";
import type { Text } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import type { Rank } from "../rank.ts";
import type { Event } from "./events.ts";
import type { Expressions } from "./expressions.ts";
import type { Extra } from "./extra.ts";
import type { GuildLinks } from "./links.ts";
import type { Attachment, Option, OptionsOf } from "./options.ts";

/** How an answer appears: to all, to the person alone, or in place of the message that was pressed. */
export type Answer = "public" | "private" | "update";

/** Who asks, where, and in which language: all that is known without waiting. */
export interface Asked {
  readonly guildId: string;
  readonly userId: string;
  readonly rank: Rank;
  /** Why mapped roles were left out of the rank, where they might have raised it; for `requireRank`. */
  readonly rolesUnread?: Error | undefined;
  readonly words: Words;
  now(): number;
}

/** What a handler may use. Everything in it belongs to one interaction of one guild. */
export interface Ctx<O = Record<never, never>> extends Asked {
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
  /** `This costs 50 units; 9,350 are left today.`, for questions. */
  price(method: Method, times?: number): Promise<string>;
  /**
   * Whether all that could be paid for today, by the project, the server and the person: for handlers that make many
   * calls, before the first of them. `credits` of the image service.
   * @throws LimitError `quota_exceeded`, `units_reserved`, `budget_guild`, `budget_rank` or `budget_person`.
   */
  afford(calls: readonly Planned[], credits?: number): Promise<void>;
  /** What limits the person alone, a day. */
  readonly budgets: Purse["budgets"];
  /** What may still be spent today with the key, or as the linked channel; undefined without it. */
  left(kind: "video-key" | "channel"): Promise<Readonly<Record<Bucket, Left>> | undefined>;
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
  readonly images: Images;
  /** Emoji and stickers of this server. */
  readonly expressions: Expressions;
  /** Reads what a person attached: host, size and count are checked. */
  fetchAttachment(attachment: Attachment): Promise<Buffer>;
  /** The same without holding it, for what may be large. */
  openAttachment(attachment: Attachment, maxBytes: number): Promise<OpenedAttachment>;
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

/** Exactly one credential of a guild: a key, or one of its linked channels, the default one without an id. */
export type VideoAccess =
  | { readonly key: string }
  | { readonly channelOf: string; readonly channelId?: string | undefined };

/** What one call cost. */
export interface Cost {
  readonly bucket: Bucket;
  readonly cost: number;
}

export type Spendable = Bucket | "credits";

export type { Budget };

/** What the owners of a guild chose for what is spent there. */
export interface Purse {
  /** What the person may spend a day; what has no budget is not limited. */
  readonly budgets: Readonly<Partial<Record<Spendable, Budget>>> | undefined;
  readonly quota: GuildSettings["quota"] | undefined;
  readonly reserve: number | undefined;
}

/** On whose behalf something is spent, and what limits it. */
export interface Payer extends Spender, CreditSpender {
  readonly purse?: Purse;
  readonly isSpare?: true;
}

/** A method and how often it is to be called; once when absent. */
export type Planned = readonly [method: Method, times?: number];

/** What one person spent on one day, and of which project: of the key and the channels as they are connected now. */
export interface UnitsSpent extends SpentOf {
  readonly kind: "video-key" | "channel" | "former";
}

/** Made in `bot.ts`. */
export interface Clients {
  /** Its calls are counted on behalf of that payer, and told once they have reached the service. */
  video(access: VideoAccess, payer: Payer, onSpent?: (cost: Cost) => void): VideoClient;
  /** What the credential's project may still spend today, for that payer. */
  left(access: VideoAccess, payer: Payer): Promise<Readonly<Record<Bucket, Left>>>;
  /** Holds calls against what is left; `personal` is what the payer would spend of all projects together. @throws LimitError */
  afford(
    access: VideoAccess,
    payer: Payer,
    wanted: { readonly charges: readonly Charge[]; readonly personal: Amount },
  ): Promise<void>;
  /** What a guild spent in the last days, of every project. @throws ServiceError `store_unavailable`. */
  spent(guildId: string, days: number): Promise<readonly SpentOf[]>;
  /** The credential's project; undefined where it can't be used. */
  projectOf(access: VideoAccess): string | undefined;
  /** Its turns are shared out by guild, and what it is charged is counted on behalf of that payer. */
  background(key: string, payer: Payer): BackgroundClient;
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
  /** Without its secrets. @throws ServiceError `store_unavailable`. */
  export(): Promise<GuildExport>;
  /** Removes it, with what this process remembers. @throws ServiceError `store_unavailable`, outcome `part`. */
  erase(): Promise<void>;
}

interface Handling {
  /** Lowest rank that may use it; what its row does decides when absent (`demands.ts`). */
  readonly rank?: Rank;
  /** The video method that it is about; its authorisation and effect are derived from the row. */
  readonly row?: Method;
  /** Rows that it calls beside its own, or instead of one. */
  readonly uses?: readonly Method[];
  /** Credentials it needs beyond the rows'. */
  readonly needs?: readonly CredentialKind[];
  /** Credentials it uses when they are there. */
  readonly wants?: readonly CredentialKind[];
}

export type OptionSet = Readonly<Record<string, Option>>;

/**
 * Answers with a reply after the acknowledgement. Its words are `<command>.command.<subcommand>` in the message files.
 */
export interface Running<O extends OptionSet = OptionSet> extends Handling {
  readonly options?: O;
  /** Private with a row that writes or needs the channel's consent, otherwise public, when absent. */
  readonly answer?: "public" | "private";
  /** Parameters of the row that neither an option nor `extra` sets: the handler decides them. */
  readonly decides?: readonly string[];
  /** A form that comes first when it answers one: no waiting, no service, no store. */
  readonly form?: (asked: Asked, options: OptionsOf<O>) => Form | undefined;
  readonly run: (ctx: Ctx<OptionsOf<O>>) => Promise<Reply>;
}

/** Opens a form, which must be the first answer: no waiting, no service, no store. */
export interface Opening extends Handling {
  readonly options?: undefined;
  readonly form: (asked: Asked) => Form;
  readonly run?: undefined;
}

export type Subcommand = Running | Opening;

/** A message context menu: gets the message it was opened on. */
export interface Menu extends Handling {
  readonly kind: "menu";
  /** In English; in other languages `<file>.title` of the message files. The file is named after it. */
  readonly title: string;
  readonly answer?: "public" | "private";
  readonly run: (ctx: Ctx, message: TargetMessage) => Promise<Reply>;
  readonly actions?: readonly Action[];
}

export interface TargetMessage {
  readonly id: string;
  readonly author?: { readonly id: string };
  readonly content: string;
  readonly attachments: readonly (Attachment & { readonly height?: number | null })[];
  /** Texts and addresses of its embeds and components, as they stand. */
  readonly embeds?: readonly unknown[];
  readonly components?: readonly unknown[];
}

/** What came with a press: the values of a form by field, or what was chosen of a select. */
export interface Input {
  readonly fields: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, readonly Attachment[]>>;
  /** Chosen of the select that was used. */
  readonly values: readonly string[];
}

interface Pressable extends Handling {
  /** Stays, because pressed components outlive the process. */
  readonly name: string;
  /**
   * `requester`: only the person whose reply it hangs on. `anyone`: everybody of rank. `each`: everybody, but for all
   * others than the requester the answer is a private copy of their own.
   */
  readonly by: "requester" | "anyone" | "each";
  /** Carried out once: a second press meanwhile is refused, and afterwards the button is too old. */
  readonly isOnce?: true;
}

/** What buttons, selects and forms start. */
export interface Acting<S = unknown> extends Pressable {
  readonly answer: Answer;
  readonly run: (ctx: Ctx, state: S, input: Input) => Promise<Reply>;
}

/** A button that opens a form, prefilled from its state. */
export interface Asking<S = unknown> extends Pressable {
  readonly answer: "form";
  readonly form: (asked: Asked, state: S) => Form;
}

export type Action<S = unknown> = Acting<S> | Asking<S>;

export interface Command {
  readonly kind: "command";
  /** Hides it by default from people without this permission; the guard decides. */
  readonly hiddenFromMembers?: true;
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  readonly run?: Running;
  readonly actions?: readonly Action[];
  /** What it says unasked. */
  readonly events?: readonly Event[];
}

export function subcommand<const O extends OptionSet>(declaration: Running<O>): Running {
  // Options are proved against the handler here; the dispatcher builds them from the same declaration.
  return declaration as unknown as Running;
}

export function opening(declaration: Opening): Subcommand {
  return declaration;
}

/** An action and the way to hang it on a button, a select or a form. */
export function action<S>(declaration: Acting<S>): Acting<S> & { press(state: S): Press };
export function action<S>(declaration: Asking<S>): Asking<S> & { press(state: S): Press };
export function action<S>(declaration: Action<S>): Action<S> & { press(state: S): Press } {
  return { ...declaration, press: (state) => ({ action: declaration.name, state }) };
}

// A state comes back from the store as it was put there under the action's name, so the list forgets its type.
type Declared<T extends { readonly actions?: unknown }> = Omit<T, "kind" | "actions" | "events"> & {
  readonly actions?: readonly Action<never>[];
  readonly events?: readonly Event<never>[];
};

/** One slash command with subcommands, or with a handler of its own. */
export function command(declaration: Declared<Command>): Command {
  return { kind: "command", ...declaration } as Command;
}

export function menu(declaration: Declared<Menu>): Menu {
  return { kind: "menu", ...declaration } as Menu;
}

export type { SuggestCtx, Text };
