import { Hono } from "hono";
import { messageFlags } from "../check/message.ts";
import { type Interaction, isLoading, isTokenAlive, touch } from "../interaction.ts";
import { createMessage, deleteMessage, editMessage } from "../messages.ts";
import { rejections } from "../rejection.ts";
import type { StoredMessage, World } from "../world.ts";
import { bodyOf, paramOf, type RestContext, type RestEnv } from "./request.ts";
import { referenceTo, replyFrame, replyPings } from "./sending.ts";

const followUpType = 19;

/** A follow-up replies to the first answer, which alone says which command was used. */
function followUpOf(
  world: World,
  interaction: Interaction,
  original: StoredMessage,
): Partial<StoredMessage["message"]> {
  return {
    ...referenceTo(world, original, interaction.channelId),
    interaction_metadata: {
      ...interaction.metadata,
      original_response_message_id: original.message.id,
    },
  };
}

/** Follow-ups to interactions, and edits of what was answered. */
export function webhookRoutes(world: World): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const one = "/:applicationId/:token/messages/:messageId";

  app.post("/:applicationId/:token", (c) => c.json(world.shown(followUp(world, c))));
  app.get(one, (c) => c.json(world.shown(messageOf(world, c, interactionOf(world, c)))));
  app.patch(one, (c) => {
    const interaction = interactionOf(world, c);
    const stored = messageOf(world, c, interaction);
    const input = { body: bodyOf(c), uploads: c.get("received").uploads };
    editMessage(world, stored, input, replyPings);
    touch(interaction, stored.message.id);
    return c.json(world.shown(stored));
  });
  app.delete(one, (c) => {
    const interaction = interactionOf(world, c);
    deleteMessage(world, messageOf(world, c, interaction));
    interaction.lastChange = performance.now();
    return c.body(null, 204);
  });
  return app;
}

function interactionOf(world: World, c: RestContext): Interaction {
  if (c.req.param("applicationId") !== world.cast.bot.id) throw rejections.unknownWebhook();
  const interaction = world.interactions.get(paramOf(c, "token"));
  if (interaction === undefined || !isTokenAlive(world, interaction)) {
    throw rejections.invalidWebhookToken();
  }
  // The token opens its webhook with the first answer.
  const isOpened = interaction.state === "answered" || interaction.state === "form";
  if (!isOpened) throw rejections.unknownWebhook();
  return interaction;
}

function messageOf(world: World, c: RestContext, interaction: Interaction): StoredMessage {
  const asked = c.req.param("messageId");
  const id = asked === "@original" ? interaction.originalId : asked;
  const isOwn = id === interaction.originalId || interaction.followUps.includes(id ?? "");
  const stored = isOwn ? world.messages.get(id ?? "") : undefined;
  if (stored === undefined) throw rejections.unknownMessage();
  return stored;
}

function followUp(world: World, c: RestContext): StoredMessage {
  const interaction = interactionOf(world, c);
  const body = bodyOf(c);
  const input = { body, uploads: c.get("received").uploads };
  const original = world.messages.get(interaction.originalId ?? "");
  // The first follow-up after a deferral takes the place of "thinking", with its ephemeral state.
  if (original !== undefined && isLoading(world, interaction)) {
    editMessage(world, original, input, replyPings);
    touch(interaction, original.message.id);
    return original;
  }
  const flags = typeof body.flags === "number" ? body.flags : 0;
  const frame = replyFrame(world, interaction, (flags & messageFlags.ephemeral) !== 0);
  const { interaction: _, ...extra } = frame.extra ?? {};
  const made =
    original === undefined
      ? { ...frame, type: 0 }
      : {
          ...frame,
          type: followUpType,
          extra: { ...extra, ...followUpOf(world, interaction, original) },
        };
  const stored = createMessage(world, "reply", made, input);
  interaction.followUps.push(stored.message.id);
  touch(interaction, stored.message.id);
  return stored;
}
