import { Hono } from "hono";
import { messageFlags } from "../check/message.ts";
import { isLoading, isTokenAlive, noteTouchedMessage } from "../interaction.ts";
import { createMessage, deleteMessage, editStoredMessage } from "../messages.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState, StoredInteraction, StoredMessage } from "../state.ts";
import { referenceTo, replyFrame, replyPings } from "./message-rules.ts";
import { bodyFields, type RestContext, type RestEnv, readParam } from "./request.ts";

const followUpType = 19;

/** Follow-ups to interactions, and edits of what was answered. */
export function webhookRoutes(state: PlatformState): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const one = "/:applicationId/:token/messages/:messageId";

  app.post("/:applicationId/:token", (c) => c.json(state.shown(followUp(state, c))));
  app.get(one, (c) => c.json(state.shown(findMessage(state, c, findInteraction(state, c)))));
  app.patch(one, (c) => {
    const interaction = findInteraction(state, c);
    const stored = findMessage(state, c, interaction);
    const input = { body: bodyFields(c), uploads: c.get("received").uploads };
    editStoredMessage(state, stored, input, replyPings);
    noteTouchedMessage(interaction, stored.message.id);
    return c.json(state.shown(stored));
  });
  app.delete(one, (c) => {
    const interaction = findInteraction(state, c);
    deleteMessage(state, findMessage(state, c, interaction));
    interaction.lastChange = performance.now();
    return c.body(null, 204);
  });
  return app;
}

function findInteraction(state: PlatformState, c: RestContext): StoredInteraction {
  if (c.req.param("applicationId") !== state.guild.bot.id) throw rejection("unknownWebhook");
  const interaction = state.interactions.get(readParam(c, "token"));
  if (interaction === undefined || !isTokenAlive(state, interaction)) {
    throw rejection("invalidWebhookToken");
  }
  // The token opens its webhook with the first answer.
  const isOpened = interaction.state === "answered" || interaction.state === "form";
  if (!isOpened) throw rejection("unknownWebhook");
  return interaction;
}

function findMessage(
  state: PlatformState,
  c: RestContext,
  interaction: StoredInteraction,
): StoredMessage {
  const messageId = c.req.param("messageId");
  const id = messageId === "@original" ? interaction.originalId : messageId;
  const isOwn = id === interaction.originalId || interaction.followUps.includes(id ?? "");
  const stored = isOwn ? state.messages.get(id ?? "") : undefined;
  if (stored === undefined) throw rejection("unknownMessage");
  return stored;
}

function followUp(state: PlatformState, c: RestContext): StoredMessage {
  const interaction = findInteraction(state, c);
  const body = bodyFields(c);
  const input = { body, uploads: c.get("received").uploads };
  const original = state.messages.get(interaction.originalId ?? "");
  // The first follow-up after a deferral takes the place of "thinking", with its ephemeral state.
  if (original !== undefined && isLoading(state, interaction)) {
    editStoredMessage(state, original, input, replyPings);
    noteTouchedMessage(interaction, original.message.id);
    return original;
  }
  const flags = typeof body.flags === "number" ? body.flags : 0;
  const frame = replyFrame(state, interaction, (flags & messageFlags.ephemeral) !== 0);
  const { interaction: _, ...extra } = frame.extra ?? {};
  // A follow-up replies to the first answer, which alone says which command was used.
  const made =
    original === undefined
      ? { ...frame, type: 0 }
      : {
          ...frame,
          type: followUpType,
          extra: {
            ...extra,
            ...referenceTo(state, original, interaction.channelId),
            interaction_metadata: {
              ...interaction.metadata,
              original_response_message_id: original.message.id,
            },
          },
        };
  const stored = createMessage(state, "reply", made, input);
  interaction.followUps.push(stored.message.id);
  noteTouchedMessage(interaction, stored.message.id);
  return stored;
}
