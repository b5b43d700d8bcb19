import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
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

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const codes = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
  unknownMessage: 10_008,
  unknownTag: 10_087,
  missingAccess: 50_001,
  missingPermissions: 50_013,
  archived: 50_083,
  locked: 160_005,
  postsFull: 160_006,
} as const;

/** Why the platform did not do something in a channel, in our words; our own faults as they are. */
export function failureOf(error: unknown, doing: Doing): unknown {
  if (error instanceof BotError || error instanceof TypeError) return error;
  if (error instanceof DiscordAPIError) return refusal(error, doing);
  return unanswered(error, doing.isLeft === true ? "unknown" : "nothing");
}

/** Whether that answer says that the message, or the post that it began, is not there. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, codes.unknownMessage, codes.unknownChannel);
}

/** Whether the bot may not do it. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, codes.missingAccess, codes.missingPermissions, codes.locked);
}

/** Whether a post has to be taken out of the archive first. */
export function isArchived(error: unknown): boolean {
  return hasCode(error, codes.archived);
}

/** Whether what is known of the forum's tags is no longer so. */
export function isStale(error: unknown): boolean {
  return error instanceof BotError && hasCode(error.cause, codes.unknownTag);
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
    case codes.unknownGuild:
      return channelGone(error);
    case codes.unknownChannel:
      // A post is a channel as well, and its forum may be there without it.
      return what === "edit" && isForum === true ? messageGone(error) : channelGone(error);
    case codes.unknownMessage:
    case codes.archived:
    case codes.locked:
      return messageGone(error);
    case codes.missingAccess:
      return channelClosed("view", error);
    case codes.missingPermissions:
      if (what === "look") return channelClosed("history", error);
      return channelClosed(isForum === true ? "forum" : "send", error);
    case codes.postsFull:
      return postsFull(error);
    default:
      return new ServiceError(`Discord refused it with ${error.status}, ${error.code}`, {
        code: "discord_refused",
        hint: "Discord did not take it. Try again in a minute.",
        facts: { status: error.status },
        outcome: doing.isLeft === true ? "unknown" : "nothing",
        cause: error,
      });
  }
}

export function channelGone(cause?: unknown): AccessError {
  return new AccessError("the channel is gone", {
    code: "discord_channel_gone",
    hint: "The channel was deleted, or I can no longer reach it. Choose another one.",
    cause,
  });
}

/** https://docs.discord.com/developers/topics/threads#active-archived-threads */
function postsFull(cause: unknown): ServiceError {
  return new ServiceError("the server has no room for another open post", {
    code: "discord_posts_full",
    hint: "The server has a thousand open posts and threads. Close some; closed ones don't count.",
    cause,
  });
}

function messageGone(cause: unknown): AccessError {
  return new AccessError("the message is gone or locked", {
    code: "discord_message_gone",
    hint: "Somebody deleted the message, or locked its post.",
    cause,
  });
}

function unanswered(cause: unknown, outcome: Outcome): BotError {
  const isLost = outcome === "unknown";
  const facts = isLost ? { isUndecided: true } : {};
  if (cause instanceof HTTPError || cause instanceof RateLimitError) {
    return new ServiceError("Discord has trouble", {
      code: "discord_down",
      hint: "Discord has trouble right now. Try again in a few minutes.",
      ...{ outcome, facts, cause },
    });
  }
  return new NetworkError("no answer of Discord's", {
    code: isLost ? "discord_lost" : "discord_unreachable",
    hint: "Discord can't be reached right now. Try again in a few minutes.",
    ...{ outcome, facts, cause },
  });
}
