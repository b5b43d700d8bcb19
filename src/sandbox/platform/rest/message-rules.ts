import { MessageFlags } from "discord-api-types/v10";
import { botMay, channelById, partnerIn } from "../channel-access.ts";
import type { CheckedFields } from "../check/check.ts";
import { messageFlags } from "../check/message.ts";
import type { NewMessage } from "../messages.ts";
import { rejection } from "../rejection.ts";
import type { PlatformState, StoredInteraction, StoredMessage } from "../state.ts";
import { findStoredThread, isForumChannel, isThreadArchived } from "../threads.ts";

/** What a bot's message may ping if it has no `allowed_mentions`. */
export const everyonePings = ["users", "roles", "everyone"];

// Text, replies and what commands and menus answered; the rest is Discord's own.
const writtenTypes: readonly number[] = [0, 19, 20, 23];

export function isWritten({ message }: StoredMessage): boolean {
  return writtenTypes.includes(message.type);
}

/** Whether it was sent to the channels that follow its own. */
export function isCrossposted(stored: StoredMessage | undefined): boolean {
  return ((stored?.message.flags ?? 0) & MessageFlags.Crossposted) !== 0;
}

interface MessageContent {
  readonly body: CheckedFields;
  readonly files: number;
}

/** @throws Rejection 50007, 50008 or 50278 where none is reached, 50013 or 160002 where the bot may not. */
export function demandRights(
  state: PlatformState,
  channelId: string,
  { body, files }: MessageContent,
): void {
  const partner = partnerIn(state, channelId);
  if (partner !== undefined && !state.guildIds.has(state.guild.guildId)) {
    throw rejection("noMutualServer");
  }
  if (partner !== undefined && state.closedDirectChannels.has(partner))
    throw rejection("takesNoMessages");
  const channel = channelById(state, channelId);
  if (channel !== undefined && isForumChannel(channel)) throw rejection("takesNoText");
  demandContentRights(state, channelId, { body, files });
  const isReply = body.message_reference != null;
  if (isReply && !botMay(state, channelId, "readHistory")) throw rejection("mayNotReply");
}

/** @throws Rejection 50013 where the bot may not write, embed or attach. */
export function demandContentRights(
  state: PlatformState,
  channelId: string,
  { body, files }: MessageContent,
): void {
  const hasEmbeds = Array.isArray(body.embeds) && body.embeds.length > 0;
  const isAllowed =
    botMay(state, channelId, "send") &&
    (!hasEmbeds || botMay(state, channelId, "embed")) &&
    (files === 0 || botMay(state, channelId, "attach"));
  if (!isAllowed) throw rejection("missingPermissions");
}

/** @throws Rejection 50013 or 50003 where the bot may not manage what others wrote. */
export function demandManaging(
  state: PlatformState,
  { message: { channel_id: channelId } }: StoredMessage,
): void {
  if (botMay(state, channelId, "manageMessages")) return;
  const isDirect = partnerIn(state, channelId) !== undefined;
  throw isDirect ? rejection("notYoursHere") : rejection("missingPermissions");
}

/** @throws Rejection 160005 or 50083 where the bot may not write, or not change messages. */
export function demandOpen(state: PlatformState, channelId: string, act: "write" | "change"): void {
  const thread = findStoredThread(state, channelId);
  if (thread === undefined) return;
  const isBound = thread.isLocked && !botMay(state, channelId, "manageThreads");
  if (isBound) throw rejection("threadLocked");
  // What is new takes it out of the archive.
  if (act === "change" && isThreadArchived(state, thread)) throw rejection("threadArchived");
}

// Without `allowed_mentions` replies ping users only.
export const replyPings = ["users"];

/** The frame of a reply to an interaction, first or later. */
export function replyFrame(
  state: PlatformState,
  interaction: StoredInteraction,
  isEphemeral: boolean,
): NewMessage {
  const source = state.messages.get(interaction.sourceId ?? "");
  return {
    author: state.guild.bot,
    channelId: interaction.channelId,
    ...(isEphemeral ? { audience: interaction.person, flags: messageFlags.ephemeral } : {}),
    type: interaction.replyType,
    pings: replyPings,
    extra: {
      application_id: state.guild.bot.id,
      webhook_id: state.guild.bot.id,
      interaction_metadata: interaction.metadata,
      ...(interaction.commandName === undefined
        ? {}
        : {
            interaction: {
              id: interaction.id,
              type: interaction.kind,
              name: interaction.commandName,
              user: state.person(interaction.person).user,
            },
          }),
      ...(source === undefined || interaction.replyType !== 19
        ? {}
        : referenceTo(state, source, interaction.channelId)),
    },
  };
}

/** The fields by which a message names the one it answers. */
export function referenceTo(
  state: PlatformState,
  stored: StoredMessage,
  channelId: string,
): Partial<StoredMessage["message"]> {
  const { referenced_message: _, ...referenced } = stored.message;
  return {
    message_reference: {
      type: 0,
      channel_id: channelId,
      message_id: stored.message.id,
      ...(partnerIn(state, channelId) === undefined ? { guild_id: state.guild.guildId } : {}),
    },
    referenced_message: referenced,
  };
}
