import { PermissionFlagsBits as bits } from "discord-api-types/v10";

const everyone =
  bits.ViewChannel |
  bits.SendMessages |
  bits.SendMessagesInThreads |
  bits.CreatePublicThreads |
  bits.EmbedLinks |
  bits.AttachFiles |
  bits.AddReactions |
  bits.UseExternalEmojis |
  bits.UseExternalStickers |
  bits.ReadMessageHistory |
  bits.UseApplicationCommands |
  bits.ChangeNickname |
  bits.Connect |
  bits.Speak |
  bits.UseVAD |
  bits.Stream |
  bits.CreateInstantInvite;

/** Permission sets of the roles in the stand-in's server. */
export const permissions = {
  administrator: bits.Administrator,
  viewChannel: bits.ViewChannel,
  everyone,
  moderator:
    everyone |
    bits.ManageMessages |
    bits.ModerateMembers |
    bits.ManageThreads |
    bits.MuteMembers |
    bits.CreateGuildExpressions |
    bits.ViewAuditLog,
  bot: everyone | bits.ManageMessages | bits.CreateGuildExpressions,
  all: Object.values(bits).reduce((sum, bit) => sum | bit, 0n),
} as const;

function holds(held: bigint, needed: bigint): boolean {
  return (held & (needed | bits.Administrator)) !== 0n;
}

/** What is asked of whoever is in a channel. */
export const channelRights = {
  view: bits.ViewChannel,
  send: bits.SendMessages,
  sendInThreads: bits.SendMessagesInThreads,
  embed: bits.EmbedLinks,
  attach: bits.AttachFiles,
  readHistory: bits.ReadMessageHistory,
  manageMessages: bits.ManageMessages,
  manageThreads: bits.ManageThreads,
  manageChannels: bits.ManageChannels,
  /** Of everyone, and of roles that not everyone may mention. */
  callAll: bits.MentionEveryone,
} as const;

export const isHeld = (held: bigint, right: keyof typeof channelRights): boolean =>
  holds(held, channelRights[right]);

/** Managing is no longer enough to make one: https://docs.discord.com/developers/change-log (2025-11-24) */
export const mayCreateExpressions = (held: bigint): boolean =>
  holds(held, bits.CreateGuildExpressions);

export const mayManageExpressions = (held: bigint): boolean =>
  holds(held, bits.ManageGuildExpressions);

/** Whether a command shows for somebody, by its `default_member_permissions`. */
export function mayUse(held: bigint, needed: string | null): boolean {
  if (needed === null || (held & bits.Administrator) !== 0n) return true;
  const wanted = BigInt(needed);
  // "0" hides the command from everyone but administrators.
  return wanted !== 0n && (held & wanted) === wanted;
}
