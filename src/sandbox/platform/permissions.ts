import { type APIOverwrite, PermissionFlagsBits as bits } from "discord-api-types/v10";

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

/** What the roles of everyone and of the bot hold in the stand-in's server. */
export const samplePermissions = {
  everyone,
  bot: everyone | bits.ManageMessages | bits.CreateGuildExpressions | bits.CreateEvents,
  all: Object.values(bits).reduce((sum, bit) => sum | bit, 0n),
} as const;

/** What the roles of somebody give them in the whole server; the owner and administrators may do everything there. */
export function guildPermissions(roles: readonly bigint[], isOwner: boolean): bigint {
  const held = roles.reduce((sum, role) => sum | role, 0n);
  return isOwner || (held & bits.Administrator) !== 0n ? samplePermissions.all : held;
}

interface ChannelOverwrites {
  readonly overwrites: readonly Pick<APIOverwrite, "id" | "allow" | "deny">[];
  /** Also that of everyone's role. */
  readonly guildId: string;
  readonly roleIds: readonly string[];
  readonly userId: string;
  /** What it takes to write there; posts have a right of their own. */
  readonly writing: bigint;
}

/**
 * What is left of base permissions in a channel: overwrites of everyone, then of all roles together, then of the person;
 * whoever does not see it may do nothing there (https://docs.discord.com/developers/topics/permissions).
 */
export function channelPermissions(base: bigint, channel: ChannelOverwrites): bigint {
  if ((base & bits.Administrator) !== 0n) return samplePermissions.all;
  const { overwrites, guildId, roleIds, userId, writing } = channel;
  const held = [[guildId], roleIds, [userId]].reduce((before, ids) => {
    const own = overwrites.filter(({ id }) => ids.includes(id));
    const denied = own.reduce((sum, { deny }) => sum | BigInt(deny), 0n);
    const allowed = own.reduce((sum, { allow }) => sum | BigInt(allow), 0n);
    return (before & ~denied) | allowed;
  }, base);
  if ((held & bits.ViewChannel) === 0n) return 0n;
  return (held & writing) === 0n ? held & ~impliedByWriting : held;
}

const impliedByWriting =
  bits.MentionEveryone | bits.SendTTSMessages | bits.AttachFiles | bits.EmbedLinks;

export const rights = {
  view: bits.ViewChannel,
  send: bits.SendMessages,
  sendInThreads: bits.SendMessagesInThreads,
  beginThreads: bits.CreatePublicThreads,
  embed: bits.EmbedLinks,
  attach: bits.AttachFiles,
  readHistory: bits.ReadMessageHistory,
  react: bits.AddReactions,
  /** Since February 2026 no longer part of managing messages: https://docs.discord.com/developers/change-log */
  pin: bits.PinMessages,
  manageMessages: bits.ManageMessages,
  manageThreads: bits.ManageThreads,
  manageChannels: bits.ManageChannels,
  /** To mention everyone, and roles that not everyone may mention. */
  callAll: bits.MentionEveryone,
  changeNickname: bits.ChangeNickname,
  manageNicknames: bits.ManageNicknames,
  manageRoles: bits.ManageRoles,
  /** Managing is no longer enough to make one: https://docs.discord.com/developers/change-log (2025-11-24) */
  createExpressions: bits.CreateGuildExpressions,
  manageExpressions: bits.ManageGuildExpressions,
  /** Since February 2026 managing is no longer enough to make one: https://docs.discord.com/developers/change-log */
  createEvents: bits.CreateEvents,
  manageEvents: bits.ManageEvents,
} as const;

/** What somebody may be allowed to do. */
export type Right = keyof typeof rights;

export function isHeld(held: bigint, right: Right): boolean {
  return (held & (rights[right] | bits.Administrator)) !== 0n;
}

/** Whether a command shows for somebody, by its `default_member_permissions`. */
export function mayUse(held: bigint, needed: string | null): boolean {
  if (needed === null || (held & bits.Administrator) !== 0n) return true;
  const wanted = BigInt(needed);
  // "0" hides the command from everyone but administrators.
  return wanted !== 0n && (held & wanted) === wanted;
}
