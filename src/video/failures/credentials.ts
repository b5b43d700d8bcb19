import { access, connect, type KnownFailures } from "./known.ts";

const relink = "The link to the channel no longer works. Link the channel again.";
const noChannel = "This account has no channel. Link an account that has one.";
const operator = "Ask the people who run this bot to look at it.";
const owner = "Ask whoever manages this server to check the API key and its settings.";
const partner = "Only partners of the service can do that, with an account of theirs.";

/** Keys, tokens, accounts and the project behind them. */
export const credentialFailures: KnownFailures = {
  keyInvalid: connect("The API key was refused. Enter it again or make a new one."),
  keyExpired: connect("The API key has expired. Make a new one and enter it."),
  accessNotConfigured: connect(
    `The video service is not switched on for this API key's project. Switch the YouTube Data API v3 on there. ${owner}`,
  ),
  ipRefererBlocked: connect(
    `The API key may not be used from here or for this service. Widen its restrictions, or make another one. ${owner}`,
    "key_restricted",
  ),
  projectGone: connect(
    `The project of this API key or of this bot is closed or was refused. ${owner}`,
  ),
  sslRequired: connect(`The service's address must start with https. ${operator}`),
  authError: connect(relink, "auth"),
  authorizationRequired: connect(relink, "auth"),
  "required 401": connect(relink, "auth"),
  expired: connect(relink, "auth"),
  insufficientPermissions: connect(
    "The link to the channel lacks a permission. Link it again and leave every box ticked.",
  ),
  youtubeSignupRequired: connect(noChannel, "no_channel"),
  authenticatedUserNotChannel: connect(noChannel, "no_channel"),
  authenticatedUserAccountClosed: connect(
    "The linked account was closed. Link another one.",
    "account_closed",
  ),
  authenticatedUserAccountSuspended: connect(
    "The linked account is suspended. Its owner can settle that with the service; until then link another one.",
    "account_suspended",
  ),
  emailNotVerified: connect(
    "The linked account's e-mail address is not confirmed. Its owner has to confirm it first.",
  ),
  ineligibleAccount: connect(
    "The linked account is not joined to a Google account, so it can't write comments. Link another one.",
  ),
  accountDelegationForbidden: access("The linked account may not act for that other account."),
  cmsUserAccountNotFound: access(partner, "partner_account_not_found"),
  insufficientCapabilities: access(
    "The partner account lacks the rights for that. Its administrator can grant them.",
  ),
  contentOwnerAccountNotFound: access(
    "There is no such content owner. Leave it out: only partners of the service have one.",
  ),
};
