import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import type { DiscordLocale } from "./locales.ts";

export type { DiscordLocale } from "./locales.ts";

export type PersonName = "owner" | "moderator" | "member";

/** A file a person attaches. */
export interface SandboxFile {
  readonly name: string;
  /** The declared type, which is not checked, just as Discord does not check it. */
  readonly type: string;
  readonly data: Uint8Array;
}

export type OptionInput = string | number | boolean | SandboxFile;

/** A form as Discord would open it, with what `submit` needs to answer it. */
export interface OpenForm extends APIModalInteractionResponseCallbackData {
  readonly interaction_id: string;
}

/** What one field of a form is filled with; a checkbox takes a boolean, an upload one file or several. */
export type FieldInput =
  | string
  | boolean
  | SandboxFile
  | readonly string[]
  | readonly SandboxFile[];

/** A post of a forum, as a person sees it. */
export interface SandboxPost {
  readonly id: string;
  readonly title: string;
  /** Names of its tags. */
  readonly tags: readonly string[];
  readonly isArchived: boolean;
  readonly isLocked: boolean;
  /** Oldest first; the first one started the post. */
  readonly messages: readonly APIMessage[];
}

/** One person in front of the channel. Each call resolves when the bot has finished with it. */
export interface Person {
  /** Sets the language of this person's client; `en-US` at first. Every interaction after it carries it. */
  speak(locale: DiscordLocale): void;
  /** Names of the path and of the options are the command's own, or those of this person's language. */
  command(
    path: string,
    options?: Readonly<Record<string, OptionInput>>,
  ): Promise<APIMessage | OpenForm>;
  /** A message context menu, by its shown name. */
  menu(name: string, message: APIMessage): Promise<APIMessage | OpenForm>;
  /**
   * The button with exactly this label, or else those whose label starts with it; `nth`, from 1, picks one of several.
   */
  click(message: APIMessage, label: string, nth?: number): Promise<APIMessage | OpenForm>;
  /**
   * Picks options of the message's first select that has them all, by value or by label; people, roles and channels by
   * id.
   */
  choose(message: APIMessage, values: readonly string[]): Promise<APIMessage | OpenForm>;
  /** Fields by custom id or by label; one that is left out keeps what the bot filled in. */
  submit(
    form: OpenForm,
    fields: Readonly<Record<string, FieldInput>>,
  ): Promise<APIMessage | OpenForm>;
  /**
   * Suggestions for one option, for the text typed so far, in this person's language. The other options are sent along
   * where they are valid; files never are.
   */
  suggest(
    path: string,
    option: string,
    text: string,
    others?: Readonly<Record<string, OptionInput>>,
  ): Promise<readonly { name: string; value: string | number }[]>;
  /** An ordinary message in the channel. */
  say(content: string, files?: readonly SandboxFile[]): Promise<APIMessage>;
  /** Chooses an emoji below a message, `👍` or `name:id`, or gives it up where it is chosen. */
  react(message: APIMessage, emoji: string): void;
  /** Shows that they are about to write in the channel. */
  type(): void;
  /**
   * The messages that this person sees in their channel or the one named, oldest first, with their own ephemeral
   * replies. A post is named by its title or id; where several have that title, the newest is meant.
   */
  messages(channel?: string): readonly APIMessage[];
  /** Posts of the forum they are in or of the one named, oldest first; of every forum they see, when in neither. */
  posts(forum?: string): readonly SandboxPost[];
  /** The direct messages between the bot and this person, oldest first. */
  directMessages(): readonly APIMessage[];
  /** Whether this person takes direct messages; they do at first. */
  takeDirectMessages(isTaken: boolean): void;
  /** The same person in front of another channel or post that they see, by its name, title or id. */
  in(channel: string): Person;
}

/** What YouTube's stand-in reports to its hub: a video is new, was changed, or is gone. */
export interface VideoNews {
  readonly videoId: string;
  readonly channelId: string;
  readonly channelTitle: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
  readonly isDeleted?: true;
}

export interface Sandbox {
  /** The page's address. */
  readonly url: string;
  readonly video: { readonly url: string };
  readonly background: { readonly url: string };
  readonly oauth: { readonly url: string };
  readonly platform: { readonly url: string };
  /** Where people's browsers link channels. */
  readonly pages: { readonly url: string };
  user(name: PersonName): Person;
  close(): Promise<void>;
}
