import { DiscordAPIError } from "@discordjs/rest";
import { RESTJSONErrorCodes as Codes } from "discord-api-types/v10";
import { AccessError, BotError, InputError, LimitError } from "../../../errors.ts";
import { discordErrorFacts } from "../../discord-error-facts.ts";
import { hasCode } from "../channel-messages/failure.ts";

/** What Discord's refusal of an event means; undefined where it means what it usually does. */
export function eventRefusal(error: DiscordAPIError): BotError | undefined {
  switch (error.code) {
    case Codes.MissingPermissions:
    case Codes.MissingAccess:
    case Codes.UnknownGuild:
      return new AccessError("this bot may not create events", {
        code: "discord_events_forbidden",
        cause: error,
      });
    case Codes.UnknownGuildScheduledEvent:
      return new AccessError("the event is gone", { code: "discord_event_gone", cause: error });
    case Codes.MaximumNumberOfUncompletedGuildScheduledEventsReached:
      return new LimitError("the server has no room for another event", {
        code: "discord_events_full",
        cause: error,
      });
    case Codes.InvalidFormBodyOrContentType:
      return new InputError("Discord refused the event", {
        code: "discord_event_refused",
        facts: discordErrorFacts(error),
        cause: error,
      });
  }
  return undefined;
}

export function isFinalAlready(error: unknown): boolean {
  return hasCode(error, Codes.CannotUpdateAFinishedEvent);
}

/** Whether Discord refused a request because of its picture. */
export function isAboutCover(error: unknown): boolean {
  const cause = error instanceof BotError ? error.cause : undefined;
  if (!(cause instanceof DiscordAPIError)) return false;
  if (pictureCodes.includes(Number(cause.code))) return true;
  const errors = "errors" in cause.rawError ? cause.rawError.errors : undefined;
  return typeof errors === "object" && "image" in errors;
}

const pictureCodes: readonly number[] = [
  Codes.RequestEntityTooLarge,
  Codes.FileUploadedExceedsMaximumSize,
  Codes.InvalidFileUploaded,
  Codes.FailedToResizeAssetBelowTheMinimumSize,
];
