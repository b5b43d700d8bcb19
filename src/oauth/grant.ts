import { createHash } from "node:crypto";
import { dayMs, hourMs } from "../clock.ts";
import { ConnectError } from "../errors.ts";
import type { Credential } from "../store/index.ts";

/**
 * Consents to a project in the publishing state "Testing" end after seven days
 * (https://developers.google.com/identity/protocols/oauth2#expiration). The bot notices it only with its next call.
 */
const weekEnd = { afterMs: 6.5 * dayMs, beforeMs: 8 * dayMs } as const;

/** After Google has said that a consent is over, this is believed for an hour; then one more try checks it. */
export const believedGoneMs = hourMs;

/** Whether a consent ended after as long as consents to unpublished projects do. */
export function isWeekOld({ addedAt }: Pick<Credential, "addedAt">, goneAt: number): boolean {
  const lived = goneAt - addedAt;
  return lived >= weekEnd.afterMs && lived <= weekEnd.beforeMs;
}

export function consentOver(credential: Credential, goneAt: number): ConnectError {
  const facts = { service: "consent", reason: "invalid_grant", ...calledBy(credential) };
  const isSevenDays = isWeekOld(credential, goneAt);
  const message = isSevenDays
    ? "the consent ended about seven days after it was given"
    : "Google says that the access has ended";
  const code = isSevenDays ? "grant_seven_days" : "invalid_grant";
  return new ConnectError(message, { code, facts });
}

/** An access token that somebody entered has expired or was refused. */
export function accessTokenOver(credential: Credential): ConnectError {
  return new ConnectError("the access token that was entered is over", {
    code: "access_token_over",
    facts: { service: "consent", ...calledBy(credential) },
  });
}

/** The name of the channel in the server, for the message; empty if it is not known. */
function calledBy({ name, channelTitle }: Credential) {
  const channel = name ?? channelTitle;
  return channel === undefined ? {} : { channel, isNamed: true };
}

/** Distinguishes the tokens of one consent from those of the next. */
export function hashGrant(refreshToken: string): string {
  return createHash("sha256").update(refreshToken).digest("hex");
}
