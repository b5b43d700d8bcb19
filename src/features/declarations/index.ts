/** How commands, menus and actions are declared with what they require; rank, privacy and options follow from that. */

import type {
  HandledAction as ActingWith,
  FormAction as AskingWith,
  FormSubcommand,
  HandledSubcommand,
  Menu,
  NamedPress,
  OptionSet,
  Subcommand,
  WithPress,
} from "../../discord/index.ts";
import {
  asksOwnView,
  type Ctx,
  type CtxFor,
  type Demands,
  type FormContext,
  isPrivate,
  ownViewDemands,
  rankFor,
} from "../context/index.ts";

export { option } from "./option.ts";
export { type ListPlace, type PastedVideos, readPlace } from "./option-values.ts";

import { optionsFor, typedParams } from "./method-options.ts";

export { coveredParams } from "./method-options.ts";

interface SubcommandDeclaration<O extends OptionSet>
  extends Omit<HandledSubcommand<CtxFor<O>, O>, "stricterFor">,
    Demands {
  /** Parameters of the method that neither an option nor `extra` sets: the handler decides them. */
  readonly decides?: readonly string[];
}

/**
 * A subcommand with all of its options. Unless it declares otherwise, its rank is the method's, and its answer is private if
 * the method writes or needs the channel's consent.
 */
export function subcommand<const O extends OptionSet>(
  declaration: SubcommandDeclaration<O>,
): HandledSubcommand {
  const { method, answer = isPrivate(declaration) ? "private" : "public" } = declaration;
  const options = optionsFor(declaration);
  const whole = { ...declaration, rank: rankFor(declaration), answer, options };
  // Only a method's parameters can ask for what the channel's owner alone sees.
  if (method === undefined) return whole as unknown as HandledSubcommand;
  const stricterFor: HandledSubcommand["stricterFor"] = (typed) =>
    asksOwnView(declaration, typedParams(options, typed))
      ? { ...ownViewDemands(whole), answer: "private" }
      : undefined;
  // The types of options and handler are checked against each other here; the dispatcher reads both from this declaration.
  return { ...whole, stricterFor } as unknown as HandledSubcommand;
}

export function opening(declaration: FormSubcommand & Demands): Subcommand {
  return { ...declaration, rank: rankFor(declaration) };
}

type MenuDeclaration = Omit<Menu<Ctx>, "kind"> & Demands;

export function menu(declaration: MenuDeclaration): Menu {
  const answer = isPrivate(declaration) ? "private" : "public";
  return { kind: "menu", answer, ...declaration, rank: rankFor(declaration) };
}

type Acting<S> = ActingWith<Ctx, S> & Demands;
type Asking<S> = AskingWith<FormContext, S> & Demands;

export type FeatureAction<S = unknown> = Acting<S> | Asking<S>;

/** A declaration that may leave these out. */
type Without<A, K extends keyof A> = Omit<A, K> & Partial<Pick<A, K>>;
type ActingDeclaration<S> = Without<Acting<S>, "answer" | "by">;
type AskingDeclaration<S> = Without<Asking<S>, "by">;

/**
 * An action, and what puts it on a button, a select or a form. Unless it declares otherwise it is for the person whose reply it
 * is on, and its answer replaces that reply.
 */
export function action<S>(declaration: ActingDeclaration<S>): WithPress<Acting<S>, S>;
export function action<S>(declaration: AskingDeclaration<S>): WithPress<Asking<S>, S>;
export function action<S>(
  declaration: ActingDeclaration<S> | AskingDeclaration<S>,
): WithPress<FeatureAction<S>, S> {
  const { name } = declaration;
  const press = (state: S) => ({ action: name, state });
  const whole = { answer: "update", by: "requester", ...declaration } as FeatureAction<S>;
  return { ...whole, rank: rankFor(declaration), press };
}

/**
 * An action whose button is drawn elsewhere, with the name and the state that are declared there. Cards are public: unless it
 * declares otherwise, anyone with its rank may press the button, and the answer is theirs alone.
 */
export function actionFor<S>(
  press: NamedPress<never, S>,
  declaration: Omit<ActingDeclaration<S>, "name">,
): WithPress<Acting<S>, S>;
export function actionFor<S>(
  press: NamedPress<never, S>,
  declaration: Omit<AskingDeclaration<S>, "name">,
): WithPress<Asking<S>, S>;
export function actionFor<S>(
  { action: name }: NamedPress<never, S>,
  declaration: Omit<ActingDeclaration<S>, "name"> | Omit<AskingDeclaration<S>, "name">,
): WithPress<FeatureAction<S>, S> {
  return action({ answer: "private", by: "anyone", ...declaration, name } as ActingDeclaration<S>);
}
