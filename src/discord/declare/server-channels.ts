import type { PostChannel } from "./text-channel.ts";

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
}

export interface PrivateChannelDraft {
  readonly name: string;
  readonly roleIds: readonly string[];
}
