import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, type RawBuilder, sql } from "../database/index.ts";
import { readSealingKeyId, type SealedKind, sealedKinds } from "./seal.ts";

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
  const own = ownTables[kind];
  const { rows } = await (own
    ? sql<StoredText>`select id as key, ${own.column} as stored from ${own.table}
        where id > ${after} and ${own.column} is not null
        order by id limit ${pageSize} ${lock}`
    : sql<StoredText>`select key, value as stored from keyv
        where key > ${`${kind}:${after}`} and key < ${`${kind};`}
          and (expires_at is null or expires_at > ${now()})
        order by key limit ${pageSize} ${lock}`
  ).execute(db);
  const found = rows.map(({ key, stored }) => ({
    key: own ? key : key.slice(kind.length + 1),
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
const ownTables: Partial<Record<SealedKind, Record<"table" | "column", RawBuilder<unknown>>>> = {
  revocation: { table: sql.table("revocations"), column: sql.ref("token") },
  interaction: { table: sql.table("interactions"), column: sql.ref("request") },
};

interface StoredText {
  readonly key: string;
  readonly stored: string;
}

export async function writeSealedRecord({ db }: Database, row: SealedRecord, text: string) {
  const stored = row.stored.replace(row.text, text);
  const own = ownTables[row.kind];
  await (own
    ? sql`update ${own.table} set ${own.column} = ${stored} where id = ${row.key}`.execute(db)
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

/** Undefined if a record does not have the shape of its kind. */
function readSealedText(kind: SealedKind, stored: string): string | undefined {
  if (ownTables[kind]) return stored;
  try {
    const { value } = JSON.parse(stored);
    const text: unknown = kind === "ticket" ? value.sealed : value;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
