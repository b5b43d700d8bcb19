import type { ConsentedChannel, LinkStart, PendingLink, Permission } from "../../oauth/index.ts";

/** What a token is that somebody enters. */
export type TokenKind = "refresh" | "access";

export interface EnteredToken {
  readonly kind: TokenKind;
  readonly token: string;
  /** What the channel is to be called here. */
  readonly name?: string | undefined;
}

/** A token that was tried and waits to be confirmed; the token itself lies sealed in the store. */
export interface EnteredLink {
  /** 10 minutes. */
  readonly handle: string;
  readonly channel: ConsentedChannel;
  readonly permissions: readonly Permission[];
  readonly name?: string;
  /** Of an access token, which can't be renewed. */
  readonly endsAt?: Date;
}

/** How the person links channels to this guild. All of it throws ServiceError `store_unavailable`. */
export interface GuildLinks {
  /**
   * Begins a link on a page of ours; the question whether to keep it comes in place of this interaction's answer.
   * @throws ConnectError `links_closed`, `oauth_client_missing`
   */
  begin(permissions: readonly Permission[]): Promise<LinkStart>;
  /** @throws AccessError `link_over`, `under_way`; InputError `too_many_channels` */
  confirm(handle: string): Promise<PendingLink>;
  /** Ends the consent at the service. @throws AccessError `link_over`, `under_way` */
  decline(handle: string): Promise<void>;
  /**
   * Tries a token and reads its channel, a unit; stores nothing that acts yet.
   * @throws ConnectError `token_not_accepted`, `scope_missing`, `no_channel`, `oauth_client_missing`
   */
  enter(token: EnteredToken): Promise<EnteredLink>;
  /** Stores what was entered. @throws AccessError `token_over`; InputError `too_many_channels` */
  keep(handle: string): Promise<EnteredLink>;
  /** Forgets what was entered. @throws AccessError `token_over` */
  drop(handle: string): Promise<void>;
}
