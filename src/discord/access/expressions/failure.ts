import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import {
  AccessError,
  type BotError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../../errors.ts";
import type { ExpressionKind } from "../../declare/expressions.ts";

/** Whether it may have been made although no answer says so. */
export function isLost(error: unknown): boolean {
  if (error instanceof RateLimitError) return false;
  return !(error instanceof DiscordAPIError) || error.status >= 500;
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const codes = {
  missingAccess: 50_001,
  missingPermissions: 50_013,
  emojis: 30_008,
  premiumEmojis: 30_056,
  stickers: 30_039,
  form: 50_035,
  tooLarge: [40_005, 50_045, 50_138],
  invalidFile: 50_046,
} as const;

/** What Discord says of an emoji or a sticker that it did not take, in our words. */
export function refusalOf(error: unknown, kind: ExpressionKind, now: number): BotError {
  if (error instanceof RateLimitError) return tooMany(error, now);
  if (!(error instanceof DiscordAPIError)) return undecided(error);
  switch (error.code) {
    case codes.missingAccess:
    case codes.missingPermissions:
      return botMayNot(error);
    case codes.emojis:
      return full("emoji_slots", error);
    case codes.premiumEmojis:
      return full("emoji_premium_slots", error);
    case codes.stickers:
      return full("sticker_slots", error);
    case codes.form:
      return unaccepted(kind, placeOf(error.rawError), error);
    case codes.invalidFile:
      return unaccepted(kind, "picture", error);
  }
  if (codes.tooLarge.some((code) => code === error.code)) return tooLarge(kind, error);
  return new ServiceError(`Discord refused it with ${error.status}, ${error.code}`, {
    code: "discord_refused",
    hint: "Discord did not take it. Try again in a minute.",
    facts: { status: error.status },
    cause: error,
  });
}

/** Nobody knows whether it is there. */
export function undecided(cause: unknown): BotError {
  const isAnswered = cause instanceof HTTPError;
  const Kind = isAnswered ? ServiceError : NetworkError;
  return new Kind("Discord's answer was lost; nobody knows whether it was added", {
    code: isAnswered ? "discord_down" : "discord_lost",
    hint: "It may have been added all the same. Look at the server's emoji and stickers before you try again.",
    outcome: "unknown",
    facts: { isUndecided: true, lookAt: "expressions" },
    cause,
  });
}

export function personMayNot(): AccessError {
  return new AccessError("the person may not create expressions", {
    code: "expression_not_allowed",
    hint: "Adding emoji and stickers takes the permission “Create Expressions”. Ask somebody who has it.",
  });
}

export function botMayNot(cause?: unknown): AccessError {
  return new AccessError("this bot may not create expressions", {
    code: "expression_permission",
    hint: "I lack the permission “Create Expressions” here. Somebody who manages the server can give it to my role under Server Settings, Roles.",
    cause,
  });
}

function tooMany({ retryAfter }: RateLimitError, now: number): LimitError {
  return new LimitError(`Discord asks to wait ${retryAfter} ms`, {
    code: "expression_rate",
    hint: "Discord takes only so many new emoji and stickers an hour in one server. Try again later.",
    retryAt: new Date(now + retryAfter),
  });
}

function full(
  code: "emoji_slots" | "emoji_premium_slots" | "sticker_slots",
  cause: unknown,
): LimitError {
  return new LimitError(`no room: ${code}`, {
    code,
    hint: "This server has no room for another. Remove one under Server Settings, then press Add again.",
    cause,
  });
}

function tooLarge(kind: ExpressionKind, cause: unknown): InputError {
  return new InputError(`Discord finds the ${kind} too large`, {
    code: "expression_too_large",
    hint: "Discord finds the picture too large. Make it again without the rim.",
    facts: { kind },
    cause,
  });
}

function unaccepted(kind: ExpressionKind, place: Place, cause: unknown): InputError {
  return new InputError(`Discord refused the ${kind}: ${place}`, {
    code: "expression_refused",
    hint: "Discord did not accept what was entered. Change it and send it again.",
    facts: { kind, place },
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

/** The first field that the form's refusal names. */
function placeOf(raw: DiscordAPIError["rawError"]): Place {
  const errors = "errors" in raw ? raw.errors : undefined;
  const [field = ""] = Object.keys(typeof errors === "object" ? errors : {});
  return places[field] ?? "other";
}
