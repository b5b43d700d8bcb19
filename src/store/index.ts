export { found } from "./found.ts";
export { handleOf, newHandle, rowIdOf } from "./ids.ts";
export { type Inspection, inspectStore } from "./inspect.ts";
export { readOrMakeKeyFile } from "./key-file.ts";
export { createLocks, type Locks } from "./locks.ts";
export { openStore } from "./open-store.ts";
export { passwordsOf } from "./passwords.ts";
export type { AuditAct, AuditEntry } from "./records/audit.ts";
export type {
  Announcement,
  Feed,
  FeedPlace,
  FeedProgress,
  ReleaseKind,
  SwitchedOff,
} from "./records/feed.ts";
export type { GuildRows } from "./records/guild-rows.ts";
export type {
  Actor,
  AuthorHistory,
  CardAt,
  DecidedFrom,
  DecisionCount,
  DecisionKind,
  Digest,
  ItemDecision,
  ItemStatus,
  QueuedComment,
  QueueItem,
  SavedReply,
} from "./records/queue.ts";
export type { Rule, RuleBook, RuleOff, RuleTest } from "./records/rules.ts";
export type {
  Trouble,
  TroubleCode,
  Watch,
  WatchedState,
  WatchPing,
  WatchProgress,
} from "./records/watch.ts";
export { platformDataMs } from "./retention.ts";
export { unknownKey, withFirst, withNewKey, withoutKey, writeKeys } from "./rotation/key-list.ts";
export { isInEnvFile, writeEnvFile, writeKeyFile } from "./rotation/key-places.ts";
export { openRotation } from "./rotation/open-rotation.ts";
export type { KeyState, Resealed, ResealProgress, Rotation } from "./rotation/types.ts";
export type {
  AccessToken,
  AccessTokens,
  Budgets,
  ChannelChange,
  Continuation,
  Continuations,
  Counts,
  Credential,
  CredentialFacts,
  CredentialKind,
  Credentials,
  CreditRecordAt,
  Credits,
  DailyBudget,
  ExportedCredential,
  ExportedRows,
  FeedRows,
  Forgotten,
  GuildExport,
  GuildSettings,
  Guilds,
  HeldRecords,
  Lease,
  Leases,
  MasterKey,
  ModerationRows,
  OpenStoreOptions,
  RankRoles,
  Read,
  Revocation,
  RevocationOptions,
  Revocations,
  Settings,
  SettingsChange,
  Store,
  Ticket,
  Tickets,
  UnitRecordAt,
  Units,
} from "./types.ts";
