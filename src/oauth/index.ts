/** ConnectError `oauth_client_missing`: no channel can be used, because the bot itself is not registered. */
export { clientMissing } from "./failure.ts";
/** Whether a consent ended when those to unpublished projects do, after seven days. */
export { isWeekOld } from "./grant.ts";
/** The steps from the command to a linked channel, by way of Discord and Google. */
export { createLinks, type Links } from "./links/create-links.ts";
export type {
  AnswerTo,
  BrowserConsent,
  ConsentedChannel,
  LinkDecider,
  LinkRequest,
  LinkStart,
  LinksDeps,
  LinkVisit,
  PendingLink,
} from "./links/types.ts";
/** What people tick, and the scopes it takes. */
export {
  isIncluded,
  linkPermissions,
  type Permission,
  permissionFor,
  permissionsGivenBy,
  scopesFor,
} from "./permissions.ts";
/** Ends consents at Google, after they were recorded for that. */
export { createRevoker, type RevokerDeps, revocationJob } from "./revoker.ts";
/** Verifies tokens that people enter, before they are stored. */
export {
  createTokenVerifier,
  type TokenVerifier,
  type VerifiedToken,
} from "./token-verifier.ts";
/** Access tokens of linked channels, refreshed before they expire. */
export { type ChannelTokens, createChannelTokens } from "./tokens.ts";
