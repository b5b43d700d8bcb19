import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { accessTokenContext } from "./access-tokens.ts";
import { credentialContext } from "./credentials.ts";
import { interactionContext } from "./interactions.ts";
import { oneTimeTokenContext, type StoredOneTimeToken } from "./one-time-tokens.ts";
import { revocationContext } from "./revocations.ts";
import { readSealingKeyId, type SealContext } from "./seal.ts";

/** Every kind of record that a master key seals, except a key's own canary. */
export const sealedKinds = ["credential", "token", "ticket", "revocation", "interaction"] as const;

export type SealedKind = (typeof sealedKinds)[number];

export interface SealedRecord {
  readonly kind: SealedKind;
  /** Without its kind. */
  readonly key: string;
  /** The whole stored value. */
  readonly stored: string;
  /** The sealed part of it. */
  readonly text: string;
  /** Id of the master key that wraps its data key. */
  readonly keyId: string;
}

interface SealedPage {
  /** Without damaged records, which don't name a key. */
  readonly rows: readonly SealedRecord[];
  /** Where the next page begins; undefined if this is the last. */
  readonly next: string | undefined;
}

const pageSize = 25;

/** Records of one kind, in the order of their keys. With `isLocked` nobody else can change them until the transaction ends. */
export async function readSealedPage(
  { db, now, skipLocked }: Database,
  kind: SealedKind,
  { after = "", isLocked = false }: { readonly after?: string; readonly isLocked?: boolean } = {},
): Promise<SealedPage> {
  // What somebody else has locked is read in the next pass: waiting for it could end in a deadlock.
  const lock = isLocked ? skipLocked : sql``;
  const { rows } = await (isOwnTable(kind)
    ? sql<StoredText>`select id as key, ${ownColumn(kind)} as stored from ${ownTable(kind)}
        where id > ${after} and ${ownColumn(kind)} is not null
        order by id limit ${pageSize} ${lock}`
    : sql<StoredText>`select key, value as stored from keyv
        where key > ${`${kind}:${after}`} and key < ${`${kind};`}
          and (expires_at is null or expires_at > ${now()})
        order by key limit ${pageSize} ${lock}`
  ).execute(db);
  const found = rows.map(({ key, stored }) => ({
    key: isOwnTable(kind) ? key : key.slice(kind.length + 1),
    stored,
  }));
  const sealed = found.flatMap((row): readonly SealedRecord[] => {
    const text = readSealedText(kind, row.stored);
    const keyId = text === undefined ? undefined : readSealingKeyId(text);
    return text === undefined || keyId === undefined ? [] : [{ kind, ...row, text, keyId }];
  });
  return { rows: sealed, next: found.at(-1)?.key };
}

/** Kinds with a table of their own, and the column that holds the sealed text alone; the others are in `keyv`. */
const ownTables = {
  revocation: { table: "revocations", column: "token" },
  interaction: { table: "interactions", column: "request" },
} as const;

function isOwnTable(kind: SealedKind): kind is keyof typeof ownTables {
  return Object.hasOwn(ownTables, kind);
}

const ownTable = (kind: keyof typeof ownTables) => sql.table(ownTables[kind].table);
const ownColumn = (kind: keyof typeof ownTables) => sql.ref(ownTables[kind].column);

interface StoredText {
  readonly key: string;
  readonly stored: string;
}

export async function writeSealedRecord({ db }: Database, row: SealedRecord, text: string) {
  const stored = row.stored.replace(row.text, text);
  await (isOwnTable(row.kind)
    ? sql`update ${ownTable(row.kind)} set ${ownColumn(row.kind)} = ${stored}
        where id = ${row.key}`.execute(db)
    : db
        .updateTable("keyv")
        .set({ value: stored })
        .where("key", "=", `${row.kind}:${row.key}`)
        .execute());
}

/** How many records of each kind a key seals, by the key's id. */
export async function countSealedRecords(
  database: Database,
): Promise<ReadonlyMap<string, Readonly<Record<SealedKind, number>>>> {
  const counts = new Map<string, Record<SealedKind, number>>();
  for (const kind of sealedKinds) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const { rows, next }: SealedPage = await readSealedPage(database, kind, { after });
      for (const { keyId } of rows) {
        const of = counts.get(keyId) ?? noRecords();
        of[kind] += 1;
        counts.set(keyId, of);
      }
      after = next;
      await nextTurn();
    }
  }
  return counts;
}

export function noRecords(): Record<SealedKind, number> {
  return { credential: 0, token: 0, ticket: 0, revocation: 0, interaction: 0 };
}

export function sumRows(rows: Readonly<Record<SealedKind, number>> = noRecords()): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

export function sealContextFor({ kind, key, stored }: SealedRecord): SealContext {
  const [one, other] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
  switch (kind) {
    case "credential":
      return credentialContext(one, other);
    case "token":
      return accessTokenContext(one, other);
    case "ticket":
      return oneTimeTokenContext((JSON.parse(stored).value as StoredOneTimeToken).guildId, key);
    case "revocation":
      return revocationContext(key);
    case "interaction":
      return interactionContext(key);
  }
}

/** Undefined if a record does not have the shape of its kind. */
function readSealedText(kind: SealedKind, stored: string): string | undefined {
  if (isOwnTable(kind)) return stored;
  try {
    const { value } = JSON.parse(stored);
    const text: unknown = kind === "ticket" ? value.sealed : value;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
