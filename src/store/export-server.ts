import { checkSnowflake, type Database, sql } from "../database/index.ts";
import type { Credential, CredentialKind } from "./credential.ts";
import type { CredentialStore } from "./credentials.ts";
import { readValue, type StoreRead } from "./failure.ts";
import { isUnreadable } from "./seal.ts";
import type { ServerSettings, Settings } from "./settings.ts";

/** What the store holds about a server, in a form for people. */
export interface StoreExport {
  readonly credentials: readonly ExportedCredential[];
  readonly settings: ServerSettings | undefined;
  readonly accessTokens: HeldRecords;
  /** What buttons, selects and forms stand for. */
  readonly buttons: HeldRecords;
  readonly linksUnderWay: HeldRecords;
}

/** `secret` is masked: its last four characters behind an ellipsis. */
export type ExportedCredential =
  | Credential
  | { readonly kind: CredentialKind; readonly isUnreadable: true };

/** Records that expire by themselves. */
export interface HeldRecords {
  readonly count: number;
  /** When the last of them is gone. Milliseconds since the epoch. */
  readonly goneAt?: number;
}

const keyKinds = ["video-key", "background-key"] as const satisfies readonly CredentialKind[];

/** The last four characters of a shorter secret would reveal too much of it. */
const minShownLength = 20;

export async function exportServer(
  database: Database,
  { credentials, settings }: { readonly credentials: CredentialStore; readonly settings: Settings },
  guildId: string,
): Promise<StoreExport> {
  const serverId = await database.servers.find(checkSnowflake(guildId));
  return {
    credentials: await exportCredentials(credentials, guildId),
    settings: readValue(await settings.read(guildId)),
    accessTokens: await countHeld(database, serverId, "token"),
    buttons: await countHeld(database, serverId, "continuation"),
    linksUnderWay: await countHeld(database, serverId, "ticket"),
  };
}

async function exportCredentials(credentials: CredentialStore, guildId: string) {
  const exported: ExportedCredential[] = [];
  const add = (kind: CredentialKind, read: StoreRead<readonly Credential[]>) => {
    if (read.state === "failed") {
      if (!isUnreadable(read.error)) throw read.error;
      exported.push({ kind, isUnreadable: true });
    }
    if (read.state !== "found") return;
    for (const one of read.value) {
      const end = one.secret.length < minShownLength ? "" : one.secret.slice(-4);
      exported.push({ ...one, secret: `…${end}` });
    }
  };
  for (const kind of keyKinds) {
    const read = await credentials.read(guildId, kind);
    add(kind, read.state === "found" ? { state: "found", value: [read.value] } : read);
  }
  add("channel", await credentials.channels(guildId));
  return exported;
}

async function countHeld(
  { db, now }: Database,
  serverId: number | undefined,
  namespace: string,
): Promise<HeldRecords> {
  if (serverId === undefined) return { count: 0 };
  const row = await db
    .selectFrom("keyv")
    .select(({ fn }) => [
      sql<number>`cast(count(*) as integer)`.as("count"),
      fn.max("expires_at").as("goneAt"),
    ])
    .where("server_id", "=", serverId)
    .where("key", ">=", `${namespace}:`)
    .where("key", "<", `${namespace};`)
    .where("expires_at", ">", now())
    // Tokens for a hub's callbacks do not belong to a link.
    .where("value", "not like", '%"of":"push"%')
    .executeTakeFirstOrThrow();
  return { count: row.count, ...(row.goneAt !== null && { goneAt: row.goneAt }) };
}
