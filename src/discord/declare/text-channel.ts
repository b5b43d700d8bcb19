import type { APIInteraction } from "discord.js";
import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { AccessError } from "../../errors.ts";

/** What the bot may not do in a channel: see it, write in it, begin posts in it, or read its history. */
type Lack = "view" | "send" | "forum" | "history";

export function channelClosed(lack: Lack, cause?: unknown): AccessError {
  return new AccessError(`the channel is closed to the bot: ${lack}`, {
    code: "discord_channel_closed",
    facts: { lack },
    cause,
  });
}

/** A channel of the server that messages are read in. */
export interface TextChannel {
  readonly id: string;
  readonly name: string;
  /** Whether the bot may post there, as far as Discord says. */
  readonly isWritable: boolean;
}

/** A channel of the server that the bot posts in, and finds its messages in again. */
export interface PostChannel extends TextChannel {
  /** Each message is a post of its own there. */
  readonly isForum: boolean;
  /** Its messages can be published to channels that follow it. */
  readonly isAnnouncement: boolean;
  /** Whether the bot may open threads under its messages, as far as Discord says. */
  readonly mayOpenThreads: boolean;
  /** What the bot may not do there, where it is not writable. */
  readonly lack: Lack | undefined;
}

/** The channels of the server that an interaction comes from, and who reads them. */
export interface ServerChannels {
  /** Never throws. */
  read(channelId: string): Promise<ChannelReaders>;
  /**
   * Channels that not everyone reads, but the person does, and in which the bot can post and find its messages again; in
   * the order of the server. None where Discord does not tell. Never throws.
   */
  privateOnes(): Promise<readonly PostChannel[]>;
  /** Whether the bot may create a channel. Never throws. */
  mayCreate(): Promise<boolean>;
  /**
   * Creates a text channel that is read by the person, the bot, those roles, and the roles that moderate.
   * @throws ServiceError `discord_refused`, `discord_down`; NetworkError `discord_unreachable`
   */
  createPrivate(channel: PrivateChannelDraft): Promise<PostChannel>;
}

/** Fields are undefined where Discord did not tell. */
export interface ChannelReaders {
  readonly name: string | undefined;
  /** Whether everyone in the server can read it; in a thread, that is said by its channel. */
  readonly isPublic: boolean | undefined;
  readonly isAnnouncement?: boolean | undefined;
  /** The tags of a forum. */
  readonly tags?: readonly ForumTag[] | undefined;
}

export interface ForumTag {
  readonly id: string;
  readonly name: string;
}

export interface PrivateChannelDraft {
  readonly name: string;
  readonly roleIds: readonly string[];
}

const textChannelTypes = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;

/** The kinds of channels that an option offers: those with texts, or those that the bot posts in. */
export const channelTypes = {
  texts: textChannelTypes,
  posts: [...textChannelTypes, ChannelType.GuildForum],
} as const;

const {
  CreatePublicThreads,
  ViewChannel,
  SendMessages,
  SendMessagesInThreads,
  EmbedLinks,
  ReadMessageHistory,
} = PermissionFlagsBits;

const posting = ViewChannel | SendMessages | EmbedLinks;

interface ResolvedChannel {
  readonly id?: string;
  readonly name?: string;
  readonly type?: number;
  /** Discord has sent it only since July 2026; without it, only posting shows whether it works. */
  readonly app_permissions?: string;
}

/** A chosen channel as the interaction describes it. */
export function readTextChannel(value: unknown): TextChannel {
  const { id = "", name = "", app_permissions } = Object(value) as ResolvedChannel;
  return { id, name, isWritable: holds(app_permissions, posting) };
}

export function readPostChannel(value: unknown): PostChannel {
  const { id = "", name = "", type, app_permissions } = Object(value) as ResolvedChannel;
  const isForum = type === ChannelType.GuildForum;
  const isAnnouncement = type === ChannelType.GuildAnnouncement;
  const mayOpenThreads = holds(app_permissions, CreatePublicThreads);
  const lack = lackIn(app_permissions, isForum);
  const isWritable = lack === undefined;
  return { id, name, isForum, isAnnouncement, mayOpenThreads, lack, isWritable };
}

/** The channel that an interaction comes from; undefined for a thread, or a kind of channel that options don't offer. */
export function readInteractionChannel({
  channel,
  app_permissions,
}: Pick<APIInteraction, "channel" | "app_permissions">): PostChannel | undefined {
  const isOffered = textChannelTypes.some((type) => type === channel?.type);
  return isOffered ? readPostChannel({ ...channel, app_permissions }) : undefined;
}

/** @throws AccessError `discord_channel_closed` where the bot can't post, or can't find its messages again */
export function requireWritable({ lack }: PostChannel): void {
  if (lack !== undefined) throw channelClosed(lack);
}

function lackIn(held: string | undefined, isForum: boolean): Lack | undefined {
  if (!holds(held, ViewChannel)) return "view";
  if (isForum && !holds(held, posting | SendMessagesInThreads)) return "forum";
  if (!holds(held, posting)) return "send";
  return holds(held, ReadMessageHistory) ? undefined : "history";
}

function holds(held: string | undefined, wanted: bigint): boolean {
  return held === undefined || (BigInt(held) & wanted) === wanted;
}
