import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";
import { RESTJSONErrorCodes as Codes } from "discord-api-types/v10";
import {
  AccessError,
  BotError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../../errors.ts";
import type { ExpressionKind } from "../../declare/expressions.ts";
import { discordErrorFacts } from "../../discord-error-facts.ts";

/** Whether it may have been made although no answer says so. */
export function isLost(error: unknown): boolean {
  if (error instanceof RateLimitError || error instanceof BotError) return false;
  return !(error instanceof DiscordAPIError) || error.status >= 500;
}

/** Turns Discord's refusal of an emoji or a sticker into an error of ours. */
export function expressionError(error: unknown, kind: ExpressionKind, now: number): BotError {
  if (error instanceof BotError) return error;
  if (error instanceof RateLimitError) {
    const retryAt = new Date(now + error.retryAfter);
    const message = `Discord asks to wait ${error.retryAfter} ms`;
    return new LimitError(message, { code: "expression_rate", retryAt });
  }
  if (!(error instanceof DiscordAPIError)) return undecided(error);
  switch (error.code) {
    case Codes.MissingAccess:
    case Codes.MissingPermissions:
      return botMayNot(error);
    case Codes.MaximumNumberOfEmojisReached:
      return full("emoji_slots", error);
    case Codes.MaximumNumberOfPremiumEmojisReached:
      return full("emoji_premium_slots", error);
    case Codes.MaximumNumberOfStickersReached:
      return full("sticker_slots", error);
    case Codes.InvalidFormBodyOrContentType:
      return unaccepted(kind, refusedField(error.rawError), error);
    case Codes.InvalidFileUploaded:
      return unaccepted(kind, "picture", error);
    case Codes.RequestEntityTooLarge:
    case Codes.FileUploadedExceedsMaximumSize:
    case Codes.FailedToResizeAssetBelowTheMinimumSize:
      return new InputError(`Discord finds the ${kind} too large`, {
        code: "expression_too_large",
        facts: { kind },
        cause: error,
      });
  }
  return new ServiceError(`Discord refused it with ${error.status}, ${error.code}`, {
    code: "discord_refused",
    facts: discordErrorFacts(error),
    cause: error,
  });
}

/** For a request that may or may not have made something. */
export function undecided(cause: unknown): BotError {
  const isAnswered = cause instanceof HTTPError;
  const Kind = isAnswered ? ServiceError : NetworkError;
  return new Kind("Discord's answer was lost; nobody knows whether it was added", {
    code: isAnswered ? "discord_down" : "discord_lost",
    outcome: "unknown",
    facts: { isUndecided: true, lookAt: "expressions" },
    cause,
  });
}

export function personMayNot(): AccessError {
  return new AccessError("the person may not create expressions", {
    code: "expression_not_allowed",
  });
}

export function botMayNot(cause?: unknown): AccessError {
  return new AccessError("this bot may not create expressions", {
    code: "expression_permission",
    cause,
  });
}

function full(
  code: "emoji_slots" | "emoji_premium_slots" | "sticker_slots",
  cause: unknown,
): LimitError {
  return new LimitError(`no room: ${code}`, { code, cause });
}

function unaccepted(kind: ExpressionKind, place: Place, cause: DiscordAPIError): InputError {
  return new InputError(`Discord refused the ${kind}: ${place}`, {
    code: "expression_refused",
    facts: { ...discordErrorFacts(cause), kind, place },
    cause,
  });
}

type Place = "name" | "description" | "tags" | "picture" | "other";

const places: Readonly<Record<string, Place>> = {
  name: "name",
  description: "description",
  tags: "tags",
  image: "picture",
  file: "picture",
};

/** The first field that Discord's refusal names. */
function refusedField(raw: DiscordAPIError["rawError"]): Place {
  const errors = "errors" in raw ? raw.errors : undefined;
  const [field = ""] = Object.keys(typeof errors === "object" ? errors : {});
  return places[field] ?? "other";
}
