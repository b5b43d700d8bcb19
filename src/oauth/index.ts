/** Why no channel can be used where the bot itself is not registered: ConnectError `oauth_client_missing`. */
export { clientMissing } from "./failure.ts";
/** Whether a consent ended when those to unpublished projects do, after seven days. */
export { isWeekOld } from "./grant.ts";
/** The way from the command to a linked channel, past Discord and the authorisation service. */
export { createLinks, type Links } from "./links/create-links.ts";
export type {
  AnswerTo,
  ConsentedChannel,
  Decider,
  LinkAsk,
  LinkStart,
  LinksOptions,
  PendingLink,
  Visit,
} from "./links/types.ts";
/** What people tick, and the scopes it takes. */
export {
  type Permission,
  permissionFor,
  permissions,
  permissionsOf,
  scopesFor,
} from "./permissions.ts";
/** Tokens that people enter, tried before they are stored. */
export { createProofs, type Proof, type Proofs, type ProofsOptions } from "./proofs.ts";
/** Ends consents at the service, once what is to be ended was written down. */
export { createRevoker, type RevokerDeps, revocationJob } from "./revoker.ts";
/** Access tokens of linked channels, refreshed when they are about to run out. */
export { createTokens, type Tokens, type TokensOptions } from "./tokens.ts";
