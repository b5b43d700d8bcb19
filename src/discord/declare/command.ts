import type { Form, Press, Reply } from "../draw/reply.ts";
import type { Rank } from "../rank.ts";
import type { NotificationSpec } from "./events.ts";
import type { Attachment, Option, OptionsOf } from "./option.ts";
import type { RequestInfo } from "./request-info.ts";

/** How an answer appears: to all, to the person alone, or in place of the message that was pressed. */
export type Answer = "public" | "private" | "update";

export type OptionSet = Readonly<Record<string, Option>>;

/**
 * What this room needs to know about everything that people start. Features add what their handlers' contexts are made
 * from (`FeatureContexts`).
 */
export interface HandlerDeclaration {
  /** Lowest rank that may use it; every member's when absent. */
  readonly rank?: Rank;
}

/**
 * Answers with a reply after the acknowledgement. Its words are `<command>.command.<subcommand>` in the message files.
 * `C` is the context that its handler gets; nothing in this room looks into it.
 */
export interface HandledSubcommand<C = never, O extends OptionSet = OptionSet>
  extends HandlerDeclaration {
  readonly options?: O;
  /** Public when absent. */
  readonly answer?: "public" | "private";
  /** Returns the form that comes first, if there is one: no waiting, no service, no store. */
  readonly form?: (request: RequestInfo, options: OptionsOf<O>) => Form | undefined;
  /**
   * The option that alone asks for a form with what is there now. Its handler then runs before the first answer, so that
   * the form can be that answer: it only reads, and its reply `opens` the form.
   */
  readonly opensWith?: string;
  /** The declaration to use instead where the options ask for more than this one allows; undefined where they don't. */
  readonly stricterFor?: (options: OptionsOf<O>) => StricterDeclaration | undefined;
  readonly run: (ctx: C) => Promise<Reply>;
}

type StricterDeclaration = HandlerDeclaration & Pick<HandledSubcommand, "answer">;

/** Opens a form, which must be the first answer: no waiting, no service, no store. */
export interface FormSubcommand extends HandlerDeclaration {
  readonly options?: undefined;
  readonly form: (request: RequestInfo) => Form;
  readonly run?: undefined;
}

export type Subcommand = HandledSubcommand | FormSubcommand;

/** A message context menu: gets the message it was opened on. */
export interface Menu<C = never> extends HandlerDeclaration {
  readonly kind: "menu";
  /** In English; in other languages `<file>.title` of the message files. The file is named after it. */
  readonly title: string;
  /** Public when absent. */
  readonly answer?: "public" | "private";
  readonly run: (ctx: C, message: TargetMessage) => Promise<Reply>;
  readonly actions?: readonly Action[];
}

export interface TargetMessage {
  readonly id: string;
  readonly author?: { readonly id: string };
  readonly content: string;
  readonly attachments: readonly (Attachment & { readonly height?: number | null })[];
  /** Its embeds and components, unchanged: links are read from their texts and addresses. */
  readonly embeds?: readonly unknown[];
  readonly components?: readonly unknown[];
}

/** What came with a press: the values of a form by field, or the choices of a select. */
export interface PressInput {
  readonly fields: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, readonly Attachment[]>>;
  /** The choices of the select that was used. */
  readonly values: readonly string[];
}

interface Pressable extends HandlerDeclaration {
  /** Never changes, because components outlive the process. */
  readonly name: string;
  /**
   * `requester`: only the person whose reply it is on. `anyone`: everybody whose rank suffices. `each`: the same, but
   * everybody except the requester gets the answer as a private copy.
   */
  readonly by: "requester" | "anyone" | "each";
  /** Carried out once: a second press meanwhile is refused, and afterwards the button is too old. */
  readonly isOnce?: true;
}

/** What buttons, selects and forms start. */
export interface HandledAction<C = never, S = never> extends Pressable {
  readonly answer: Answer;
  readonly run: (ctx: C, state: S, input: PressInput) => Promise<Reply>;
}

/** A button that opens a form, prefilled from its state; `C` holds all that it may wait for. */
export interface FormAction<C = never, S = never> extends Pressable {
  readonly answer: "form";
  readonly form: (ctx: C, state: S) => Form | Promise<Form>;
}

export type Action = HandledAction | FormAction;

export interface Command {
  readonly kind: "command";
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  readonly run?: HandledSubcommand;
  readonly actions?: readonly Action[];
  /** Notifications that it sends. */
  readonly notifications?: readonly NotificationSpec[];
}

/** An action, and what puts it on a button, a select or a form. */
export type WithPress<A, S> = A & { press(state: S): Press };

/** One slash command with subcommands, or with a handler of its own. */
export function command(declaration: Omit<Command, "kind">): Command {
  return { kind: "command", ...declaration };
}
