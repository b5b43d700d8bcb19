import { AccessError, ConnectError, InputError, NetworkError, ServiceError } from "../../errors.ts";

const again = "Start again with /connect channel.";

/** The bot has no address that browsers reach. */
export function linksClosed(): ConnectError {
  return new ConnectError("PUBLIC_URL is not set", {
    code: "links_closed",
    hint: "This bot has no page for linking. Ask the people who run it to set PUBLIC_URL, or enter a refresh token that you made yourself.",
  });
}

/** Unknown, used, old and replaced ones are not told apart: whoever guesses learns nothing. */
export function linkOver(): AccessError {
  return new AccessError("no link is open for that", {
    code: "link_over",
    hint: `This link was used, is older than ten minutes, or a newer one took its place. ${again}`,
  });
}

export function otherBrowser(): AccessError {
  return new AccessError("a link was begun in another browser", {
    code: "link_other_browser",
    hint: `The link was opened in another browser first. Go on there. If that was not you, start again with /connect channel.`,
  });
}

export function otherPerson(): AccessError {
  return new AccessError("a link was opened by another person than asked for it", {
    code: "link_other_person",
    hint: "This link was made for another Discord account. Sign in with the account that asked for it.",
  });
}

export function unproven(): AccessError {
  return new AccessError("a link goes on before the person was proven", {
    code: "link_unproven",
    hint: "Let Discord say who you are first: open the link's page again and press the button there.",
  });
}

export function identityUnproven(cause: unknown): ServiceError {
  return new ServiceError("the platform did not say who somebody is", {
    code: "identity_unproven",
    hint: "Discord did not say who you are. Open the link's page again and try once more.",
    cause,
  });
}

export function identityDenied(): ConnectError {
  return new ConnectError("somebody did not let the platform say who they are", {
    code: "identity_denied",
    hint: "Nothing was linked, because the sign-in at Discord was cancelled. The link stays open: open its page again and press the button there.",
  });
}

export function nothingTicked(): InputError {
  return new InputError("a link for nothing", {
    code: "nothing_ticked",
    hint: "Tick at least one thing that the bot may do.",
  });
}

export function consentDenied(): ConnectError {
  return new ConnectError("the consent was refused", {
    code: "consent_denied",
    hint: "Nothing was linked, because the consent was not given. Open the link's page again if that was a mistake.",
  });
}

export function codeRefused(): ConnectError {
  return new ConnectError("the token endpoint refused a code", {
    code: "code_refused",
    hint: `The consent came too late or was used before, and nothing was linked. ${again}`,
  });
}

/** A code is good for one try, so that what was cut can't be asked again. */
export function interrupted(cause: NetworkError): NetworkError {
  return new NetworkError("the exchange of a code was cut", {
    code: "link_interrupted",
    hint: "The service did not answer in time, and nothing was linked. Open the link's page again and agree once more.",
    facts: cause.facts,
    cause,
  });
}

export function noRefreshToken(): ConnectError {
  return new ConnectError("a consent came without a refresh token", {
    code: "no_refresh_token",
    hint: `The service gave a consent for one hour only, and nothing was linked. Remove this bot's access in the account's settings there, then start again with /connect channel.`,
  });
}

export function readNotGranted(): ConnectError {
  return new ConnectError("a consent without reading", {
    code: "read_not_granted",
    hint: `Nothing else works without seeing the channel, so nothing was linked. ${again} Leave that box ticked at the service.`,
  });
}

export function noChannel(): ConnectError {
  return new ConnectError("the account has no channel", {
    code: "no_channel",
    hint: "This account has no channel. Link an account that has one.",
  });
}

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("a link can't be read from the store", {
    code: "store_unavailable",
    hint: "Storage is unavailable right now and nothing was changed. Try again in a minute.",
    cause,
  });
}
