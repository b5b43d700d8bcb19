import { connect, type KnownFailures, limit, service } from "./known.ts";

const operator = "Ask the people who run this bot to look at it.";
const client = `The service does not know this bot's own registration. ${operator}`;

/**
 * OAuth's own words: in a body like `{"error":"invalid_grant"}`, or in a WWW-Authenticate header.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2, https://www.rfc-editor.org/rfc/rfc6750#section-3.1
 */
export const oauthFailures: KnownFailures = {
  invalid_grant: connect("The channel's consent was withdrawn or has expired. Link it again."),
  invalid_token: connect(
    "The link to the channel no longer works. Link the channel again.",
    "auth",
  ),
  insufficient_scope: connect(
    "The link to the channel lacks a permission. Link it again and leave every box ticked.",
    "insufficient_permissions",
  ),
  invalid_client: connect(client, "oauth_client_refused"),
  unauthorized_client: connect(client, "oauth_client_refused"),
  deleted_client: connect(client, "oauth_client_refused"),
  redirect_uri_mismatch: connect(client, "oauth_client_refused"),
  unsupported_grant_type: connect(client, "oauth_client_refused"),
  invalid_scope: connect(client, "oauth_client_refused"),
  access_denied: connect("The consent was refused. Link the channel again and agree to it."),
  admin_policy_enforced: connect(
    "The administrator of that account does not allow this. Ask them, or link another account.",
  ),
  org_internal: connect(`Only accounts of one organization may link here. ${operator}`),
  expired_token: connect("The time to link the channel is over. Start the link again."),
  authorization_pending: limit("The consent was not given yet. Give it, then go on."),
  slow_down: limit("The service is asked too often for a consent. Wait a minute.", "rate_limited"),
  rate_limit_exceeded: limit("Too many links are being started. Wait a minute.", "rate_limited"),
  temporarily_unavailable: service(
    "The service that keeps consents has trouble right now. Try again in a few minutes.",
    "service_unavailable",
  ),
  server_error: service(
    "The service that keeps consents has trouble right now. Try again in a few minutes.",
    "service_unavailable",
  ),
};
