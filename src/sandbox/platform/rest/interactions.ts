import type {
  APIApplicationCommandOptionChoice,
  APIModalInteractionResponseCallbackData,
} from "discord-api-types/v10";
import { Hono } from "hono";
import { anything, choice, isFields, required, shape } from "../check/check.ts";
import { form } from "../check/form.ts";
import { messageFlags } from "../check/message.ts";
import { suggestionsFor } from "../check/options.ts";
import { answer, type Interaction, touch } from "../interaction.ts";
import {
  createLoadingMessage,
  createMessage,
  editMessage,
  type MessageInput,
} from "../messages.ts";
import { partnerIn } from "../places.ts";
import { demand, refuse, rejections } from "../rejection.ts";
import type { StoredMessage, World } from "../world.ts";
import { bodyOf, paramOf, type RestContext, type RestEnv } from "./request.ts";
import { replyFrame, replyPings } from "./sending.ts";

const callback = {
  message: 4,
  deferredMessage: 5,
  deferredUpdate: 6,
  update: 7,
  suggestions: 8,
  form: 9,
} as const;

/** Which answers fit which kind of interaction. */
function allowedAnswers(interaction: Interaction): readonly number[] {
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

function flagsOf(data: unknown): number {
  return isFields(data) && typeof data.flags === "number" ? data.flags : 0;
}

/** First answers to interactions. */
export function interactionRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/:interactionId/:token/callback", (c) => {
    const interaction = wanted(world, c);
    const body = bodyOf(c);
    const frame = shape({
      type: required(choice(allowedAnswers(interaction))),
      data: anything,
    });
    demand(frame, body);
    const type = Number(body.type);
    const data = isFields(body.data) ? body.data : {};
    const input = { body: data, uploads: c.get("received").uploads };
    const stored = withinData(() => respond(world, interaction, { type, input }), type);
    const states: Readonly<Record<number, Interaction["state"]>> = { 8: "suggested", 9: "form" };
    answer(world, interaction, states[type] ?? "answered");
    if (c.req.query("with_response") !== "true") return c.body(null, 204);
    return c.json(resourceOf(world, interaction, { type, stored }));
  });
  return app;
}

function wanted(world: World, c: RestContext): Interaction {
  const interaction = world.interactions.get(paramOf(c, "token"));
  if (interaction?.id !== c.req.param("interactionId")) throw rejections.unknownInteraction();
  if (interaction?.state === "expired") throw rejections.unknownInteraction();
  if (interaction?.state !== "open") throw rejections.alreadyAcknowledged();
  return interaction;
}

/** Does what the answer says; gives the message that it made or changed at once. */
function respond(
  world: World,
  interaction: Interaction,
  { type, input }: { readonly type: number; readonly input: MessageInput },
): StoredMessage | undefined {
  switch (type) {
    case callback.message:
      return reply(world, interaction, input);
    case callback.deferredMessage:
      return void defer(world, interaction, input.body);
    case callback.deferredUpdate:
      interaction.originalId = interaction.sourceId;
      return undefined;
    case callback.update:
      return update(world, interaction, input);
    case callback.suggestions:
      return void suggest(interaction, input.body);
    default:
      return void open(world, interaction, input.body);
  }
}

function reply(world: World, interaction: Interaction, input: MessageInput): StoredMessage {
  const isEphemeral = (flagsOf(input.body) & messageFlags.ephemeral) !== 0;
  const frame = replyFrame(world, interaction, isEphemeral);
  const stored = createMessage(world, "reply", frame, input);
  interaction.isEphemeral = isEphemeral;
  interaction.originalId = stored.message.id;
  touch(interaction, stored.message.id);
  return stored;
}

function defer(world: World, interaction: Interaction, data: unknown): void {
  const flags = flagsOf(data);
  if ((flags & ~messageFlags.ephemeral) !== 0) {
    refuse(["data", "flags"], "BASE_TYPE_CHOICES", "Only EPHEMERAL may be set when deferring.");
  }
  const isEphemeral = flags !== 0;
  const stored = createLoadingMessage(world, replyFrame(world, interaction, isEphemeral));
  interaction.isEphemeral = isEphemeral;
  interaction.originalId = stored.message.id;
}

function update(world: World, interaction: Interaction, input: MessageInput): StoredMessage {
  const stored = world.messages.get(interaction.sourceId ?? "");
  if (stored === undefined) throw rejections.unknownMessage();
  editMessage(world, stored, input, replyPings);
  interaction.originalId = stored.message.id;
  touch(interaction, stored.message.id);
  return stored;
}

function suggest(interaction: Interaction, data: unknown): void {
  const check = suggestionsFor[interaction.focusedType ?? 3] ?? anything;
  demand(shape({ data: required(check) }), { data });
  const choices = isFields(data) && Array.isArray(data.choices) ? data.choices : [];
  interaction.choices = choices as readonly APIApplicationCommandOptionChoice[];
}

function open(world: World, interaction: Interaction, data: unknown): void {
  demand(shape({ data: required(form) }), { data });
  // Checked against the documented shape on the line above.
  const opened = data as APIModalInteractionResponseCallbackData;
  interaction.form = opened;
  world.publish({ type: "form", interactionId: interaction.id, form: opened }, interaction.person);
}

function resourceOf(
  world: World,
  interaction: Interaction,
  { type, stored }: { readonly type: number; readonly stored: StoredMessage | undefined },
): object {
  const original = world.messages.get(interaction.originalId ?? "");
  const flags = original?.message.flags ?? 0;
  const isDirect = partnerIn(world, interaction.channelId) !== undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.kind,
      channel_id: interaction.channelId,
      ...(isDirect ? {} : { guild_id: world.cast.guildId }),
      ...(original === undefined
        ? {}
        : {
            response_message_id: original.message.id,
            response_message_loading: (flags & messageFlags.loading) !== 0,
            response_message_ephemeral: (flags & messageFlags.ephemeral) !== 0,
          }),
    },
    ...(stored === undefined ? {} : { resource: { type, message: world.shown(stored) } }),
  };
}

/** The message's own errors lie below `data` here. */
function withinData<T>(work: () => T, type: number): T {
  try {
    return work();
  } catch (error) {
    const isMessage = type === callback.message || type === callback.update;
    if (!isMessage || !rejections.isForm(error)) throw error;
    throw rejections.form({ data: error.errors ?? {} });
  }
}
