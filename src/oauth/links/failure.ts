import { AccessError, ConnectError, InputError, NetworkError, ServiceError } from "../../errors.ts";

/** The bot has no address that browsers reach. */
export function linksClosed(): ConnectError {
  return new ConnectError("PUBLIC_URL is not set", { code: "links_closed" });
}

/** Unknown, used, old and replaced links give the same error, so that guessing reveals nothing. */
export function linkOver(): AccessError {
  return new AccessError("no link is open for that", { code: "link_over" });
}

export function otherBrowser(): AccessError {
  return new AccessError("a link was begun in another browser", { code: "link_other_browser" });
}

export function otherPerson(): AccessError {
  return new AccessError("a link was opened by another person than asked for it", {
    code: "link_other_person",
  });
}

export function personUnproven(): AccessError {
  return new AccessError("a link goes on before the person was proven", { code: "link_unproven" });
}

export function identityUnproven(cause: unknown): ServiceError {
  return new ServiceError("Discord did not say who someone is", {
    code: "identity_unproven",
    cause,
  });
}

export function identityDenied(): ConnectError {
  return new ConnectError("someone did not let Discord say who they are", {
    code: "identity_denied",
  });
}

export function nothingTicked(): InputError {
  return new InputError("a link for nothing", { code: "nothing_ticked" });
}

export function consentDenied(): ConnectError {
  return new ConnectError("the consent was refused", { code: "consent_denied" });
}

export function codeRefused(): ConnectError {
  return new ConnectError("the token endpoint refused a code", { code: "code_refused" });
}

/** A code is good for one try, so an exchange that was cut off can't be repeated. */
export function exchangeInterrupted(cause: NetworkError): NetworkError {
  return new NetworkError("the exchange of a code was cut", {
    code: "link_interrupted",
    facts: cause.facts,
    cause,
  });
}

export function noRefreshToken(): ConnectError {
  return new ConnectError("a consent came without a refresh token", { code: "no_refresh_token" });
}

export function readNotGranted(): ConnectError {
  return new ConnectError("a consent without reading", { code: "read_not_granted" });
}

export function noChannel(): ConnectError {
  return new ConnectError("the account has no channel", { code: "no_channel" });
}

export function linkUnreadable(cause: unknown): ServiceError {
  return new ServiceError("a link can't be read from the store", {
    code: "store_unavailable",
    cause,
  });
}
