import {
  RESTJSONErrorCodes as Codes,
  DiscordAPIError,
  HTTPError,
  RateLimitError,
} from "discord.js";
import {
  AccessError,
  BotError,
  NetworkError,
  type Outcome,
  ServiceError,
} from "../../../errors.ts";
import { channelClosed } from "../../declare/text-channel.ts";

/** What was being done when it failed. */
export interface Doing {
  readonly what: "post" | "edit" | "remove" | "look";
  /** Whether it is a post of a forum, or to become one. */
  readonly isForum?: boolean;
  /** Whether it may have been done although no answer says so. */
  readonly isLeft?: boolean;
}

/** Why the platform did not do something in a channel, in our words; our own faults as they are. */
export function failureOf(error: unknown, doing: Doing): unknown {
  if (error instanceof BotError || error instanceof TypeError) return error;
  if (error instanceof DiscordAPIError) return refusal(error, doing);
  return unanswered(error, doing.isLeft === true ? "unknown" : "nothing");
}

/** Whether that answer says that the message, or the post that it began, is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, Codes.UnknownMessage, Codes.UnknownChannel);
}

/** Whether the bot may not do it. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, Codes.MissingAccess, Codes.MissingPermissions, Codes.ThreadLocked);
}

/** Whether a post has to be taken out of the archive first. */
export function isArchived(error: unknown): boolean {
  return hasCode(error, Codes.InvalidActionOnArchivedThread);
}

/** Whether what is known of the forum's tags is no longer so. */
export function isStale(error: unknown): boolean {
  return error instanceof BotError && hasCode(error.cause, Codes.UnknownTag);
}

/** Whether it may have arrived although this came back. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof RateLimitError || error instanceof DiscordAPIError) return false;
  return !notSent.has(String((error as { readonly code?: unknown }).code));
}

/** A connection that was never there. */
const notSent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function hasCode(error: unknown, ...wanted: readonly number[]): boolean {
  return error instanceof DiscordAPIError && wanted.includes(Number(error.code));
}

function refusal(error: DiscordAPIError, doing: Doing): BotError {
  const { what, isForum } = doing;
  switch (error.code) {
    case Codes.UnknownGuild:
      return channelGone(error);
    case Codes.UnknownChannel:
      // A post is a channel as well, and its forum may be there without it.
      return what === "edit" && isForum === true ? messageGone(error) : channelGone(error);
    case Codes.UnknownMessage:
    case Codes.InvalidActionOnArchivedThread:
    case Codes.ThreadLocked:
      return messageGone(error);
    case Codes.MissingAccess:
      return channelClosed("view", error);
    case Codes.MissingPermissions:
      if (what === "look") return channelClosed("history", error);
      return channelClosed(isForum === true ? "forum" : "send", error);
    case Codes.MaximumActiveThreads:
      return postsFull(error);
    default:
      return new ServiceError(`Discord refused it with ${error.status}, ${error.code}`, {
        code: "discord_refused",
        facts: { status: error.status },
        outcome: doing.isLeft === true ? "unknown" : "nothing",
        cause: error,
      });
  }
}

export function channelGone(cause?: unknown): AccessError {
  return new AccessError("the channel is gone", { code: "discord_channel_gone", cause });
}

/** https://docs.discord.com/developers/topics/threads#active-archived-threads */
function postsFull(cause: unknown): ServiceError {
  return new ServiceError("the server has no room for another open post", {
    code: "discord_posts_full",
    cause,
  });
}

function messageGone(cause: unknown): AccessError {
  return new AccessError("the message is gone or locked", { code: "discord_message_gone", cause });
}

function unanswered(cause: unknown, outcome: Outcome): BotError {
  const isLost = outcome === "unknown";
  const facts = isLost ? { isUndecided: true } : {};
  if (cause instanceof HTTPError || cause instanceof RateLimitError) {
    return new ServiceError("Discord has trouble", {
      code: "discord_down",
      ...{ outcome, facts, cause },
    });
  }
  return new NetworkError("no answer of Discord's", {
    code: isLost ? "discord_lost" : "discord_unreachable",
    ...{ outcome, facts, cause },
  });
}
