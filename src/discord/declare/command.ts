import type { NamedPress } from "../draw/presses.ts";
import type { Form, Press, Reply } from "../draw/reply.ts";
import type { Asked, AskedForm, Ctx } from "./ctx.ts";
import type { Demands } from "./demands.ts";
import type { Event } from "./events.ts";
import type { Attachment, Option, OptionsOf } from "./option.ts";

/** How an answer appears: to all, to the person alone, or in place of the message that was pressed. */
export type Answer = "public" | "private" | "update";

export type OptionSet = Readonly<Record<string, Option>>;

/**
 * Answers with a reply after the acknowledgement. Its words are `<command>.command.<subcommand>` in the message files.
 */
export interface Running<O extends OptionSet = OptionSet> extends Demands {
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
export interface Opening extends Demands {
  readonly options?: undefined;
  readonly form: (asked: Asked) => Form;
  readonly run?: undefined;
}

export type Subcommand = Running | Opening;

/** A message context menu: gets the message it was opened on. */
export interface Menu extends Demands {
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

interface Pressable extends Demands {
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

/** A button that opens a form, prefilled from its state; it waits for nothing but what `AskedForm` gives. */
export interface Asking<S = unknown> extends Pressable {
  readonly answer: "form";
  readonly form: (asked: AskedForm, state: S) => Form | Promise<Form>;
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

/** An action whose button is drawn elsewhere, by the name and with the state that are agreed there. */
export function actionFor<S>(
  press: NamedPress<never, S>,
  declaration: Omit<Acting<S>, "name">,
): Acting<S> & { press(state: S): Press };
export function actionFor<S>(
  press: NamedPress<never, S>,
  declaration: Omit<Asking<S>, "name">,
): Asking<S> & { press(state: S): Press };
export function actionFor<S>(
  { action: name }: NamedPress<never, S>,
  declaration: Omit<Acting<S>, "name"> | Omit<Asking<S>, "name">,
): Action<S> & { press(state: S): Press } {
  return { ...declaration, name, press: (state) => ({ action: name, state }) } as Action<S> & {
    press(state: S): Press;
  };
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
