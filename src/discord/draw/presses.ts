import type { Press } from "./reply.ts";

/** Makes presses of an action whose handler is elsewhere: its name, and how its state is made. */
export type NamedPress<A extends readonly unknown[], S> = ((...args: A) => Press) & {
  readonly action: string;
  /** Never set; carries the type of the state that the handler gets. */
  readonly state?: S;
};

/** Names an action whose handler is declared elsewhere with `actionFor`, so that the name is written once. */
export function pressFor<A extends readonly unknown[], S>(
  action: string,
  stateOf: (...args: A) => S,
): NamedPress<A, S> {
  return Object.assign((...args: A): Press => ({ action, state: stateOf(...args) }), { action });
}

/** A channel to be linked again, and what is already ticked. */
interface ReconnectState {
  readonly channelId?: string | undefined;
  /** Added to what it has. */
  readonly permission?: string | undefined;
}

type FormKeyKind = "video-key" | "background-key";

/** Which form, and the credits that were typed there before. */
type KeyFormState =
  | FormKeyKind
  | { readonly kind: FormKeyKind; readonly credits: Readonly<Record<string, string>> };

/** Opens the form for a key. */
export const openKeyForm = pressFor("connect.enter-key", (state: KeyFormState) => state);

/** Begins a link in a message of its own. */
export const reconnect = pressFor("connect.reconnect", (state: ReconnectState) => state);
