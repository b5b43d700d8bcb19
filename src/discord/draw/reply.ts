import type { Text } from "./text.ts";
import type { Words } from "./words.ts";

/** A handler's answer, as a plain value. `render` draws it, `respond` sends it. */
export type Reply = Notice | Card | ListReply | FilesReply | Ask | Form;

/** What pressing, choosing or submitting starts: the name of an action, and the state it needs. */
export interface Press {
  readonly action: string;
  /** JSON-shaped; kept in the store until the reply expires. */
  readonly state: unknown;
  /** Id of the linked channel that it acts as, where that is not the reply's. */
  readonly as?: string | undefined;
}

export interface Button {
  readonly label: string;
  readonly style?: "primary" | "secondary" | "success" | "danger" | undefined;
  readonly disabled?: boolean | undefined;
  /** Either an action or an address. */
  readonly press?: Press | undefined;
  readonly url?: string | undefined;
}

/** A list to choose from, on a row of its own. */
export interface Select {
  readonly placeholder: string;
  /** 1 to 25. */
  readonly options: readonly ReplyOption[];
  /** How many may be chosen; one when absent. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The action gets what was chosen as `input.values`. */
  readonly press: Press;
}

export interface ReplyOption {
  readonly label: string;
  readonly value: string;
  readonly description?: string | undefined;
  readonly isDefault?: boolean | undefined;
}

/** What every message may have. */
interface MessageParts {
  readonly buttons?: readonly Button[] | undefined;
  readonly selects?: readonly Select[] | undefined;
  /** For the person alone: a public answer is replaced by one that only they see. */
  readonly isPrivate?: boolean | undefined;
  /** For a message that is edited again and again: all presses it may ever have, under one handle. */
  readonly kept?: KeptPresses | undefined;
  /** Its title and tags where it is posted in a forum. */
  readonly post?: ForumPost | undefined;
  /** The form behind its button: opened in its place where it is there in time for a first answer (`opensWith`). */
  readonly formBehindButton?: Form | undefined;
}

/**
 * Presses that mean the same for as long as the message exists, however often it is edited: an old button that somebody
 * presses late does what it said. All presses that are shown have to be among them.
 */
export interface KeptPresses {
  /** 22 characters of base64url. */
  readonly handle: string;
  /** At most 100, with only ids in their states; distinguished by action and state. New ones are only added at the end. */
  readonly presses: readonly Press[];
}

export interface ForumPost {
  /** At most 100 characters are shown. */
  readonly title: string;
  /** Names of tags. Missing ones are made where the bot may, else left out. */
  readonly tags: readonly string[];
  /** Whether it is finished and can be archived: a server has room for only a thousand open posts. */
  readonly isOver?: boolean | undefined;
}

/** A short message: done, not found, a status. */
export interface Notice extends MessageParts {
  readonly kind: "notice";
  /** `good`: done. `warning`: asks, or waits for somebody. `bad`: refused or failed. `neutral`: anything else. */
  readonly tone: "good" | "warning" | "bad" | "neutral";
  readonly title: string;
  readonly text?: Text | undefined;
  readonly footer?: string | undefined;
}

interface CardAuthor {
  readonly name: string;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
}

/** One thing with all its details. */
export interface Card extends MessageParts {
  readonly kind: "card";
  /** Its colour; `neutral` when absent. */
  readonly tone?: Notice["tone"] | undefined;
  readonly title: string;
  readonly url?: string | undefined;
  readonly author?: CardAuthor | undefined;
  readonly text?: Text | undefined;
  readonly fields?: readonly CardField[] | undefined;
  readonly thumbnail?: string | undefined;
  readonly image?: string | undefined;
  /** An attached file, shown large in place of `image`. */
  readonly preview?: ReplyFile | undefined;
  /** A picture that the buttons work on: attached to the message and shown small in place of a thumbnail. */
  readonly carried?: ReplyFile | undefined;
  readonly footer?: string | undefined;
  readonly at?: Date | undefined;
}

export interface CardField {
  readonly name: string;
  readonly value: Text;
  readonly inline?: boolean | undefined;
}

/** One page of several things with their pictures. */
export interface ListReply extends MessageParts {
  readonly kind: "list";
  readonly title: string;
  /** It is a question, and its red buttons do what it asks about. */
  readonly isQuestion?: true | undefined;
  readonly text?: Text | undefined;
  /** At most 5, so that each may carry buttons. */
  readonly items: readonly ReplyItem[];
  /** Shown when there are no items. */
  readonly empty?: Text | undefined;
  readonly footer?: Text | undefined;
}

