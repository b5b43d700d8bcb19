import { ChannelType, PermissionFlagsBits } from "discord.js";

/** A channel of the server that messages are read in. */
export interface TextChannel {
  readonly id: string;
  readonly name: string;
  /** Whether the bot may post there, as far as the platform tells. */
  readonly isWritable: boolean;
}

export const textChannelTypes = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;

const posting =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks;

/** A chosen channel as the interaction describes it. */
export function readTextChannel(given: unknown): TextChannel {
  const { id = "", name = "", app_permissions } = Object(given) as Readonly<Record<string, string>>;
  // The platform has told this only since July 2026; elsewhere posting shows it.
  const isWritable =
    app_permissions === undefined || (BigInt(app_permissions) & posting) === posting;
  return { id, name, isWritable };
}
