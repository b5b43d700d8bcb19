import {
  AccessError,
  type BotError,
  ConnectError,
  type FailureCode,
  InputError,
  ServiceError,
} from "../../errors.ts";

/** What is thrown in the steps of a link: its kind, and the sentence for the log. */
export const linkErrors = {
  /** The bot has no address that browsers reach. */
  links_closed: [ConnectError, "PUBLIC_URL is not set"],
  /** Unknown, used, old and replaced links give the same error, so that guessing reveals nothing. */
  link_over: [AccessError, "no link is open for that"],
  link_other_browser: [AccessError, "a link was begun in another browser"],
  link_other_person: [AccessError, "a link was opened by another person than asked for it"],
  link_unproven: [AccessError, "a link goes on before the person was proven"],
  link_codes_spent: [AccessError, "too many wrong codes for a link"],
  identity_unproven: [ServiceError, "Discord did not say who someone is"],
  identity_denied: [ConnectError, "someone did not let Discord say who they are"],
  nothing_ticked: [InputError, "a link for nothing"],
  consent_denied: [ConnectError, "the consent was refused"],
  code_refused: [ConnectError, "the token endpoint refused a code"],
  no_refresh_token: [ConnectError, "a consent came without a refresh token"],
  read_not_granted: [ConnectError, "a consent without reading"],
  no_channel: [ConnectError, "the account has no channel"],
} as const satisfies Partial<Record<FailureCode, unknown>>;

export function linkError(code: keyof typeof linkErrors, cause?: unknown): BotError {
  const [Kind, message] = linkErrors[code];
  return new Kind(message, { code, cause });
}
