export { readOrMakeKeyFile } from "./key-file.ts";
export { createLocks, type Locks } from "./locks.ts";
export { openStore } from "./open-store.ts";
export type {
  Continuation,
  Continuations,
  Credential,
  CredentialFacts,
  CredentialKind,
  Credentials,
  GuildSettings,
  Guilds,
  MasterKey,
  OpenStoreOptions,
  RankRoles,
  Read,
  Settings,
  SettingsChange,
  Store,
  UnitCounts,
  UnitRecordAt,
  Units,
} from "./types.ts";
