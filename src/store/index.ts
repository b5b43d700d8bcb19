export { found } from "./found.ts";
export { handleOf, newHandle, rowIdOf } from "./ids.ts";
export { type Inspection, inspectStore } from "./inspect.ts";
export { readOrMakeKeyFile } from "./key-file.ts";
export { createLocks, type Locks } from "./locks.ts";
export { createStore, openStore } from "./open-store.ts";
export { passwordsOf } from "./passwords.ts";
export { platformDataMs } from "./retention.ts";
export { unknownKey, withFirst, withNewKey, withoutKey, writeKeys } from "./rotation/key-list.ts";
export { isInEnvFile, writeEnvFile, writeKeyFile } from "./rotation/key-places.ts";
export { openRotation } from "./rotation/open-rotation.ts";
export type { KeyState, Resealed, ResealProgress, Rotation } from "./rotation/types.ts";
export { isUnreadable } from "./seal.ts";
export type {
  AccessToken,
  AccessTokens,
  Budgets,
  ChannelChange,
  ChannelHolder,
  Continuation,
  Continuations,
  Credential,
  CredentialFacts,
  CredentialKind,
  Credentials,
  DailyBudget,
  ExportedCredential,
  GuildSettings,
  HeldRecords,
  MasterKey,
  OpenStoreOptions,
  RankRoles,
  Read,
  Revocation,
  RevocationOptions,
  Revocations,
  Settings,
  SettingsChange,
  Store,
  StoreExport,
  Ticket,
  Tickets,
} from "./types.ts";
