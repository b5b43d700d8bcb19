import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIGuildForumTag,
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  type APIRole,
  type APIThreadChannel,
  type APIUser,
  GuildScheduledEventStatus as Status,
} from "discord-api-types/v10";
import type { DiscordLocale } from "../locales.ts";
import type { PersonName } from "../types.ts";
/**
 * The protocol between the page and Discord's stand-in. Events come over the WebSocket `/page/socket?as=<person>`;
 * actions go out as `POST /page/<name>?as=<person>` with a JSON body, files first as `POST
 * /page/files?as=<person>&name=…` with the bytes as the body and their type as its Content-Type.
 */

/**
 * How long somebody is shown to be typing:
 * https://docs.discord.com/developers/resources/channel#trigger-typing-indicator
 */
export const typingMs = 10_000;

export interface PagePerson {
  readonly name: PersonName;
  readonly user: APIUser;
  /** Shown beside the name, as a role would be. */
  readonly role: APIRole;
}

/** Something that the page can make happen in the sandbox, as it stands for the person on the page. */
export interface ShownHappening {
  readonly name: string;
  readonly title: string;
  /** What it does, with mentions of commands. */
  readonly words: string;
  /** How it stands, with mentions of commands; undefined while there is nothing to say. */
  readonly state: string | undefined;
  /** Its buttons, those that make sense now. */
  readonly presses: readonly { readonly name: string; readonly label: string }[];
}

/** What the page can make happen beside what people do in Discord. */
export interface Happenings {
  list(me: PersonName): readonly ShownHappening[];
  /** Presses the button of this name. Answers whether it is there now. */
  run(name: string, me: PersonName): boolean;
}

/** Sent once per connection, again after a change of person. */
export interface HelloEvent {
  readonly type: "hello";
  readonly me: PagePerson;
  /** The stand-in's time; it may be ahead of the browser's. */
  readonly now: number;
  /** The language this person has set. */
  readonly locale: DiscordLocale;
  readonly people: readonly PagePerson[];
  readonly guild: { readonly id: string; readonly name: string };
  /** Those that this person sees. */
  readonly channels: readonly PageChannel[];
  /** Posts of forums that this person sees, oldest first; archived ones too. */
  readonly threads: readonly APIThreadChannel[];
  readonly roles: readonly APIRole[];
  /** Where this person and the bot talk alone; nothing is there until the bot writes. */
  readonly directChannelId: string;
  readonly bot: APIUser;
  /** Whether the bot answers: at the gateway, or at an address that interactions are posted to. */
  readonly online: boolean;
  readonly commands: readonly APIApplicationCommand[];
  /** All that this person sees, oldest first. */
  readonly messages: readonly APIMessage[];
  /** Largest attachment, in bytes. */
  readonly attachmentLimit: number;
  /** Events of the server, oldest first; those that are over too. */
  readonly events: readonly ShownEvent[];
  /** The message whose suggestions are ticked when they were tried. */
  readonly welcomeId: string | undefined;
  /** The server's own emoji and stickers, oldest first. */
  readonly expressions: {
    readonly emojis: readonly ShownExpression[];
    readonly stickers: readonly ShownExpression[];
  };
}

export interface PageChannel {
  readonly id: string;
  readonly name: string;
  /** 0 where messages are written, 15 where posts are begun. */
  readonly type: number;
  /** Of a forum. */
  readonly available_tags?: readonly APIGuildForumTag[];
}

/** An event of the server, as it was last changed; it begins and ends by itself at its times. */
export interface ShownEvent {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Where it takes place, such as the address of a video. */
  readonly location: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** As it was last set; see `eventStatus`. */
  readonly status: Status;
  /** Path of its picture. */
  readonly cover: string | undefined;
}

/**
 * Events that take place elsewhere begin and end by themselves:
 * https://docs.discord.com/developers/resources/guild-scheduled-event#automation
 */
export function eventStatus(
  { status, startsAt, endsAt }: Pick<ShownEvent, "status" | "startsAt" | "endsAt">,
  now: number,
): Status {
  const isScheduled = status === Status.Scheduled;
  if (isScheduled && now < startsAt) return Status.Scheduled;
  if (isScheduled || status === Status.Active) {
    return now < endsAt ? Status.Active : Status.Completed;
  }
  return status;
}

