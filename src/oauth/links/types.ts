import type { Permission } from "../permissions.ts";

/** Where the question whether to keep a link is shown; JSON-shaped. Good for 15 minutes. */
export interface AnswerTo {
  readonly applicationId: string;
  /** Of the interaction that started the link; a secret. */
  readonly interactionToken: string;
  /** The person's language. */
  readonly locale: string;
}

/** Who wants to link a channel to what. */
export interface LinkAsk {
  readonly guildId: string;
  readonly guildName: string;
  readonly userId: string;
  readonly userName: string;
  /** Ticked beforehand on the page. */
  readonly permissions: readonly Permission[];
  readonly answerTo: AnswerTo;
}

export interface LinkStart {
  /** The page, which only works for whom it was made. */
  readonly url: string;
  /** To be compared with the page's, like `K7-R4`; undefined where the browser proves who it is instead. */
  readonly code: string | undefined;
  readonly endsAt: Date;
}

/** What the page shows. Names are as people wrote them: escape them. */
export interface Visit {
  readonly guildName: string;
  readonly userName: string;
  readonly code: string | undefined;
  /** Whether the browser has to prove its Discord identity before it goes on. */
  readonly wantsIdentity: boolean;
  readonly permissions: readonly Permission[];
  readonly endsAt: Date;
}

/** A channel that was read with a new consent. */
export interface ConsentedChannel {
  readonly channelId: string;
  readonly title: string;
  readonly thumbnailUrl?: string;
  readonly subscribers?: number;
}

/** A consent that its requester has still to confirm in Discord. */
export interface PendingLink {
  /** One use, 10 minutes; goes into the state of the confirming button. */
  readonly handle: string;
  readonly guildId: string;
  readonly userId: string;
  readonly answerTo: AnswerTo;
  readonly channel: ConsentedChannel;
  /** What was really granted, which may be less than was ticked. */
  readonly permissions: readonly Permission[];
}

/**
 * The link flow (reliability.md 3): everything that is kept between its steps is sealed, found by 256 random bits, and
 * gone after 10 minutes. `browser` is 256 random bits in a cookie: the steps of one link belong to one browser.
 */
export interface Links {
  /** @throws ConnectError `links_closed` where the bot has no registration or no public address; ServiceError `store_unavailable`. */
  begin(ask: LinkAsk): Promise<LinkStart>;
  /** @throws AccessError `link_over` for an unknown, used or old one, `link_other_browser`. */
  visit(ticket: string, browser: string): Promise<Visit>;
  /** Where the browser proves its Discord identity. @throws as `visit`. */
  identify(ticket: string, browser: string): Promise<URL>;
  /** Takes the answer to that; gives the ticket back. @throws as `visit`; AccessError `link_other_person`. */
  identified(answer: URL, browser: string): Promise<string>;
  /** The authorisation endpoint's page for what was ticked. @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`. */
  authorise(ticket: string, browser: string, ticked: readonly Permission[]): Promise<URL>;
  /**
   * Takes the answer to that: exchanges the code, reads the channel, and has the requester asked in Discord.
   * @throws as `visit`; ConnectError `consent_denied`, `no_refresh_token`, `no_channel` and those of the token endpoint.
   */
  answered(answer: URL, browser: string): Promise<PendingLink>;
  /** Stores the link. Only whom it was made for may. @throws AccessError `link_over`. */
  confirm(
    handle: string,
    by: { readonly guildId: string; readonly userId: string },
  ): Promise<PendingLink>;
  /** Ends the consent at the service. @throws AccessError `link_over`. */
  decline(handle: string, by: { readonly guildId: string; readonly userId: string }): Promise<void>;
}
