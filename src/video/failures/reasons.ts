/** The meaning of a reason that YouTube gives. */
export interface KnownFailure {
  readonly kind: "input" | "access" | "connect" | "limit" | "service";
  /** The reason in snake_case when absent. */
  readonly code?: string;
  /** What was asked for exists already, so the person has what they wanted. */
  readonly isThere?: true;
  /** It leaves open what is wrong; YouTube's text says more. */
  readonly isVague?: true;
}

type KnownFailures = Readonly<Record<string, KnownFailure>>;

/** The person gave something that can't be used. */
const input = { kind: "input" } as const;
const vagueInput = { kind: "input", isVague: true } as const;
const isThere = { kind: "input", isThere: true } as const;
const access = { kind: "access" } as const;
const vagueAccess = { kind: "access", isVague: true } as const;
/** A key, a linked account or a setting of the operator must be repaired. */
const connect = { kind: "connect" } as const;
const vagueConnect = { kind: "connect", isVague: true } as const;
const refusedLink = { kind: "connect", code: "auth" } as const;
const noChannel = { kind: "connect", code: "no_channel" } as const;
const refusedClient = { kind: "connect", code: "oauth_client_refused" } as const;
const limit = { kind: "limit" } as const;
const tooFast = { kind: "limit", code: "rate_limited" } as const;
const vagueService = { kind: "service", isVague: true } as const;
const service = { kind: "service" } as const;
const unavailable = { kind: "service", code: "service_unavailable" } as const;

/**
 * OAuth's own words: in a body like `{"error":"invalid_grant"}`, or in a WWW-Authenticate header.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2, https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export const oauthFailures: KnownFailures = {
  invalid_grant: connect,
  invalid_token: refusedLink,
  insufficient_scope: { kind: "connect", code: "insufficient_permissions" },
  invalid_client: refusedClient,
  unauthorized_client: refusedClient,
  deleted_client: refusedClient,
  redirect_uri_mismatch: refusedClient,
  unsupported_grant_type: refusedClient,
  invalid_scope: refusedClient,
  access_denied: connect,
  admin_policy_enforced: connect,
  org_internal: connect,
  expired_token: connect,
  authorization_pending: limit,
  slow_down: tooFast,
  rate_limit_exceeded: tooFast,
  temporarily_unavailable: unavailable,
  server_error: unavailable,
};

/**
 * By the reason that YouTube gives. Where the same word has a second meaning, the status, the method or its verb follows it:
 * `channelNotFound 403`, `subscriberNotFound subscriptions.insert`, `processingFailure list`.
 */
