import type { NotificationFacts, NotificationName } from "../../channel-messages.ts";
import type { CredentialFacts } from "../../store/index.ts";
import type { Ask, Form, Reply } from "../draw/reply.ts";
import type { Words } from "../draw/words.ts";
import type { AnswerAddress } from "./interaction-context.ts";

/** How one kind of notification looks. Methods, so that a list can hold declarations of several kinds. */
export interface NotificationSpec<N extends NotificationName = NotificationName> {
  readonly name: N;
  /** Where it goes; absent where the sender chooses the channel. */
  to?(facts: NotificationFacts[N]): NotificationTarget;
  run(
    ctx: NotificationContext,
    facts: NotificationFacts[N],
  ): Promise<NotificationReply> | NotificationReply;
}

/** A notification asks with its buttons: forms and questions are for interactions. */
export type NotificationReply = Exclude<Reply, Form | Ask>;

/** Where a notification goes. Presses of what is posted have to be `by: "anyone"`. */
export type NotificationTarget =
  /** In place of what an interaction of the last 15 minutes answered; its presses are that person's. */
  | {
      readonly kind: "answer";
      readonly guildId: string;
      readonly userId: string;
      readonly answerTo: AnswerAddress;
    }
  /**
   * To the channel that the server chose for notices, and to its owner, with a link to the server in place of presses; to
   * the owner alone where everyone can read the channel and nobody agreed to that.
   */
  | { readonly kind: "notices"; readonly guildId: string }
  /** To the channel where Discord greets new members; where the bot may not post there, to the server's owner. */
  | { readonly kind: "welcome"; readonly guildId: string }
  /** To that channel; what is confidential goes to the server's owner where everyone can read the channel. */
  | {
      readonly kind: "channel";
      readonly guildId: string;
      readonly channelId: string;
      readonly isConfidential?: boolean;
    };

/** What a notification is made with. */
export interface NotificationContext {
  /** The server that it is about. */
  readonly guildId: string;
  /** In the language of the person who is answered, else of the server; English where neither is known. */
  readonly words: Words;
  serverName(): Promise<string>;
  /** The linked channels, the default first. @throws ServiceError `store_unavailable`. */
  channels(): Promise<readonly CredentialFacts[]>;
  now(): number;
}

/** Declares how a notification looks: its name decides which facts it gets. */
export function notification<N extends NotificationName>(
  declaration: NotificationSpec<N>,
): NotificationSpec<N> {
  return declaration;
}