export interface ReplyItem {
  readonly title: Text;
  readonly lines: readonly Text[];
  readonly thumbnail?: { readonly url: string; readonly alt: string } | undefined;
  readonly buttons?: readonly Button[] | undefined;
}

/** One or more files with a short text. */
export interface FilesReply extends MessageParts {
  readonly kind: "files";
  readonly title: string;
  readonly text?: Text | undefined;
  readonly files: readonly AttachedFile[];
  /** Shown large in the card below the files without being one of them, such as before and after. */
  readonly preview?: ReplyFile | undefined;
  readonly footer?: string | undefined;
}

export interface ReplyFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** For people who can't see it; at most 1,024 characters. */
  readonly alt?: string | undefined;
}

/** What a message can carry: bytes, or a file that was written page by page (`InteractionContext.makeFile`). */
export type AttachedFile = ReplyFile | ReplyFileOnDisk;

export interface ReplyFileOnDisk extends Omit<ReplyFile, "data"> {
  readonly onDisk: FileOnDisk;
}

/** A file that is never in memory whole. It may be read several times, until the interaction is over. */
export interface FileOnDisk {
  readonly bytes: number;
  read(): AsyncGenerator<Uint8Array>;
}

/** A question before something that can't be taken back or costs; "Cancel" is added. */
export interface Ask extends Omit<MessageParts, "buttons"> {
  readonly kind: "ask";
  readonly title: string;
  readonly text: Text;
  /** What exactly will be lost or changed. */
  readonly fields?: readonly CardField[] | undefined;
  readonly thumbnail?: string | undefined;
  /** Shown large, such as the picture that is about to be set. */
  readonly preview?: ReplyFile | undefined;
  /** The picture that `confirm` works on, where the preview is another one: attached, and shown small. */
  readonly carried?: ReplyFile | undefined;
  readonly footer?: string | undefined;
  readonly confirm: Button;
  /** Other answers than `confirm`, shown between it and "Cancel". */
  readonly others?: readonly Button[] | undefined;
}

/** A form of 1 to 5 fields; submitting it is a press with the field values. */
export interface Form {
  readonly kind: "form";
  readonly title: string;
  readonly intro?: Text | undefined;
  readonly fields: readonly FormField[];
  readonly submit: Press;
  /** Offered again, with what was typed, when its submission fails. What was typed is then stored: never for secrets. */
  readonly isReturned?: true | undefined;
}

interface FieldFace {
  /** Key of the value the action gets. */
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
}

/** Gives `input.fields[name]`. */
export interface TextField extends FieldFace {
  readonly kind?: "text" | undefined;
  readonly style?: "short" | "paragraph" | undefined;
  readonly placeholder?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly value?: string | undefined;
}

/** Gives `input.lists[name]`, and the first of them as `input.fields[name]`. */
export interface SelectField extends FieldFace {
  readonly kind: "select";
  readonly placeholder?: string | undefined;
  readonly options: readonly ReplyOption[];
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Gives `input.files[name]`. */
export interface FilesField extends FieldFace {
  readonly kind: "files";
  readonly min?: number | undefined;
  /** At most 10. */
  readonly max?: number | undefined;
}

export type FormField = TextField | SelectField | FilesField;

export const notice = (notice: Omit<Notice, "kind">): Notice => ({ kind: "notice", ...notice });
export const card = (card: Omit<Card, "kind">): Card => ({ kind: "card", ...card });
export const list = (list: Omit<ListReply, "kind">): ListReply => ({ kind: "list", ...list });
export const files = (files: Omit<FilesReply, "kind">): FilesReply => ({ kind: "files", ...files });
export const ask = (ask: Omit<Ask, "kind">): Ask => ({ kind: "ask", ...ask });
export const form = (form: Omit<Form, "kind">): Form => ({ kind: "form", ...form });

/** What may no longer exist, for `common.gone`. */
type GoneThing =
  | "video"
  | "channel"
  | "playlist"
  | "comment"
  | "captions"
  | "section"
  | "subscription"
  | "item";

/** For something that an id or a link names, and YouTube no longer has. */
export const gone = (thing: GoneThing, words: Words): Notice =>
  notice({
    tone: "bad",
    title: words.say("common.gone.title", { thing }),
    text: words.say("common.gone.text"),
    // A mistyped link need not be shown to everybody.
    isPrivate: true,
  });
