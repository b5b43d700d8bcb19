import type { APIMessage, APIModalInteractionResponseCallbackData } from "discord-api-types/v10";
import type { HelloEvent } from "../../protocol.ts";
import { shownName } from "./names.ts";
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
}

/** What the page calls a place: a channel of the server, or the person's conversation with the bot. */
export interface Place {
  readonly name: string;
  /** Before the name wherever it is written out. */
  readonly mark: "#" | "@";
}

export function placeOf({ hello }: PageState, channelId: string): Place {
  if (hello && channelId === hello.directChannelId)
    return { name: shownName(hello.bot), mark: "@" };
  const channel = hello?.channels.find(({ id }) => id === channelId);
  return { name: channel?.name ?? "", mark: "#" };
}

const contexts = { "#": 0, "@": 1 } as const;

/** Commands of the place that is open: in a conversation only those that say so. */
export function offeredHere(state: PageState): HelloEvent["commands"] {
  const context = contexts[placeOf(state, state.channelId).mark];
  return (state.hello?.commands ?? []).filter(
    (command) => command.contexts?.includes(context) ?? true,
  );
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
};
