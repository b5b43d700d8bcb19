import { PermissionFlagsBits } from "discord-api-types/v10";

/** A role's or a person's exception in a channel, as Discord sends it. */
export interface ChannelOverwrite {
  readonly id: string;
  readonly allow: string;
  readonly deny: string;
}

interface OverwrittenChannel {
  readonly guildId: string;
  readonly overwrites: readonly ChannelOverwrite[];
}

/** Somebody with the sum of what their roles allow in the whole server. */
export interface PermissionHolder {
  readonly base: bigint;
  /** Without @everyone. */
  readonly roleIds: readonly string[];
  /** Absent for everyone. */
  readonly userId?: string;
}

const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);

/**
 * What somebody may do in a channel: the overwrites of @everyone, then of all roles together, then of the person
 * (https://docs.discord.com/developers/topics/permissions#permission-overwrites).
 */
export function permissionsInChannel(
  { guildId, overwrites }: OverwrittenChannel,
  { base, roleIds, userId }: PermissionHolder,
): bigint {
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return all;
  const ownIds = userId === undefined ? [] : [userId];
  return [[guildId], roleIds, ownIds].reduce((held, ids) => {
    const own = overwrites.filter(({ id }) => ids.includes(id));
    const denied = own.reduce((sum, { deny }) => sum | BigInt(deny), 0n);
    const allowed = own.reduce((sum, { allow }) => sum | BigInt(allow), 0n);
    return (held & ~denied) | allowed;
  }, base);
}

/** Whether everyone can read a channel; `everyone` is what the role @everyone allows in the whole server. */
export function isOpenToEveryone(channel: OverwrittenChannel, everyone: bigint): boolean {
  const held = permissionsInChannel(channel, { base: everyone, roleIds: [] });
  return (held & PermissionFlagsBits.ViewChannel) !== 0n;
}
