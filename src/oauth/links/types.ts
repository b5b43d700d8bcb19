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
  /** What was ticked and not granted. */
  readonly missing?: readonly Permission[];
}

/** Who decides over a consent that waits, and where. */
export interface Decider {
  readonly guildId: string;
  readonly userId: string;
}

/**
 * The link flow (reliability.md 3): everything that is kept between its steps is sealed, found by 256 random bits, and
 * gone after 10 minutes. `browser` is 256 random bits in a cookie: the steps of one link belong to the browser that took
 * the first of them. A person has one link a guild: another one ends it, and so does its own end. All of it also throws
 * ServiceError `store_unavailable`, and then the same step may be tried again.
 */
export interface Links {
  /** @throws ConnectError `oauth_client_missing` or `links_closed` where the bot has no registration or no public address. */
  begin(ask: LinkAsk): Promise<LinkStart>;
  /** Changes nothing. @throws AccessError `link_over` for an unknown, used or old one, `link_other_browser`. */
  visit(ticket: string, browser: string): Promise<Visit>;
  /** Where the browser proves its Discord identity. @throws as `visit`. */
  identify(ticket: string, browser: string): Promise<URL>;
  /**
   * Takes the answer to that; gives the page's ticket back.
   * @throws as `visit`; AccessError `link_other_person`; ConnectError `identity_denied` when the person cancels there, and the
   * link stays open; ServiceError `identity_unproven` when Discord does not say.
   */
  identified(answer: URL, browser: string): Promise<string>;
  /**
   * The authorisation endpoint's page for what was ticked, and always for reading, or nobody would learn which channel
   * it is. The page may be left and asked for again.
   * @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`.
   */
  authorise(ticket: string, browser: string, ticked: readonly Permission[]): Promise<URL>;
  /**
   * Takes the answer to that: exchanges the code, reads the channel, and has the requester asked in Discord. Until then
   * nothing is linked; what is never confirmed is ended at the service.
   * @throws as `visit`; ConnectError `consent_denied`, `code_refused`, `no_refresh_token`, `read_not_granted`,
   * `no_channel` and those of the token endpoint; NetworkError `link_interrupted`; what `channelsOf` and `onPending` throw.
   */
  answered(answer: URL, browser: string): Promise<PendingLink>;
  /**
   * Stores the link, in place of an earlier one of the same channel. Only whom it was made for may.
   * @throws AccessError `link_over`, `under_way`; InputError `too_many_channels`, and then it may be tried again.
   */
  confirm(handle: string, by: Decider): Promise<PendingLink>;
  /** Ends the consent at the service, unless that channel is linked somewhere. @throws AccessError `link_over`, `under_way`. */
  decline(handle: string, by: Decider): Promise<void>;
}
