/** `channel` is a linked channel; the others are API keys. */
export type CredentialKind = "video-key" | "channel" | "background-key";

/** What may be shown about a credential. */
export interface CredentialFacts {
  readonly kind: CredentialKind;
  /** Discord user id of the person who entered it. */
  readonly addedBy: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** For a linked channel. */
  readonly channelId?: string;
  /** For a linked channel: its title when it was last read. */
  readonly channelTitle?: string;
  /** When that title was last read from YouTube. Milliseconds since the epoch. */
  readonly titleReadAt?: number;
  /** What the channel's owner consented to, without the address prefix: `youtube.force-ssl`. */
  readonly scopes?: readonly string[];
  /** The name that the server gave a linked channel, if any. */
  readonly name?: string;
  /** Which kind of token a linked channel's secret is: `refresh` when absent. */
  readonly grant?: "refresh" | "access";
  /** When an access token that can't be renewed expires. Milliseconds since the epoch. */
  readonly endsAt?: number;
  /** Since when Google has refused the consent. Milliseconds since the epoch. */
  readonly brokenAt?: number;
  /** Of `background-key`: what removes backgrounds; `removebg` when absent. rembg has no key. */
  readonly engine?: "removebg" | "rembg";
  /** Of `background-key`: where that is, if not where the operator says. */
  readonly address?: string;
  /** Of `background-key`: it is not this server's own but the operator's, for all servers without one. It is not stored. */
  readonly isOperators?: true;
}

export interface Credential extends CredentialFacts {
  /** The key; for a linked channel its refresh token, or an access token (`grant`). */
  readonly secret: string;
}

/** A change to a linked channel; `undefined` removes a field, and fields that are left out stay. */
export type LinkedChannelChange = {
  readonly [F in "name" | "channelTitle" | "titleReadAt" | "brokenAt"]?: Credential[F] | undefined;
};
