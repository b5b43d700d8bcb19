import { access, input, isThere, type KnownFailures, limit, service } from "./known.ts";

const bug = "That is a fault of this bot: tell the people who run it, with the reference.";
const trouble = "The video service has trouble right now. Try again in a few minutes.";

/** What any method may refuse, whatever it is about. */
export const requestFailures: KnownFailures = {
  badRequest: input("The video service did not understand that. Check what was entered."),
  invalidParameter: input("Something that was entered is not accepted. Check it and try again."),
  invalidValue: input("Something that was entered is not accepted. Check it and try again."),
  required: input("Something that is needed is missing. Fill it in and try again."),
  missingRequiredParameter: input("Something that is needed is missing. Fill it in and try again."),
  unexpectedParameter: input(`The video service does not know something that was sent. ${bug}`),
  incompatibleParameters: input("Some of these choices exclude each other. Leave one of them out."),
  invalidFilters: input("These filters do not go together. Leave one of them out."),
  invalidCriteria: input("Only one thing can be looked up at a time. Give one of them."),
  invalidPageToken: input("This page is no longer there. Start over from the first one."),
  parseError: input(`The video service could not read what was sent. ${bug}`),
  unknownPart: input(`The video service does not know some details that were asked for. ${bug}`),
  unexpectedPart: input(`Details were asked for that don't exist here. ${bug}`),
  invalidPart: input(`These details can't be changed together. ${bug}`),
  invalidLanguage: input("That language is not known. Choose one of the languages offered."),
  unsupportedLanguageCode: input("That language is not offered. Choose another one."),
  invalidRegionCode: input("That country is not known. Give its two letters, like DE."),
  unsupportedRegionCode: input("The video service is not offered in that country. Choose another."),
  invalidMine: input("This can't be asked about your own channel. Name the channel instead."),
  operationNotSupported: input("The service does not do that here. Try it in another way."),
  idInvalid: input("That ID is not one of the service's. Copy it again."),
  idRequired: input("Say which one is meant, then try again."),
  processingFailure: input(
    "The service could not do that. It may have been deleted meanwhile, or the text may not be allowed.",
  ),
  homeParameterDeprecated: access(
    "The personal home feed is no longer offered. Name a channel instead.",
  ),
  forbidden: access("The linked account has no right to do that. Ask the owner of the channel."),
  notFound: input("It can't be found. It may be private or deleted."),
  deleted: input("It is gone: somebody deleted it."),
  duplicate: isThere("It is already there; nothing had to be done."),
  conflict: service("Something else changed it at the same time. Look at it, then try again."),
  conditionNotMet: service(
    "It was changed by somebody else in the meantime. Look at it, then try again.",
  ),
  requestedRangeNotSatisfiable: service("The upload got out of step. Start it again."),
  notModified: service("The service says that nothing has changed. Try again in a minute."),
  internalError: service(trouble, "service_unavailable"),
  backendError: service(trouble, "service_unavailable"),
  notReady: service(trouble, "service_unavailable"),
  // Only reports answer a flood with 400; everywhere else it is a 429 or a 403.
  "rateLimitExceeded 400": limit(
    "Too many reports were sent in a short time. Try again in some hours.",
    "too_many_reports",
  ),
};
