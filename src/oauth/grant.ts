import { createHash } from "node:crypto";
import { ConnectError } from "../errors.ts";
import type { Credential } from "../store/index.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Consents to a project in the publishing state "Testing" end after seven days
 * (https://developers.google.com/identity/protocols/oauth2#expiration); when exactly it is noticed depends on the calls.
 */
const weekEnd = { afterMs: 6.5 * dayMs, beforeMs: 8 * dayMs } as const;

/** How long a consent that the service calls over is believed to be; then one more try shows whether it really is. */
export const goneMs = hourMs;

/** Whether a consent ended when those to unpublished projects do. */
export function isWeekOld({ addedAt }: Pick<Credential, "addedAt">, goneAt: number): boolean {
  const lived = goneAt - addedAt;
  return lived >= weekEnd.afterMs && lived <= weekEnd.beforeMs;
}

/** The consent is over. */
export function grantGone(credential: Credential, goneAt: number): ConnectError {
  const facts = { service: "consent", reason: "invalid_grant", ...calledBy(credential) };
  if (!isWeekOld(credential, goneAt)) {
    return new ConnectError("the authorisation service calls the consent over", {
      code: "invalid_grant",
      facts,
    });
  }
  return new ConnectError("the consent ended about seven days after it was given", {
    code: "grant_seven_days",
    facts,
  });
}

/** A token that was entered by itself is over, or was refused. */
export function accessTokenOver(credential: Credential): ConnectError {
  return new ConnectError("the access token that was entered is over", {
    code: "access_token_over",
    facts: { service: "consent", ...calledBy(credential) },
  });
}

/** What the server calls the channel, which may have others; nothing where that is not known. */
function calledBy({ name, channelTitle }: Credential) {
  const channel = name ?? channelTitle;
  return channel === undefined ? {} : { channel, isNamed: true };
}

/** Tells tokens of one consent from those of the next. */
export function hashOf(refreshToken: string): string {
  return createHash("sha256").update(refreshToken).digest("hex");
}
