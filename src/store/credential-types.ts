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

/** What may change about a linked channel; `undefined` removes, what is left out stays. */
export type ChannelChange = {
  readonly [F in "name" | "channelTitle" | "titleReadAt" | "brokenAt"]?: Credential[F] | undefined;
};
