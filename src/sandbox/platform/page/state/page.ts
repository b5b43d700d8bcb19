import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import type { HelloEvent } from "../../protocol.ts";
import type { Reading } from "./reading.ts";

/** Something a person did that the bot has not finished taking, or has failed to take. */
export interface Waiting {
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
export interface Outcome {
  readonly interactionId: string;
  readonly failed?: string;
}

export interface OpenedForm {
  readonly interactionId: string;
  readonly channelId: string;
  readonly form: APIModalInteractionResponseCallbackData;
}

/** Somebody who is about to write. */
export interface Typing {
  readonly channelId: string;
  readonly userId: string;
}

export interface PageState {
  readonly link: "connecting" | "open" | "lost";
  readonly hello: HelloEvent | undefined;
  readonly channelId: string;
  /** Oldest first. */
  readonly messages: readonly APIMessage[];
  readonly waiting: readonly Waiting[];
  readonly outcomes: readonly Outcome[];
  readonly form: OpenedForm | undefined;
  readonly reading: Reading;
  readonly typing: readonly Typing[];
}

export const emptyPage: PageState = {
  link: "connecting",
  hello: undefined,
  channelId: "",
  messages: [],
  waiting: [],
  outcomes: [],
  form: undefined,
  reading: {},
  typing: [],
};
