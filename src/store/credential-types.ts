import type { Read } from "./types.ts";

/** `channel` is a linked channel; the others are API keys. */
export type CredentialKind = "video-key" | "channel" | "background-key";

/** What may be shown about a credential. */
export interface CredentialFacts {
  readonly kind: CredentialKind;
  /** Discord user id of the person who entered it. */
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Of a linked channel. */
  readonly channelId?: string;
  /** Of a linked channel, as it was called when it was linked. */
  readonly channelTitle?: string;
  /** When that title was last read from the service. Milliseconds since the epoch. */
  readonly titleReadAt?: number;
  /** What the channel's owner consented to, without the address prefix: `youtube.force-ssl`. */
  readonly scopes?: readonly string[];
  /** What people of the server call a linked channel, where that differs from its title. */
  readonly name?: string;
  /** What a linked channel's secret is: `refresh` when absent. */
  readonly grant?: "refresh" | "access";
  /** When an access token that can't be renewed is over. Milliseconds since the epoch. */
  readonly endsAt?: number;
  /** Since when the authorisation service calls the consent over. Milliseconds since the epoch. */
  readonly brokenAt?: number;
}

export interface Credential extends CredentialFacts {
  /** The key; of a linked channel its refresh token, or an access token (`grant`). */
  readonly secret: string;
}

/** A server that has linked a channel. */
export interface ChannelHolder {
  readonly guildId: string;
  /** The authorisation service called its consent over. */
  readonly isBroken: boolean;
}

/** What may change about a linked channel; `undefined` removes, what is left out stays. */
export interface ChannelChange {
  readonly name?: string | undefined;
  readonly channelTitle?: string | undefined;
  readonly titleReadAt?: number | undefined;
  readonly brokenAt?: number | undefined;
}

/** Sealed with AES-256-GCM; guild, kind and field are bound in, so a row moved to another guild does not open. */
export interface Credentials {
  /** Of the linked channels that one, or the server's default. */
  read(guildId: string, kind: CredentialKind, channelId?: string): Promise<Read<Credential>>;
  /** Every linked channel, the default first; absent when there is none. */
  channels(guildId: string): Promise<Read<readonly Credential[]>>;
  /**
   * A linked channel stands beside the others, or replaces itself; the first one is the default.
   * @throws ServiceError `store_unavailable`; InputError `too_many_channels`; nothing is changed then.
   */
  write(guildId: string, credential: Credential): Promise<void>;
  /**
   * Answers whether that channel is linked and, as it is at that moment, was to be changed.
   * @throws ServiceError `store_unavailable`.
   */
  changeChannel(
    guildId: string,
    channelId: string,
    change: ChannelChange,
    when?: (current: Credential) => boolean,
  ): Promise<boolean>;
  /** Answers whether that channel is linked. @throws ServiceError `store_unavailable`. */
  chooseDefault(guildId: string, channelId: string): Promise<boolean>;
  /** Which servers have linked a channel, those whose link works first; at most 100. @throws ServiceError `store_unavailable`. */
  holdersOf(channelId: string): Promise<readonly ChannelHolder[]>;
  /**
   * Forgets what linked channels are called, where that was read before then; answers of how many. The names that
   * servers gave them stay. @throws ServiceError `store_unavailable`.
   */
  dropTitles(readBefore: number): Promise<number>;
  /** One linked channel, or all of them without an id. Answers whether there was one. @throws ServiceError `store_unavailable`. */
  remove(guildId: string, kind: CredentialKind, channelId?: string): Promise<boolean>;
}

/** An access token of a linked channel; times in milliseconds since the epoch. */
export interface AccessToken {
  readonly token: string;
  /** SHA-256, in hex, of the refresh token that it came from: after a new link it is another's. */
  readonly grantHash: string;
  /** From then on another one is fetched. */
  readonly renewAt: number;
  /** From then on it is used no more, and the record is gone. */
  readonly endsAt: number;
}

/** Sealed; what one process refreshed, the others use. */
export interface AccessTokens {
  read(guildId: string, channelId: string): Promise<Read<AccessToken>>;
  /** @throws ServiceError `store_unavailable`. */
  write(guildId: string, channelId: string, token: AccessToken): Promise<void>;
  /** @throws ServiceError `store_unavailable`. */
  remove(guildId: string, channelId: string): Promise<void>;
}
