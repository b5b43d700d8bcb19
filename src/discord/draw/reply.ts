import type { Text } from "./text.ts";
import type { Words } from "./words.ts";

/** What a handler answers with: a plain value. `render` draws it, `dispatch` sends it. */
export type Reply = Notice | Card | List | Files | Ask | Form;

/** What pressing, choosing or submitting starts: an action by its name, with the state it needs. */
export interface Press {
  readonly action: string;
  /** JSON-shaped; kept in the store until the reply expires. */
  readonly state: unknown;
  /** The linked channel that it acts as, by its id, where that is another one than the reply's. */
  readonly as?: string;
}

export interface Button {
  readonly label: string;
  readonly style?: "primary" | "secondary" | "success" | "danger";
  readonly disabled?: boolean;
  /** Either an action or an address. */
  readonly press?: Press;
  readonly url?: string;
}

/** A list to choose from, on a row of its own. */
export interface Select {
  readonly placeholder: string;
  /** 1 to 25. */
  readonly options: readonly SelectOption[];
  /** How many may be chosen; one when absent. */
  readonly min?: number;
  readonly max?: number;
  /** The action gets what was chosen as `input.values`. */
  readonly press: Press;
}

export interface SelectOption {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly isDefault?: boolean;
}

/** What every message may have. */
interface Message {
  readonly buttons?: readonly Button[];
  readonly selects?: readonly Select[];
  /** For the person alone: an answer that all can see gives way to one that only they see. */
  readonly isPrivate?: boolean;
  /** Of a message that is drawn again and again: all presses it may ever have, under one handle. */
  readonly kept?: KeptPresses;
  /** How it is called in a forum, where it is a post of its own. */
  readonly post?: ForumPost;
}

/**
 * A message whose presses mean the same for its whole life, however often it is drawn: a button that was on the screen of
 * somebody slow does what it said. Presses that are drawn have to be among them.
 */
export interface KeptPresses {
  /** 22 characters of base64url. */
  readonly handle: string;
  /** At most 100, with nothing but ids in their states; told apart by action and state. Only the end may grow. */
  readonly presses: readonly Press[];
}

export interface ForumPost {
  /** At most 100 characters are shown. */
  readonly title: string;
  /** Names of tags; those that the forum does not have are made where the bot may, and left out where not. */
  readonly tags: readonly string[];
  /** Over and done with: it goes to the archive, because a server has room for a thousand posts outside. */
  readonly isOver?: boolean;
}

/** A short message: done, not found, how it stands. */
export interface Notice extends Message {
  readonly kind: "notice";
  /** `quiet`: over and done with. */
  readonly tone: "info" | "good" | "warning" | "bad" | "quiet";
  readonly title: string;
  readonly text?: Text;
  readonly footer?: string;
}

/** One thing, drawn whole. */
export interface Card extends Message {
  readonly kind: "card";
  /** Its colour; `info` when absent. */
  readonly tone?: Notice["tone"];
  readonly title: string;
  readonly url?: string;
  readonly author?: { readonly name: string; readonly url?: string; readonly icon?: string };
  readonly text?: Text;
  readonly fields?: readonly Field[];
  readonly thumbnail?: string;
  readonly image?: string;
  /** Shown large in place of an image that lies elsewhere. */
  readonly preview?: ReplyFile;
  /** A picture that the buttons work on: it travels with the message and is shown small in place of a thumbnail. */
  readonly carried?: ReplyFile;
  readonly footer?: string;
  readonly at?: Date;
}

export interface Field {
  readonly name: string;
  readonly value: Text;
  readonly inline?: boolean;
}

/** Several things with their pictures, one page of them. */
export interface List extends Message {
  readonly kind: "list";
  readonly title: string;
  readonly text?: Text;
  /** At most 5, so that each may carry buttons. */
  readonly items: readonly Item[];
  /** Said instead of the items when there are none. */
  readonly empty?: Text;
  readonly footer?: Text;
}

export interface Item {
  readonly title: Text;
  readonly lines: readonly Text[];
  readonly thumbnail?: { readonly url: string; readonly alt: string };
  readonly buttons?: readonly Button[];
}

/** One or more files with a word about them. */
export interface Files extends Message {
  readonly kind: "files";
  readonly title: string;
  readonly text?: Text;
  readonly files: readonly ReplyFile[];
  /** Shown large in the card below them and not one of them, such as before and after. */
  readonly preview?: ReplyFile;
  readonly footer?: string;
}

export interface ReplyFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** For people who can't see it; at most 1,024 characters. */
  readonly alt?: string;
}

/** A question before something that can't be taken back or costs; "Cancel" is added. */
export interface Ask extends Omit<Message, "buttons"> {
  readonly kind: "ask";
  readonly title: string;
  readonly text: Text;
  /** What will be lost or changed, piece by piece. */
  readonly fields?: readonly Field[];
  readonly thumbnail?: string;
  /** Shown large, such as what is about to be set. */
  readonly preview?: ReplyFile;
  readonly footer?: string;
  readonly confirm: Button;
}

/** A form of 1 to 5 fields; submitting it is a press with the field values. */
export interface Form {
  readonly kind: "form";
  readonly title: string;
  readonly intro?: Text;
  readonly fields: readonly FormField[];
  readonly submit: Press;
  /**
   * Offered again with what was typed when its submission fails. What was typed is stored then, so never for secrets.
   */
  readonly isReturned?: true;
}

interface FieldFace {
  /** Key of the value the action gets. */
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** Gives `input.fields[name]`. */
export interface TextField extends FieldFace {
  readonly kind?: "text";
  readonly style?: "short" | "paragraph";
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly value?: string;
}

/** Gives `input.lists[name]`, and the first of them as `input.fields[name]`. */
export interface SelectField extends FieldFace {
  readonly kind: "select";
  readonly placeholder?: string;
  readonly options: readonly SelectOption[];
  readonly min?: number;
  readonly max?: number;
}

/** Gives `input.files[name]`. */
export interface FilesField extends FieldFace {
  readonly kind: "files";
  readonly min?: number;
  /** At most 10. */
  readonly max?: number;
}

export type FormField = TextField | SelectField | FilesField;

export const notice = (notice: Omit<Notice, "kind">): Notice => ({ kind: "notice", ...notice });
export const card = (card: Omit<Card, "kind">): Card => ({ kind: "card", ...card });
export const list = (list: Omit<List, "kind">): List => ({ kind: "list", ...list });
export const files = (files: Omit<Files, "kind">): Files => ({ kind: "files", ...files });
export const ask = (ask: Omit<Ask, "kind">): Ask => ({ kind: "ask", ...ask });
export const form = (form: Omit<Form, "kind">): Form => ({ kind: "form", ...form });

/** What can be gone, for `common.gone`. */
export type Thing =
  | "video"
  | "channel"
  | "playlist"
  | "comment"
  | "captions"
  | "section"
  | "subscription"
  | "item";

/** For what an id or a link names and the service no longer has. */
export const gone = (thing: Thing, words: Words): Notice =>
  notice({
    tone: "warning",
    title: words.say("common.gone.title", { thing }),
    text: words.say("common.gone.text"),
    // A slip in a link is nobody else's business.
    isPrivate: true,
  });
