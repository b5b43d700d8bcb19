import type { Text } from "./text.ts";

/** What a handler answers with: a plain value. `render` draws it, `dispatch` sends it. */
export type Reply = Notice | Card | List | Files | Ask | Form;

/** What pressing, choosing or submitting starts: an action by its name, with the state it needs. */
export interface Press {
  readonly action: string;
  /** JSON-shaped; kept in the store until the reply expires. */
  readonly state: unknown;
}

export interface Button {
  readonly label: string;
  readonly style?: "primary" | "secondary" | "success" | "danger";
  readonly emoji?: string;
  readonly disabled?: boolean;
  /** Either an action or an address. */
  readonly press?: Press;
  readonly url?: string;
}

/** A short message: done, not found, how it stands. */
export interface Notice {
  readonly kind: "notice";
  readonly tone: "info" | "good" | "warning" | "bad";
  readonly title: string;
  readonly text?: Text;
  readonly footer?: string;
  readonly buttons?: readonly Button[];
}

/** One thing, drawn whole. */
export interface Card {
  readonly kind: "card";
  readonly title: string;
  readonly url?: string;
  readonly author?: { readonly name: string; readonly url?: string; readonly icon?: string };
  readonly text?: Text;
  readonly fields?: readonly Field[];
  readonly thumbnail?: string;
  readonly image?: string;
  readonly footer?: string;
  readonly at?: Date;
  readonly buttons?: readonly Button[];
}

export interface Field {
  readonly name: string;
  readonly value: Text;
  readonly inline?: boolean;
}

/** Several things with their pictures, one page of them. */
export interface List {
  readonly kind: "list";
  readonly title: string;
  readonly text?: Text;
  /** At most 5, so that each may carry buttons. */
  readonly items: readonly Item[];
  /** Said instead of the items when there are none. */
  readonly empty?: Text;
  readonly footer?: Text;
  readonly buttons?: readonly Button[];
}

export interface Item {
  readonly title: Text;
  readonly lines: readonly Text[];
  readonly thumbnail?: { readonly url: string; readonly alt: string };
  readonly buttons?: readonly Button[];
}

/** One or more files with a word about them. */
export interface Files {
  readonly kind: "files";
  readonly title: string;
  readonly text?: Text;
  readonly files: readonly ReplyFile[];
  readonly footer?: string;
  readonly buttons?: readonly Button[];
}

export interface ReplyFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** For people who can't see it; at most 1,024 characters. */
  readonly alt?: string;
}

/** A question before something that can't be taken back or costs; "Cancel" is added. */
export interface Ask {
  readonly kind: "ask";
  readonly title: string;
  readonly text: Text;
  readonly confirm: Button;
}

/** A form of 1 to 5 fields; submitting it is a press with the field values. */
export interface Form {
  readonly kind: "form";
  readonly title: string;
  readonly intro?: Text;
  readonly fields: readonly FormField[];
  readonly submit: Press;
}

export interface FormField {
  /** Key of the value the action gets. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly style?: "short" | "paragraph";
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly value?: string;
}

export const notice = (notice: Omit<Notice, "kind">): Notice => ({ kind: "notice", ...notice });
export const card = (card: Omit<Card, "kind">): Card => ({ kind: "card", ...card });
export const list = (list: Omit<List, "kind">): List => ({ kind: "list", ...list });
export const files = (files: Omit<Files, "kind">): Files => ({ kind: "files", ...files });
export const ask = (ask: Omit<Ask, "kind">): Ask => ({ kind: "ask", ...ask });
export const form = (form: Omit<Form, "kind">): Form => ({ kind: "form", ...form });

/** For what an id or a link names and the service no longer has. */
export const gone = (what: string): Notice =>
  notice({
    tone: "warning",
    title: `There is no such ${what}`,
    text: "It was deleted, made private, or the link has a slip in it. Check it and try again.",
  });
