import { randomBytes } from "node:crypto";
import type { Tables } from "../database/index.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { answer, change } from "./failure.ts";
import { type Context, isUnreadable, open, seal } from "./seal.ts";

export interface Revocation {
  /** 32 hex digits. */
  readonly id: string;
  readonly token: string;
  readonly channelId?: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Not told before. Milliseconds since the epoch. */
  readonly dueAt: number;
}

interface RevocationOptions {
  /**
   * Of the channel that the token speaks for. To end a token ends everything its account gave to this bot, so that a
   * channel which is linked somewhere by then keeps it.
   */
  readonly channelId?: string | undefined;
  /** Milliseconds since the epoch; half a minute from now when absent, so that the link can be removed first. */
  readonly dueAt?: number | undefined;
}

/** Called with each consent that is to be ended, within the transaction that writes it down. */
export type OnRevocation = (revocation: Pick<Revocation, "id" | "dueAt">) => Promise<void>;

interface RevocationsDeps extends SealedRecordsDeps {
  readonly onRevocation: OnRevocation | undefined;
}

export type Revocations = ReturnType<typeof createRevocations>;

const usualDelayMs = 30_000;
const pageSize = 100;

/**
 * Tokens that the authorisation service has still to be told to end. Sealed, and kept without a word of whose they were; what
 * could not be told by then ends by itself at the service.
 */
export function createRevocations(deps: RevocationsDeps) {
  const { keyring, onSecret, onRevocation } = deps;
  const { database } = deps.records;
  const { db, now } = database;
  const select = () => db.selectFrom("revocations").selectAll();
  return {
    /** Answers its id. Part of the transaction that is under way. @throws ServiceError `store_unavailable`. */
    add: (token: string, { channelId, dueAt }: RevocationOptions = {}) =>
      change(async () => {
        onSecret(token);
        const id = randomBytes(16).toString("hex");
        const row = {
          ...{ id, channel_id: channelId ?? null, added_at: now() },
          ...{ token: seal(keyring, revocationContext(id), token) },
          due_at: dueAt ?? now() + usualDelayMs,
        };
        await database.transaction(async () => {
          await db.insertInto("revocations").values(row).execute();
          await onRevocation?.({ id, dueAt: row.due_at });
        });
        return id;
      }),
    read: (id: string) =>
      answer(async () => {
        const row = await select().where("id", "=", id).executeTakeFirst();
        return row === undefined ? undefined : opened(deps, row);
      }),
    /** The latest first; at most 100, without what does not open. @throws ServiceError `store_unavailable`. */
    ofChannel: (channelId: string) =>
      change(async () => {
        const rows = await select()
          .where("channel_id", "=", channelId)
          .orderBy("due_at", "desc")
          .limit(pageSize)
          .execute();
        return rows.flatMap((row) => readable(deps, row));
      }),
    /** @throws ServiceError `store_unavailable`. */
    remove: (id: string) =>
      change(async () => {
        await db.deleteFrom("revocations").where("id", "=", id).execute();
        await database.wipe();
      }),
  };
}

function opened({ keyring, onSecret }: RevocationsDeps, row: Tables["revocations"]): Revocation {
  const token = open(keyring, revocationContext(row.id), row.token);
  onSecret(token);
  const { id, channel_id: channelId, added_at: addedAt, due_at: dueAt } = row;
  return { id, token, ...(channelId !== null && { channelId }), addedAt, dueAt };
}

/** A damaged row is left out: nobody can end its consent, and the others must not wait for it. */
function readable(deps: RevocationsDeps, row: Tables["revocations"]): readonly Revocation[] {
  try {
    return [opened(deps, row)];
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}

export function revocationContext(id: string): Context {
  return { purpose: "revocation", guildId: "", kind: "token", field: id };
}
