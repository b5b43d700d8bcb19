import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import { RESTJSONErrorCodes as Codes } from "discord-api-types/v10";
import { AccessError, BotError, LimitError, NetworkError, ServiceError } from "../../../errors.ts";
import { asMaybeDone } from "../../../ownership.ts";
import { channelClosed } from "../../declare/text-channel.ts";
import { discordErrorFacts } from "../../discord-error-facts.ts";
import { sendUntilDone } from "../../wire/send.ts";

/** The request that failed. */
export interface MessageRequest {
  readonly what: "post" | "edit" | "remove" | "look";
  /** Whether the message is a forum's post, or becomes one. */
  readonly isForum?: boolean;
  /** Whether it may have been done although no answer says so. */
  readonly mayBeDone?: boolean;
  /** It must not arrive twice, so it is sent once. */
  readonly isOnce?: boolean;
  /** What Discord's refusals mean for it, where that is not what they usually mean. */
  readonly refusal?: (error: DiscordAPIError) => BotError | undefined;
  /** What a 429 with a longer wait means for it; `discord_limit` when absent. */
  readonly limit?: "discord_publish_limit";
}

/**
 * Sends until there is an answer, unless the request must not arrive twice.
 * @throws what `messageError` makes of it
 */
export async function askDiscord<T>(
  request: MessageRequest,
  send: () => Promise<T>,
  { random, now }: { readonly random: () => number; readonly now: () => number },
): Promise<T> {
  let mayBeDone = false;
  try {
    const tryOnce = () =>
      send().catch((error: unknown) => {
        mayBeDone ||= request.what !== "look" && mayHaveArrived(error);
        throw longLimit(error, { ...request, mayBeDone }, now()) ?? error;
      });
    return await sendUntilDone({ random }, tryOnce, request.isOnce === true ? 1 : undefined);
  } catch (error) {
    throw messageError(error, { ...request, mayBeDone });
  }
}

/** Nobody waits longer than this for one request; whoever sent it comes back later. */
const longestWaitMs = 60_000;

/** The error for a 429 that asks for a wait longer than `longestWaitMs`; undefined for anything else. */
export function longLimit(
  error: unknown,
  { limit, mayBeDone }: MessageRequest,
  now: number,
): LimitError | undefined {
  if (!(error instanceof RateLimitError) || error.retryAfter <= longestWaitMs) return undefined;
  return new LimitError(`Discord asks to wait ${error.retryAfter} ms`, {
    code: limit ?? "discord_limit",
    outcome: mayBeDone === true ? "unknown" : "nothing",
    retryAt: new Date(now + error.retryAfter),
    cause: error,
  });
}

/** Turns Discord's refusal into an error of ours; errors of ours stay as they are. */
export function messageError(error: unknown, request: MessageRequest): unknown {
  if (error instanceof BotError) return request.mayBeDone === true ? asMaybeDone(error) : error;
  if (error instanceof TypeError) return error;
  if (error instanceof DiscordAPIError) return request.refusal?.(error) ?? errorFor(error, request);
  const isLost = request.mayBeDone === true;
  const outcome = isLost ? "unknown" : "nothing";
  const given = { outcome, facts: isLost ? { isUndecided: true } : {}, cause: error } as const;
  if (error instanceof HTTPError || error instanceof RateLimitError) {
    return new ServiceError("Discord has trouble", { code: "discord_down", ...given });
  }
  const code = isLost ? "discord_lost" : "discord_unreachable";
  return new NetworkError("no answer of Discord's", { code, ...given });
}

/** Whether the message, or the post that it began, is not there. */
export function isMessageGone(error: unknown): boolean {
  return hasCode(error, Codes.UnknownMessage, Codes.UnknownChannel);
}

/** Whether the bot lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, Codes.MissingAccess, Codes.MissingPermissions, Codes.ThreadLocked);
}

/** Whether the request may have arrived although it failed with this. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof RateLimitError || error instanceof DiscordAPIError) return false;
  // Errors of ours are thrown before anything is sent.
  if (error instanceof BotError) return false;
  return !notSent.has(String((error as { readonly code?: unknown }).code));
}

/** Codes of connections that were never made. */
const notSent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function hasCode(error: unknown, ...wanted: readonly number[]): boolean {
  return error instanceof DiscordAPIError && wanted.includes(Number(error.code));
}

function errorFor(error: DiscordAPIError, request: MessageRequest): BotError {
  const { what, isForum, mayBeDone } = request;
  switch (error.code) {
    case Codes.UnknownGuild:
      return discordChannelGone(error);
    case Codes.UnknownChannel:
      // A post is a channel as well, and its forum may be there without it.
      if (what !== "edit" || isForum !== true) return discordChannelGone(error);
      return messageGone(error);
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
      // https://docs.discord.com/developers/topics/threads#active-archived-threads
      return new ServiceError("the server has no room for another open post", {
        code: "discord_posts_full",
        cause: error,
      });
    default:
      return new ServiceError(`Discord refused it with ${error.status}, ${error.code}`, {
        code: "discord_refused",
        facts: discordErrorFacts(error),
        outcome: mayBeDone === true ? "unknown" : "nothing",
        cause: error,
      });
  }
}

export function discordChannelGone(cause?: unknown): AccessError {
  return new AccessError("the channel is gone", { code: "discord_channel_gone", cause });
}

function messageGone(cause: unknown): AccessError {
  return new AccessError("the message is gone or locked", { code: "discord_message_gone", cause });
}
