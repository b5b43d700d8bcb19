import type { Fields } from "../check/check.ts";
import { messageFlags } from "../check/message.ts";
import type { Interaction } from "../interaction.ts";
import type { NewMessage } from "../messages.ts";
import { botMay, channelOf, partnerIn } from "../places.ts";
import { rejections } from "../rejection.ts";
import { isArchived, isForum, threadOf } from "../threads.ts";
import type { StoredMessage, World } from "../world.ts";

/** What a message of the bot pings that does not say whom. */
export const everyonePings = ["users", "roles", "everyone"];

interface Sent {
  readonly body: Fields;
  readonly files: number;
}

/** @throws Rejection 50007, 50008 or 50278 where none is reached, 50013 or 160002 where the bot may not. */
export function demandRights(world: World, channelId: string, { body, files }: Sent): void {
  const partner = partnerIn(world, channelId);
  if (partner !== undefined && !world.guildIds.has(world.cast.guildId)) {
    throw rejections.noMutualServer();
  }
  if (partner !== undefined && world.closedTo.has(partner)) throw rejections.takesNoMessages();
  const channel = channelOf(world, channelId);
  if (channel !== undefined && isForum(channel)) throw rejections.takesNoText();
  demandContentRights(world, channelId, { body, files });
  const isReply = body.message_reference != null;
  if (isReply && !botMay(world, channelId, "readHistory")) throw rejections.mayNotReply();
}

/** @throws Rejection 50013 where the bot may not write, embed or attach. */
export function demandContentRights(world: World, channelId: string, { body, files }: Sent): void {
  const hasEmbeds = Array.isArray(body.embeds) && body.embeds.length > 0;
  const isAllowed =
    botMay(world, channelId, "send") &&
    (!hasEmbeds || botMay(world, channelId, "embed")) &&
    (files === 0 || botMay(world, channelId, "attach"));
  if (!isAllowed) throw rejections.missingPermissions();
}

/** @throws Rejection 50013 or 50003 where the bot may not manage what others wrote. */
export function demandManaging(
  world: World,
  { message: { channel_id: channelId } }: StoredMessage,
): void {
  if (botMay(world, channelId, "manageMessages")) return;
  const isDirect = partnerIn(world, channelId) !== undefined;
  throw isDirect ? rejections.notYoursHere() : rejections.missingPermissions();
}

/** @throws Rejection 160005 or 50083 where the bot may not write, or change what stands there. */
export function demandOpen(world: World, channelId: string, act: "write" | "change"): void {
  const thread = threadOf(world, channelId);
  if (thread === undefined) return;
  const isBound = thread.isLocked && !botMay(world, channelId, "manageThreads");
  if (isBound) throw rejections.threadLocked();
  // What is new takes it out of the archive.
  if (act === "change" && isArchived(world, thread)) throw rejections.threadArchived();
}

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
