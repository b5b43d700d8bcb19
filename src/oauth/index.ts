/** Why no channel can be used where the bot itself is not registered: ConnectError `oauth_client_missing`. */
export { clientMissing } from "./failure.ts";
export type {
  AnswerTo,
  ConsentedChannel,
  LinkAsk,
  LinkStart,
  Links,
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
/** Access tokens of linked channels, refreshed when they are about to run out. */
export { createTokens, type Tokens, type TokensOptions } from "./tokens.ts";
