import type { Log } from "../../log.ts";
import type { AnswerTo } from "../../oauth/index.ts";
import type { CredentialFacts, GuildSettings } from "../../store/index.ts";
import type { Ask, Form, Reply } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";

/** Something that the bot says though nobody asked for it at that moment. */
export interface Event<F = unknown> {
  /** Who makes it happen knows it by that. */
  readonly name: string;
  /** Absent where whoever tells it says where, through the desk. */
  readonly to?: (facts: F) => EventPlace;
  readonly run: (ctx: EventCtx, facts: F) => Promise<EventReply> | EventReply;
}

/** Whatever waits for an answer says so with its buttons. */
export type EventReply = Exclude<Reply, Form | Ask>;

/** Where it is said. Presses of what is posted have to be `by: "anyone"`. */
export type EventPlace =
  /** In place of what an interaction of the last 15 minutes answered; its presses are that person's. */
  | {
      readonly kind: "answer";
      readonly guildId: string;
      readonly userId: string;
      readonly answerTo: AnswerTo;
    }
  /** Where the server chose to hear such things, and to its owner, with a link to the server in place of presses. */
  | { readonly kind: "notices"; readonly guildId: string }
  /** In a channel of Discord's. */
  | { readonly kind: "channel"; readonly guildId: string; readonly channelId: string };

/** What a declaration may use to say it. */
export interface EventCtx {
  readonly guildId: string;
  /** Of the person who is answered, else of the server; English where neither is known. */
  readonly words: Words;
  readonly settings: GuildSettings;
  /** The server's name. */
  serverName(): Promise<string>;
  /** What is known of the linked channels, the default first. @throws ServiceError `store_unavailable`. */
  channels(): Promise<readonly CredentialFacts[]>;
  readonly log: Log;
  now(): number;
}

/** What happened. */
export interface Happening {
  readonly name: string;
  /** As the event of that name takes them; the same facts are told once. */
  readonly facts: unknown;
}

/** A message that was left. */
export interface Posted {
  readonly channelId: string;
  readonly messageId: string;
}

/** Facts are proved against the declaration here; who tells goes by the event's name. */
export function event<F>(declaration: Event<F>): Event<F> {
  return declaration;
}
