export { readOrMakeKeyFile } from "./key-file.ts";
export { createLocks, type Locks } from "./locks.ts";
export { openStore } from "./open-store.ts";
export type {
  Continuation,
  Continuations,
  Counts,
  Credential,
  CredentialFacts,
  CredentialKind,
  Credentials,
  CreditRecordAt,
  Credits,
  GuildSettings,
  Guilds,
  MasterKey,
  OpenStoreOptions,
  RankRoles,
  Read,
  Settings,
  SettingsChange,
  Store,
  UnitRecordAt,
  Units,
} from "./types.ts";
