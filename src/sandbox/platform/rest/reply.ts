import { messageFlags } from "../check/message.ts";
import type { Interaction } from "../interaction.ts";
import type { NewMessage } from "../messages.ts";
import { partnerIn } from "../places.ts";
import type { StoredMessage, World } from "../world.ts";

// Without `allowed_mentions` replies ping users only.
export const replyPings = ["users"];

/** The frame of a reply to an interaction, first or later. */
export function replyFrame(
  world: World,
  interaction: Interaction,
  isEphemeral: boolean,
): NewMessage {
  const source = world.messages.get(interaction.sourceId ?? "");
  return {
    author: world.cast.bot,
    channelId: interaction.channelId,
    ...(isEphemeral ? { audience: interaction.person, flags: messageFlags.ephemeral } : {}),
    type: interaction.replyType,
    pings: replyPings,
    extra: {
      application_id: world.cast.bot.id,
      webhook_id: world.cast.bot.id,
      interaction_metadata: interaction.metadata,
      ...(interaction.commandName === undefined
        ? {}
        : {
            interaction: {
              id: interaction.id,
              type: interaction.kind,
              name: interaction.commandName,
              user: world.person(interaction.person).user,
            },
          }),
      ...(source === undefined || interaction.replyType !== 19
        ? {}
        : referenceTo(world, source, interaction.channelId)),
    },
  };
}

/** The fields by which a message names the one it answers. */
export function referenceTo(
  world: World,
  stored: StoredMessage,
  channelId: string,
): Partial<StoredMessage["message"]> {
  const { referenced_message: _, ...referenced } = stored.message;
  return {
    message_reference: {
      type: 0,
      channel_id: channelId,
      message_id: stored.message.id,
      ...(partnerIn(world, channelId) === undefined ? { guild_id: world.cast.guildId } : {}),
    },
    referenced_message: referenced,
  };
}
