export type { AccessToken, AccessTokens } from "./access-tokens.ts";
export { type Continuations, platformDataMs } from "./continuations.ts";
export type {
  ChannelChange,
  Credential,
  CredentialFacts,
  CredentialKind,
} from "./credential-types.ts";
export type { Credentials } from "./credentials.ts";
export type { ExportedCredential, HeldRecords, StoreExport } from "./export-server.ts";
export { found, type Read } from "./failure.ts";
export { handleOf, newHandle, rowIdOf } from "./ids.ts";
export { readOrMakeKeyFile } from "./key-file.ts";
export { createLocks, type Locks } from "./locks.ts";
export {
  createStore,
  inspectStore,
  type OpenStoreOptions,
  openStore,
  type Store,
} from "./open-store.ts";
export { passwordsOf } from "./passwords.ts";
export type { Revocation, Revocations } from "./revocations.ts";
export { unknownKey, withFirst, withNewKey, withoutKey, writeKeys } from "./rotation/key-list.ts";
export { isInEnvFile, writeEnvFile, writeKeyFile } from "./rotation/key-places.ts";
export { type KeyState, openRotation, type Rotation } from "./rotation/open-rotation.ts";
export { isUnreadable, type MasterKey } from "./seal.ts";
export { totalOf } from "./sealed-rows.ts";
export type {
  Budgets,
  DailyBudget,
  GuildSettings,
  RankRoles,
  Settings,
  SettingsChange,
} from "./settings.ts";
export type { Ticket, Tickets } from "./tickets.ts";
