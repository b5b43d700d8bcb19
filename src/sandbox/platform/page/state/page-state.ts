import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import type { HelloEvent } from "../../protocol.ts";

/** An action that the bot has not acknowledged yet, or that failed. */
export interface PendingAction {
  /** Ours; the interaction's id arrives with the act's answer. */
  readonly key: string;
  readonly interactionId?: string;
  readonly kind: "command" | "component" | "form";
  readonly channelId: string;
  /** Shown as "X used …". */
  readonly label: string;
  readonly messageId?: string;
  readonly customId?: string;
  /** Why it failed, in words; absent while it is under way. */
  readonly failed?: string;
}

/** How an interaction ended, kept in case its event overtakes the answer to the act. */
export interface ActionOutcome {
  readonly interactionId: string;
  readonly failed?: string;
}

export interface OpenedForm {
  readonly interactionId: string;
  readonly channelId: string;
  readonly form: APIModalInteractionResponseCallbackData;
}

export interface TypingUser {
  readonly channelId: string;
  readonly userId: string;
}

export interface PageState {
  readonly link: "connecting" | "open" | "lost";
  readonly hello: HelloEvent | undefined;
  readonly channelId: string;
  /** Oldest first. */
  readonly messages: readonly APIMessage[];
  readonly waiting: readonly PendingAction[];
  readonly outcomes: readonly ActionOutcome[];
  readonly form: OpenedForm | undefined;
  /** Suggestions of the welcome that this person has tried: commands and what else it names. */
  readonly done: readonly string[];
  readonly typing: readonly TypingUser[];
}

export const emptyPage: PageState = {
  link: "connecting",
  hello: undefined,
  channelId: "",
  messages: [],
  waiting: [],
  outcomes: [],
  form: undefined,
  done: [],
  typing: [],
};
