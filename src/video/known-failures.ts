import {
  AccessError,
  type BotError,
  type BotErrorOptions,
  ConnectError,
  InputError,
  LimitError,
  ServiceError,
} from "../errors.ts";

/** How one reason of the service is told. */
export interface Known {
  readonly kind: "input" | "access" | "connect" | "limit" | "service";
  readonly code: string;
  readonly hint: string;
}

const relink = "The link to the channel no longer works. Link the channel again.";
const noChannel = "This account has no channel. Link an account that has one.";
const operator = "Ask whoever manages this server to check the API key and its settings.";
const isThere = "It is already there; nothing had to be done.";

/** Reasons that need their own words; the others go by their ending or their status. */
const reasons: Readonly<Record<string, Known>> = {
  keyInvalid: connect("key_invalid", "The API key was refused. Enter it again or make a new one."),
  keyExpired: connect("key_expired", "The API key has expired. Make a new one and enter it."),
  accessNotConfigured: connect(
    "access_not_configured",
    `The video service is not switched on for this API key. ${operator}`,
  ),
  sslRequired: connect("ssl_required", `The service's address must start with https. ${operator}`),
  authError: connect("auth", relink),
  authorizationRequired: connect("auth", relink),
  expired: connect("auth", relink),
  insufficientPermissions: connect(
    "insufficient_permissions",
    "The link to the channel lacks a permission. Link it again and leave every box ticked.",
  ),
  youtubeSignupRequired: connect("no_channel", noChannel),
  authenticatedUserNotChannel: connect("no_channel", noChannel),
  commentsDisabled: access("comments_disabled", "Comments are switched off for this video."),
  forbidden: access("forbidden", "The account has no right to do that."),
  videoRatingDisabled: access("video_rating_disabled", "Ratings are switched off for this video."),
  playlistItemsNotAccessible: access(
    "playlist_items_not_accessible",
    "This playlist is private. Only its owner can open it.",
  ),
  watchHistoryNotAccessible: access(
    "watch_history_not_accessible",
    "The watch history can't be opened from outside the site.",
  ),
  watchLaterNotAccessible: access(
    "watch_later_not_accessible",
    "The Watch later list can't be opened from outside the site.",
  ),
  playlistContainsMaximumNumberOfVideos: access(
    "playlist_contains_maximum_number_of_videos",
    "The playlist is full. Remove something first or make another one.",
  ),
  invalidPageToken: input("invalid_page_token", "This page is no longer there. Start over."),
  processingFailure: input(
    "processing_failure",
    "The service could not do that. It may have been deleted meanwhile.",
  ),
  commentTextRequired: input("comment_text_required", "The comment has no text. Write one."),
  commentTextTooLong: input("comment_text_too_long", "The comment is too long. Shorten it."),
  uploadTooLarge: input("upload_too_large", "The file is too large. Choose a smaller one."),
  subscriptionDuplicate: input("subscription_duplicate", isThere),
  captionExists: input("caption_exists", "There is a track of that language and name already."),
  videoAlreadyInPlaylist: input("video_already_in_playlist", isThere),
  duplicate: input("duplicate", isThere),
  uploadLimitExceeded: limit(
    "upload_limit_exceeded",
    "The channel has reached its own upload limit. Try again tomorrow.",
  ),
  uploadRateLimitExceeded: limit(
    "upload_rate_limit_exceeded",
    "The channel changed its pictures too often. Try again in some hours.",
  ),
};

/** What a reason stands for, where the reason alone decides. */
export function known(reason: string, status: number): Known | undefined {
  if (reason === "required" && status === 401) return connect("auth", relink);
  if (Object.hasOwn(reasons, reason)) return reasons[reason];
  if (/NotFound$/.test(reason)) return input(snakeCase(reason), notFound(reason));
  return undefined;
}

/** What a status stands for, where the reason is unknown or missing. */
export function knownByStatus(status: number, reason?: string): Known {
  if (reason !== undefined && Object.hasOwn(reasons, reason)) {
    const listed = reasons[reason];
    if (listed) return listed;
  }
  const code = reason === undefined ? undefined : snakeCase(reason);
  if (status === 401) return connect("auth", relink);
  if (status === 403) return access(code ?? "forbidden", "The account has no right to do that.");
  if (status === 404 || status === 410) {
    return input(code ?? "not_found", "It can't be found. It may be private or deleted.");
  }
  if (status >= 400 && status < 500) {
    return input(
      code ?? "invalid_parameter",
      "The video service did not accept that. Check what was entered.",
    );
  }
  if (status >= 500) {
    return service(
      "service_unavailable",
      "The video service has trouble right now. Try again in a few minutes.",
    );
  }
  return service(
    "unexpected_answer",
    `The video service answered in an unexpected way. ${operator}`,
  );
}

const classes = {
  input: InputError,
  access: AccessError,
  connect: ConnectError,
  limit: LimitError,
  service: ServiceError,
} as const;

export function build(
  { kind, code, hint }: Known,
  message: string,
  options: Pick<BotErrorOptions, "facts" | "outcome">,
): BotError {
  return new classes[kind](message, { ...options, code, hint });
}

/** `playlistItemNotFound` -> "playlist item". */
function notFound(reason: string): string {
  const noun = snakeCase(reason.replace(/NotFound$/, "")).replaceAll("_", " ");
  return `That ${noun} can't be found. It may be private or deleted.`;
}

function snakeCase(reason: string): string {
  return reason.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function input(code: string, hint: string): Known {
  return { kind: "input", code, hint };
}

function access(code: string, hint: string): Known {
  return { kind: "access", code, hint };
}

function connect(code: string, hint: string): Known {
  return { kind: "connect", code, hint };
}

function limit(code: string, hint: string): Known {
  return { kind: "limit", code, hint };
}

function service(code: string, hint: string): Known {
  return { kind: "service", code, hint };
}