/** Its picture is `/emojis/<id>.png` or `/stickers/<id>.png`. */
export interface ShownExpression {
  readonly id: string;
  readonly name: string;
}

export type PageEvent =
  | HelloEvent
  /** New or edited; a deferred reply is a message with the LOADING flag. */
  | { readonly type: "message"; readonly message: APIMessage }
  | { readonly type: "message-deleted"; readonly channelId: string; readonly messageId: string }
  /** Somebody, the bot too, is about to write. */
  | { readonly type: "typing"; readonly channelId: string; readonly userId: string }
  /** New or changed. */
  | { readonly type: "thread"; readonly thread: APIThreadChannel }
  | { readonly type: "thread-deleted"; readonly threadId: string; readonly parentId: string }
  /** Channels came, went or were changed: all that this person sees now. */
  | { readonly type: "channels"; readonly channels: readonly PageChannel[] }
  | {
      readonly type: "form";
      readonly interactionId: string;
      readonly form: APIModalInteractionResponseCallbackData;
    }
  /** The bot did not answer within three seconds, or answered wrongly. */
  | { readonly type: "failed"; readonly interactionId: string; readonly text: string }
  /** A button, select or form press was taken: its spinner may stop. */
  | { readonly type: "settled"; readonly interactionId: string }
  | { readonly type: "commands"; readonly commands: readonly APIApplicationCommand[] }
  | { readonly type: "online"; readonly online: boolean }
  /** Time was moved on. */
  | { readonly type: "clock"; readonly now: number }
  /** Events of the server came, went or were changed. */
  | { readonly type: "events"; readonly events: HelloEvent["events"] }
  | { readonly type: "expressions"; readonly expressions: HelloEvent["expressions"] }
  /** The person changed their language. */
  | { readonly type: "locale"; readonly locale: DiscordLocale };

/** One option as typed; attachments by the id that `/page/files` answered. */
export interface TypedOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** `POST /page/command`, answers `{ interactionId }`; 400 `{ error }` when an option is missing or out of range. */
export interface CommandAction {
  readonly channelId: string;
  readonly commandId: string;
  /** Group and subcommand below the command, empty for none. */
  readonly path: readonly string[];
  readonly options: readonly TypedOption[];
}

/** `POST /page/suggest`, answers `{ choices }`. */
export interface SuggestAction extends CommandAction {
  /** Name of the option that has the cursor. */
  readonly focused: string;
}
export interface SuggestAnswer {
  readonly choices: readonly APIApplicationCommandOptionChoice[];
}

/** `POST /page/menu`, answers `{ interactionId }`. */
export interface MenuAction {
  readonly channelId: string;
  readonly commandId: string;
  readonly messageId: string;
}

/** `POST /page/component`, answers `{ interactionId }`. */
export interface ComponentAction {
  readonly channelId: string;
  readonly messageId: string;
  readonly customId: string;
  /** Of a select; absent for a button. */
  readonly values?: readonly string[];
}

/** `POST /page/form`, answers `{ interactionId }`. Values of uploads are ids that `/page/files` answered. */
export interface PlatformFormAction {
  readonly channelId: string;
  /** The interaction that opened the form. */
  readonly interactionId: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

/** `POST /page/message`, answers the message. */
export interface MessageAction {
  readonly channelId: string;
  readonly content: string;
  readonly files: readonly string[];
}

/** `POST /page/react`: the person chooses an emoji, `👍` or `name:id`, or gives it up. */
export interface ReactAction {
  readonly messageId: string;
  readonly emoji: string;
}

/** `POST /page/speak`: the person sets the language of their client. */
export interface LocaleAction {
  readonly locale: DiscordLocale;
}

/** `POST /page/happenings`, answers `{ happenings }`; with the name of a button it presses that first. */
export interface HappenAction {
  readonly name?: string;
}
export interface HappeningsAnswer {
  readonly happenings: readonly ShownHappening[];
}

/** `POST /page/dismiss`: the person hides an ephemeral message for good. */
export interface DismissAction {
  readonly messageId: string;
}

/** `POST /page/delete`: the person deletes their own message, or anyone's with *Manage Messages*. */
export interface DeleteAction {
  readonly messageId: string;
}
