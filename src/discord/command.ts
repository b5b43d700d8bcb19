import type { BackgroundClient } from "../background/index.ts";
import type { Images } from "../images/index.ts";
import type { Log } from "../log.ts";
import type { CredentialFacts, CredentialKind } from "../store/index.ts";
import type { CallOptions, Method, Params, Result, Spender, VideoClient } from "../video/index.ts";
import type { Attachment, Option, OptionsOf } from "./options.ts";
import type { Rank } from "./rank.ts";
import type { Form, Notice, Press, Reply } from "./reply.ts";

/** How an answer appears: to all, to the person alone, or in place of the message that was pressed. */
export type Answer = "public" | "private" | "update";

/** What a handler may use. Everything in it belongs to one interaction of one guild. */
export interface Ctx<O = Record<never, never>> {
  readonly guildId: string;
  readonly userId: string;
  readonly locale: string;
  readonly rank: Rank;
  readonly options: O;
  /** Whether the guild has a credential that the handler needs or wants. */
  has(kind: CredentialKind): boolean;
  /** The guild's own client; only where the handler has the credential. */
  readonly video: VideoClient;
  readonly background: BackgroundClient;
  /** Clients with a credential that is still to be proved. */
  readonly clients: ProvingClients;
  readonly credentials: GuildCredentials;
  readonly images: Images;
  /** Reads what a person attached: host, size and count are checked. */
  fetchAttachment(attachment: Attachment): Promise<Buffer>;
  /** Largest file that this interaction's answer may carry, in bytes. */
  readonly attachmentLimit: number;
  /** Shows how far it is, with a Cancel button for the person who asked; edits are spaced out. */
  progress(notice: Omit<Notice, "kind" | "tone">): void;
  /** Aborts when the person cancels, the time is up or the bot stops. */
  readonly signal: AbortSignal;
  readonly log: Log;
  now(): number;
}

/** Made in `bot.ts`. */
export interface Clients {
  /** Its calls are counted on behalf of that spender. */
  video(key: string, spender: Spender): VideoClient;
  background(key: string): BackgroundClient;
}

/** Clients of one interaction. */
export interface ProvingClients {
  video(key: string): VideoClient;
  background(key: string): BackgroundClient;
}

/** The credentials of this interaction's guild alone. */
export interface GuildCredentials {
  /** Undefined when there is none. @throws ServiceError `store_unavailable`. */
  facts(kind: CredentialKind): Promise<CredentialFacts | undefined>;
  write(kind: CredentialKind, secret: string): Promise<void>;
  remove(kind: CredentialKind): Promise<boolean>;
}

/** A suggestion has no credential but the guild's own, three seconds, and no way to fail loudly. */
export interface SuggestCtx {
  readonly guildId: string;
  readonly locale: string;
  readonly video: SuggestClient;
  readonly signal: AbortSignal;
  /** What `load` answered for this guild less than `ms` ago, else what it answers now. */
  recall<T>(key: string, ms: number, load: () => Promise<T>): Promise<T>;
}

/** No searches: the day has a hundred of them, and one for every key that is pressed would be the end of it. */
export interface SuggestClient {
  call<M extends Exclude<Method, "search.list">>(
    method: M,
    params: Params<M>,
    options?: CallOptions,
  ): Promise<Result<M>>;
}

interface Handling {
  /** Lowest rank that may use it; `member` when absent. */
  readonly rank?: Rank;
  /** The video method it is about; its authorisation and effect are derived from the row. */
  readonly row?: Method;
  /** Credentials it needs beyond the row's. */
  readonly needs?: readonly CredentialKind[];
  /** Credentials it uses when they are there. */
  readonly wants?: readonly CredentialKind[];
}

export type OptionSet = Readonly<Record<string, Option>>;

/** Answers with a reply after the acknowledgement. */
export interface Running<O extends OptionSet = OptionSet> extends Handling {
  readonly description: string;
  readonly options?: O;
  /** `public` when absent, and never with a row that writes. */
  readonly answer?: "public" | "private";
  readonly run: (ctx: Ctx<OptionsOf<O>>) => Promise<Reply>;
}

/** Opens a form, which must be the first answer: no waiting, no service, no store. */
export interface Opening extends Handling {
  readonly description: string;
  readonly options?: undefined;
  readonly form: () => Form;
}

export type Subcommand = Running | Opening;

/** A message context menu: gets the message it was opened on. */
export interface Menu extends Handling {
  readonly kind: "menu";
  /** As people see it; the file is named after it. */
  readonly title: string;
  readonly answer?: "public" | "private";
  readonly run: (ctx: Ctx, message: TargetMessage) => Promise<Reply>;
  readonly actions?: readonly Action[];
}

export interface TargetMessage {
  readonly id: string;
  readonly content: string;
  readonly attachments: readonly (Attachment & { readonly height?: number | null })[];
}

/** Values of a form, by field name. */
export type Fields = Readonly<Record<string, string>>;

/** What buttons and forms start. Its name stays, because pressed components outlive the process. */
export interface Action<S = unknown> extends Handling {
  readonly name: string;
  readonly answer: Answer;
  /** `requester`: only the person whose reply it hangs on. */
  readonly by: "requester" | "anyone";
  readonly run: (ctx: Ctx, state: S, fields: Fields) => Promise<Reply>;
}

export interface Command {
  readonly kind: "command";
  /** The handler's own when there are no subcommands. */
  readonly description?: string;
  /** Hides it by default from people without this permission; the guard decides. */
  readonly hiddenFromMembers?: true;
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  readonly run?: Running;
  readonly actions?: readonly Action[];
}

export function subcommand<const O extends OptionSet>(declaration: Running<O>): Running {
  // Options are proved against the handler here; the dispatcher builds them from the same declaration.
  return declaration as unknown as Running;
}

export function opening(declaration: Opening): Subcommand {
  return declaration;
}

/** An action and the way to hang it on a button. */
export function action<S>(declaration: Action<S>): Action<S> & { press(state: S): Press } {
  return { ...declaration, press: (state) => ({ action: declaration.name, state }) };
}

// A state comes back from the store as it was put there under the action's name, so the list forgets its type.
type Declared<T extends { readonly actions?: unknown }> = Omit<T, "kind" | "actions"> & {
  readonly actions?: readonly Action<never>[];
};

/** One slash command with subcommands, or with a handler of its own. */
export function command(declaration: Declared<Command>): Command {
  return { kind: "command", ...declaration } as Command;
}

export function menu(declaration: Declared<Menu>): Menu {
  return { kind: "menu", ...declaration } as Menu;
}
