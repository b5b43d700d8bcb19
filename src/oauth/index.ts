/** Why no channel can be used where the bot itself is not registered: ConnectError `oauth_client_missing`. */
export { clientMissing } from "./failure.ts";
/** Access tokens of linked channels, refreshed when they are about to run out. */
export { createTokens, type Tokens, type TokensOptions } from "./tokens.ts";
