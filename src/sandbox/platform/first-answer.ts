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
import { createMessage, createNotice, editStoredMessage, type MessageInput } from "./messages.ts";
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

const { message, deferredMessage, deferredUpdate, update: updated, suggestions, form } = callback;

/** Which answers fit which kind of interaction; updates only where a message was used. */
const allowedAnswers: Readonly<Record<StoredInteraction["kind"], readonly number[]>> = {
  2: [message, deferredMessage, form],
  3: [message, deferredMessage, deferredUpdate, updated, form],
  4: [suggestions],
  5: [message, deferredMessage, deferredUpdate, updated],
};

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
  const isOnMessage = interaction.sourceId !== undefined;
  const allowed = allowedAnswers[interaction.kind].filter(
    (each) => isOnMessage || (each !== deferredUpdate && each !== updated),
  );
  const frame = object({ type: required(oneOfValues(allowed)), data: anything });
  demand(frame, body);
  const type = Number(body.type);
  const data = isObject(body.data) ? body.data : {};
  const states: Readonly<Record<number, StoredInteraction["state"]>> = {
    8: "suggested",
    9: "form",
  };
  try {
    const stored = respond(state, interaction, { type, input: { body: data, uploads } });
    markAnswered(state, interaction, states[type] ?? "answered");
    return { type, stored };
  } catch (error) {
    // The message's own errors lie below `data` here.
    throw type === message || type === updated ? withinField("data", error) : error;
  }
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
    case callback.suggestions: {
      const check = suggestionChecks[interaction.focusedType ?? 3] ?? anything;
      demand(object({ data: required(check) }), { data: input.body });
      const choices = Array.isArray(input.body.choices) ? input.body.choices : [];
      interaction.choices = choices as readonly APIApplicationCommandOptionChoice[];
      return undefined;
    }
    default: {
      demand(object({ data: required(formCheck) }), { data: input.body });
      // Checked against the documented shape on the line above.
      const opened = input.body as unknown as APIModalInteractionResponseCallbackData;
      interaction.form = opened;
      const interactionId = interaction.id;
      state.publish({ type: "form", interactionId, form: opened }, interaction.person);
      return undefined;
    }
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
  const frame = replyFrame(state, interaction, isEphemeral);
  const loading = (frame.flags ?? 0) | messageFlags.loading;
  const stored = createNotice(state, { ...frame, flags: loading });
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
