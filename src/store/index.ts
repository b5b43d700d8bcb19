export { readOrMakeKeyFile } from "./key-file.ts";
export { openStore } from "./open-store.ts";
export type {
  Continuation,
  Continuations,
  Credential,
  CredentialFacts,
  CredentialKind,
  Credentials,
  Guilds,
  MasterKey,
  OpenStoreOptions,
  Read,
  Store,
  UnitCounts,
  UnitRecordAt,
  Units,
} from "./types.ts";
