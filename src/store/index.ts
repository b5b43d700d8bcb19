export type { AccessToken, AccessTokens } from "./access-tokens.ts";
export { type Continuations, youtubeDataMs } from "./continuations.ts";
export type {
  Credential,
  CredentialFacts,
  CredentialKind,
  LinkedChannelChange,
} from "./credential.ts";
export type { CredentialStore } from "./credentials.ts";
export type { ExportedCredential, HeldRecords, StoreExport } from "./export-server.ts";
export { readValue, type StoreRead, storedIn, storeUnavailable } from "./failure.ts";
export type { StoredFiles } from "./files.ts";
export {
  createGatewaySessions,
  createIdentifyTurn,
  type GatewaySessions,
  type IdentifyTurn,
  type SavedGatewaySession,
} from "./gateway-sessions.ts";
export { deriveHandle, hashToRecordId, newHandle } from "./ids.ts";
export type {
  InteractionClaim,
  InteractionOwner,
  Interactions,
  OpenInteraction,
} from "./interactions.ts";
export { isInEnvFile, readOrMakeKeyFile, writeEnvFile, writeKeyFile } from "./key-files.ts";
export type { Locks } from "./locks.ts";
export type { OneTimeToken, OneTimeTokens, PushToken } from "./one-time-tokens.ts";
export {
  createStore,
  findPasswords,
  inspectStore,
  type OpenStoreOptions,
  openStore,
  type Store,
} from "./open-store.ts";
export type { Revocation, Revocations } from "./revocations.ts";
export {
  addKey,
  createUnknownKeyError,
  formatKeys,
  putKeyFirst,
  removeKey,
} from "./rotation/key-list.ts";
export { type KeyState, openRotation, type Rotation } from "./rotation/open-rotation.ts";
export { isUnreadable, type MasterKey, sealedKinds } from "./seal.ts";
export { sumRows } from "./sealed-records.ts";
export {
  type Budgets,
  type DailyBudget,
  type RankRoles,
  readServerSettings,
  type ServerSettings,
  type Settings,
  type SettingsChange,
} from "./settings.ts";
