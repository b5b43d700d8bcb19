import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";
import { accessTokenContext } from "./access-tokens.ts";
import { credentialContext } from "./credentials.ts";
import { revocationContext } from "./revocations.ts";
import { type Context, sealedBy } from "./seal.ts";
import { type KeptTicket, ticketContext } from "./tickets.ts";

/** Every kind of row that a master key seals; a key's own canary is none of them. */
export const sealedKinds = ["credential", "token", "ticket", "revocation"] as const;

export type SealedKind = (typeof sealedKinds)[number];

export interface SealedRow {
  readonly kind: SealedKind;
  /** Without its kind. */
  readonly key: string;
  /** All that stands in the row. */
  readonly stored: string;
  /** Of that, what is sealed. */
  readonly text: string;
  /** Id of the master key that wraps its data key. */
  readonly keyId: string;
}

interface SealedPage {
  /** Without damaged rows, which name no key. */
  readonly rows: readonly SealedRow[];
  /** Where the next page begins; undefined where none is left. */
  readonly next: string | undefined;
}

const pageSize = 25;

/** Rows of one kind, in the order of their keys; with a lock nobody else changes them before the transaction is over. */
export async function readSealedPage(
  { db, dialect, now }: Database,
  kind: SealedKind,
  { after = "", isLocked = false }: { readonly after?: string; readonly isLocked?: boolean } = {},
): Promise<SealedPage> {
  // What somebody else holds is looked at in the next pass: to wait for it could mean to wait for each other.
  const lock = isLocked && dialect === "postgres" ? sql`for update skip locked` : sql``;
  const { rows } = await (kind === "revocation"
    ? sql<Stored>`select id as key, token as stored from revocations where id > ${after}
        order by id limit ${pageSize} ${lock}`
    : sql<Stored>`select key, value as stored from keyv
        where key > ${`${kind}:${after}`} and key < ${`${kind};`}
          and (expires_at is null or expires_at > ${now()})
        order by key limit ${pageSize} ${lock}`
  ).execute(db);
  const found = rows.map(({ key, stored }) => ({
    key: kind === "revocation" ? key : key.slice(kind.length + 1),
    stored,
  }));
  return { rows: found.flatMap((row) => sealedRow(kind, row)), next: found.at(-1)?.key };
}

interface Stored {
  readonly key: string;
  readonly stored: string;
}

export async function writeSealedRow({ db }: Database, row: SealedRow, text: string) {
  const stored = row.stored.replace(row.text, text);
  await (row.kind === "revocation"
    ? db.updateTable("revocations").set({ token: stored }).where("id", "=", row.key).execute()
    : db
        .updateTable("keyv")
        .set({ value: stored })
        .where("key", "=", `${row.kind}:${row.key}`)
        .execute());
}

/** How many rows of each kind a key seals, by the key's id. */
export async function countSealedRows(
  database: Database,
): Promise<ReadonlyMap<string, Readonly<Record<SealedKind, number>>>> {
  const counts = new Map<string, Record<SealedKind, number>>();
  for (const kind of sealedKinds) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const { rows, next }: SealedPage = await readSealedPage(database, kind, { after });
      for (const { keyId } of rows) {
        const of = counts.get(keyId) ?? noRows();
        of[kind] += 1;
        counts.set(keyId, of);
      }
      after = next;
      await nextTurn();
    }
  }
  return counts;
}

export function noRows(): Record<SealedKind, number> {
  return { credential: 0, token: 0, ticket: 0, revocation: 0 };
}

export function totalOf(rows: Readonly<Record<SealedKind, number>> = noRows()): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

export function contextOfRow({ kind, key, stored }: SealedRow): Context {
  const [one, other] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
  switch (kind) {
    case "credential":
      return credentialContext(one, other);
    case "token":
      return accessTokenContext(one, other);
    case "ticket":
      return ticketContext((JSON.parse(stored).value as KeptTicket).guildId, key);
    case "revocation":
      return revocationContext(key);
  }
}

function sealedRow(kind: SealedKind, row: Stored): readonly SealedRow[] {
  const text = textOf(kind, row.stored);
  const keyId = text === undefined ? undefined : sealedBy(text);
  return text === undefined || keyId === undefined ? [] : [{ kind, ...row, text, keyId }];
}

/** Undefined where a row does not have its kind's shape. */
function textOf(kind: SealedKind, stored: string): string | undefined {
  if (kind === "revocation") return stored;
  try {
    const { value } = JSON.parse(stored);
    const text: unknown = kind === "ticket" ? value.sealed : value;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