export const serviceFailures: KnownFailures = {
  // Keys, tokens, accounts and the project behind them.
  keyInvalid: connect,
  keyExpired: connect,
  accessNotConfigured: connect,
  ipRefererBlocked: { kind: "connect", code: "key_restricted" },
  projectGone: connect,
  sslRequired: connect,
  authError: refusedLink,
  authorizationRequired: refusedLink,
  "required 401": { ...refusedLink, isVague: true },
  expired: refusedLink,
  insufficientPermissions: connect,
  youtubeSignupRequired: noChannel,
  authenticatedUserNotChannel: noChannel,
  authenticatedUserAccountClosed: { kind: "connect", code: "account_closed" },
  authenticatedUserAccountSuspended: { kind: "connect", code: "account_suspended" },
  emailNotVerified: connect,
  ineligibleAccount: vagueConnect,
  accountDelegationForbidden: access,
  cmsUserAccountNotFound: { kind: "access", code: "partner_account_not_found" },
  insufficientCapabilities: vagueAccess,
  contentOwnerAccountNotFound: access,

  // What any method may refuse.
  badRequest: vagueInput,
  invalidParameter: vagueInput,
  invalidValue: vagueInput,
  required: vagueInput,
  missingRequiredParameter: vagueInput,
  unexpectedParameter: vagueInput,
  incompatibleParameters: vagueInput,
  invalidFilters: vagueInput,
  invalidCriteria: vagueInput,
  invalidPageToken: input,
  parseError: vagueInput,
  unknownPart: input,
  unexpectedPart: input,
  invalidPart: input,
  invalidLanguage: input,
  unsupportedLanguageCode: input,
  invalidRegionCode: input,
  unsupportedRegionCode: input,
  invalidMine: input,
  operationNotSupported: vagueInput,
  idInvalid: input,
  idRequired: input,
  processingFailure: vagueInput,
  "processingFailure list": { kind: "service", code: "reading_failed", isVague: true },
  failedPrecondition: vagueInput,
  homeParameterDeprecated: access,
  forbidden: vagueAccess,
  notFound: input,
  deleted: input,
  duplicate: isThere,
  conflict: vagueService,
  conditionNotMet: vagueService,
  requestedRangeNotSatisfiable: service,
  notModified: service,
  internalError: unavailable,
  backendError: unavailable,
  notReady: unavailable,
  // Only reports answer 400 when there are too many; all other methods answer 429 or 403.
  "rateLimitExceeded 400": { kind: "limit", code: "too_many_reports" },

  // Comments, threads and their moderation.
  commentsDisabled: access,
  commentNotFound: input,
  commentThreadNotFound: input,
  parentCommentNotFound: input,
  parentCommentIsPrivate: input,
  parentIdMissing: input,
  channelOrVideoIdMissing: input,
  commentTextRequired: input,
  commentTextTooLong: input,
  invalidCustomEmoji: input,
  invalidCommentMetadata: input,
  invalidCommentThreadMetadata: input,
  banWithoutReject: input,
  "operationNotSupported comments.insert": {
    kind: "access",
    code: "replies_not_allowed",
    isVague: true,
  },

  // Playlists, their items, and YouTube's own lists.
  playlistNotFound: input,
  playlistItemNotFound: input,
  playlistForbidden: access,
  playlistItemsNotAccessible: access,
  watchHistoryNotAccessible: access,
  watchLaterNotAccessible: access,
  playlistContainsMaximumNumberOfVideos: access,
  videoAlreadyInPlaylist: isThere,
  maxPlaylistExceeded: { kind: "input", code: "playlists_full" },
  invalidContentDetails: input,
  invalidPlaylistItemPosition: input,
  manualSortRequired: input,
  invalidResourceType: input,
  playlistIdRequired: input,
  resourceIdRequired: input,
  playlistOperationUnsupported: input,
  invalidPlaylistSnippet: input,
  playlistTitleRequired: input,

  // Channels, their sections, subscriptions, members and activities.
  channelNotFound: input,
  "channelNotFound 403": { kind: "access", code: "acting_channel_not_found" },
  channelClosed: access,
  channelSuspended: access,
  channelForbidden: access,
  categoryNotFound: input,
  homeChannelNotFound: input,
  brandingValidationError: vagueInput,
  channelTitleUpdateForbidden: input,
  websiteLinkNotAllowed: input,
  defaultLanguageNotSetError: input,
  localizationValidationError: vagueInput,
  channelSectionNotFound: input,
  channelSectionForbidden: access,
  notEditable: input,
  typeRequired: input,
  snippetNeeded: input,
  titleRequired: input,
  titleLengthExceeded: input,
  contentDetailsNeeded: input,
  inValidPosition: input,
  channelNotActive: input,
  channelsDuplicated: input,
  channelsNeeded: input,
  channelsNotExpected: input,
  ownChannelInChannels: input,
  playlistIsPrivate: input,
  playlistsDuplicated: input,
  playlistsNeeded: input,
  onePlaylistNeeded: input,
  playlistsNotExpected: input,
  maxChannelSectionExceeded: input,
  maxChannelsExceeded: input,
  "maxPlaylistExceeded channelSections.insert": input,
  "maxPlaylistExceeded channelSections.update": input,
  subscriptionNotFound: input,
  subscriptionDuplicate: isThere,
  subscriptionForbidden: access,
  "subscriptionForbidden 400": { kind: "access", code: "subscription_refused" },
  "subscriptionForbidden subscriptions.list": { kind: "access", code: "subscriptions_private" },
  publisherNotFound: input,
  publisherRequired: input,
  subscriberNotFound: input,
  "subscriberNotFound subscriptions.insert": noChannel,
  accountClosed: { kind: "access", code: "channel_closed" },
  accountSuspended: { kind: "access", code: "channel_suspended" },
  channelMembershipsNotEnabled: access,
  invalidMode: input,
  invalidHasAccessToLevel: input,
  invalidFilterByMemberChannelId: input,

  // Videos, searches, captions, pictures of a channel, and uploads.
  invalidSearchFilter: input,
  invalidChannelId: input,
  invalidLocation: input,
  invalidRelevanceLanguage: input,
  videoNotFound: input,
  videoChartNotFound: input,
  videoCategoryNotFound: input,
  invalidCategoryId: input,
  invalidTitle: input,
  invalidDescription: input,
  invalidTags: input,
  invalidPublishAt: input,
  invalidRecordingDetails: input,
  invalidFilename: input,
  invalidVideoMetadata: vagueInput,
  invalidDefaultBroadcastPrivacySetting: input,
  defaultLanguageNotSet: input,
  forbiddenPrivacySetting: access,
  forbiddenLicenseSetting: access,
  forbiddenEmbedSetting: access,
  videoRatingDisabled: access,
  videoPurchaseRequired: access,
  invalidRating: input,
  invalidAbuseReason: input,
  captionNotFound: input,
  captionExists: isThere,
  couldNotConvert: input,
  contentRequired: input,
  invalidMetadata: vagueInput,
  nameTooLong: input,
  invalidImage: input,
  imageFormatUnsupported: input,
  imageTooTall: input,
  imageTooWide: input,
  bannerAlbumFull: input,
  mediaBodyRequired: input,
  uploadTooLarge: input,
  uploadLimitExceeded: limit,
  uploadRateLimitExceeded: limit,
  notUpload: service,
  wrongUrlForUpload: service,
};
