import type {
  APIApplicationCommandOptionChoice,
  APIModalInteractionResponseCallbackData,
} from "discord-api-types/v10";
import { partnerIn } from "./channel-access.ts";
import { anything, isObject, object, oneOfValues, required } from "./check/check.ts";
import { formCheck } from "./check/form.ts";
import { messageFlags } from "./check/message.ts";
import { suggestionChecks } from "./check/options.ts";
import { markAnswered, noteTouchedMessage } from "./interaction.ts";
import {
  createLoadingMessage,
  createMessage,
  editStoredMessage,
  type MessageInput,
} from "./messages.ts";
import { demand, failField, rejection, withinField } from "./rejection.ts";
import { replyFrame, replyPings } from "./rest/message-rules.ts";
import type { RestBody } from "./rest/request.ts";
import type { PlatformState, StoredInteraction, StoredMessage } from "./state.ts";

const callback = {
  message: 4,
  deferredMessage: 5,
  deferredUpdate: 6,
  update: 7,
  suggestions: 8,
  form: 9,
} as const;

/** Which answers fit which kind of interaction. */
function allowedAnswers(interaction: StoredInteraction): readonly number[] {
  const { message, deferredMessage, deferredUpdate, update, suggestions } = callback;
  const onMessage = interaction.sourceId === undefined ? [] : [deferredUpdate, update];
  switch (interaction.kind) {
    case 2:
      return [message, deferredMessage, callback.form];
    case 3:
      return [message, deferredMessage, ...onMessage, callback.form];
    case 4:
      return [suggestions];
    case 5:
      return [message, deferredMessage, ...onMessage];
  }
}

function readFlags(data: unknown): number {
  return isObject(data) && typeof data.flags === "number" ? data.flags : 0;
}

/** The first answer as it was taken. */
interface TakenAnswer {
  readonly type: number;
  /** The message that it made or changed at once. */
  readonly stored: StoredMessage | undefined;
}

/**
 * Takes the first answer to an interaction, whichever way it comes: to the callback route, or as the response of the
 * interactions endpoint. @throws Rejection for one that does not fit.
 */
export function takeFirstAnswer(
  state: PlatformState,
  interaction: StoredInteraction,
  { json, uploads }: RestBody,
): TakenAnswer {
  const body = isObject(json) ? json : {};
  const frame = object({
    type: required(oneOfValues(allowedAnswers(interaction))),
    data: anything,
  });
  demand(frame, body);
  const type = Number(body.type);
  const data = isObject(body.data) ? body.data : {};
  const input = { body: data, uploads };
  const stored = withinData(() => respond(state, interaction, { type, input }), type);
  const states: Readonly<Record<number, StoredInteraction["state"]>> = {
    8: "suggested",
    9: "form",
  };
  markAnswered(state, interaction, states[type] ?? "answered");
  return { type, stored };
}

/** Does what the answer says; gives the message that it made or changed at once. */
function respond(
  state: PlatformState,
  interaction: StoredInteraction,
  { type, input }: { readonly type: number; readonly input: MessageInput },
): StoredMessage | undefined {
  switch (type) {
    case callback.message:
      return reply(state, interaction, input);
    case callback.deferredMessage:
      return void defer(state, interaction, input.body);
    case callback.deferredUpdate:
      interaction.originalId = interaction.sourceId;
      return undefined;
    case callback.update:
      return update(state, interaction, input);
    case callback.suggestions:
      return void suggest(interaction, input.body);
    default:
      return void open(state, interaction, input.body);
  }
}

function reply(
  state: PlatformState,
  interaction: StoredInteraction,
  input: MessageInput,
): StoredMessage {
  const isEphemeral = (readFlags(input.body) & messageFlags.ephemeral) !== 0;
  const frame = replyFrame(state, interaction, isEphemeral);
  const stored = createMessage(state, "reply", frame, input);
  interaction.isEphemeral = isEphemeral;
  interaction.originalId = stored.message.id;
  noteTouchedMessage(interaction, stored.message.id);
  return stored;
}

function defer(state: PlatformState, interaction: StoredInteraction, data: unknown): void {
  const flags = readFlags(data);
  if ((flags & ~messageFlags.ephemeral) !== 0) {
    failField(["data", "flags"], "BASE_TYPE_CHOICES", "Only EPHEMERAL may be set when deferring.");
  }
  const isEphemeral = flags !== 0;
  const stored = createLoadingMessage(state, replyFrame(state, interaction, isEphemeral));
  interaction.isEphemeral = isEphemeral;
  interaction.originalId = stored.message.id;
}

function update(
  state: PlatformState,
  interaction: StoredInteraction,
  input: MessageInput,
): StoredMessage {
  const stored = state.messages.get(interaction.sourceId ?? "");
  if (stored === undefined) throw rejection("unknownMessage");
  editStoredMessage(state, stored, input, replyPings);
  interaction.originalId = stored.message.id;
  noteTouchedMessage(interaction, stored.message.id);
  return stored;
}

function suggest(interaction: StoredInteraction, data: unknown): void {
  const check = suggestionChecks[interaction.focusedType ?? 3] ?? anything;
  demand(object({ data: required(check) }), { data });
  const choices = isObject(data) && Array.isArray(data.choices) ? data.choices : [];
  interaction.choices = choices as readonly APIApplicationCommandOptionChoice[];
}

function open(state: PlatformState, interaction: StoredInteraction, data: unknown): void {
  demand(object({ data: required(formCheck) }), { data });
  // Checked against the documented shape on the line above.
  const opened = data as APIModalInteractionResponseCallbackData;
  interaction.form = opened;
  state.publish({ type: "form", interactionId: interaction.id, form: opened }, interaction.person);
}

/** What the callback route answers `with_response`. */
export function describeCallback(
  state: PlatformState,
  interaction: StoredInteraction,
  { type, stored }: TakenAnswer,
): object {
  const original = state.messages.get(interaction.originalId ?? "");
  const flags = original?.message.flags ?? 0;
  const isDirect = partnerIn(state, interaction.channelId) !== undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.kind,
      channel_id: interaction.channelId,
      ...(isDirect ? {} : { guild_id: state.guild.guildId }),
      ...(original === undefined
        ? {}
        : {
            response_message_id: original.message.id,
            response_message_loading: (flags & messageFlags.loading) !== 0,
            response_message_ephemeral: (flags & messageFlags.ephemeral) !== 0,
          }),
    },
    ...(stored === undefined ? {} : { resource: { type, message: state.shown(stored) } }),
  };
}

/** The message's own errors lie below `data` here. */
function withinData<T>(work: () => T, type: number): T {
  try {
    return work();
  } catch (error) {
    const isMessage = type === callback.message || type === callback.update;
    throw isMessage ? withinField("data", error) : error;
  }
}
