import { randomBytes } from "node:crypto";
import type { Tables } from "../database/index.ts";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { readStore, writeStore } from "./failure.ts";
import { ifReadable, openSealed, seal, sealContextFor } from "./seal.ts";

export interface Revocation {
  /** 32 hex digits. */
  readonly id: string;
  readonly token: string;
  readonly channelId?: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** Nothing is sent to Google before this time. Milliseconds since the epoch. */
  readonly dueAt: number;
}

interface RevocationOptions {
  /**
   * The channel that the token is for. Revoking a token ends all consents of its account for this bot, so a token is not
   * revoked if its channel is linked somewhere by then.
   */
  readonly channelId?: string | undefined;
  /** Milliseconds since the epoch; half a minute from now when absent, so that the link can be removed first. */
  readonly dueAt?: number | undefined;
}

/** Called with each consent that has to be ended, within the transaction that stores it. */
export type OnRevocation = (revocation: Pick<Revocation, "id" | "dueAt">) => Promise<void>;

export type Revocations = ReturnType<typeof createRevocations>;

const usualDelayMs = 30_000;
const pageSize = 100;

/**
 * Tokens that still have to be revoked at Google. They are sealed, and nothing shows whose they were. A token that can't be
 * revoked in time expires at Google by itself.
 */
export function createRevocations(
  { records: { database }, keyring, onSecret }: SealedRecordsDeps,
  onRevocation?: OnRevocation,
) {
  const { db, now } = database;
  const select = () => db.selectFrom("revocations").selectAll();

  function open(row: Tables["revocations"]): Revocation {
    const { id, channel_id: channelId, added_at: addedAt, due_at: dueAt } = row;
    const token = openSealed(keyring, sealContextFor("revocation", id), row.token);
    onSecret(token);
    return { id, token, ...(channelId !== null && { channelId }), addedAt, dueAt };
  }

  return {
    /** Returns its id. Takes part in the current transaction, if any. @throws ServiceError `store_unavailable`. */
    add: (token: string, { channelId, dueAt }: RevocationOptions = {}) =>
      writeStore(async () => {
        onSecret(token);
        const id = randomBytes(16).toString("hex");
        const row = {
          id,
          channel_id: channelId ?? null,
          added_at: now(),
          token: seal(keyring, sealContextFor("revocation", id), token),
          due_at: dueAt ?? now() + usualDelayMs,
        };
        await database.transaction(async () => {
          await db.insertInto("revocations").values(row).execute();
          await onRevocation?.({ id, dueAt: row.due_at });
        });
        return id;
      }),
    read: (id: string) =>
      readStore(async () => {
        const row = await select().where("id", "=", id).executeTakeFirst();
        return row === undefined ? undefined : open(row);
      }),
    /** The latest first; at most 100, without what does not open. @throws ServiceError `store_unavailable`. */
    ofChannel: (channelId: string) =>
      writeStore(async () => {
        const rows = await select()
          .where("channel_id", "=", channelId)
          .orderBy("due_at", "desc")
          .limit(pageSize)
          .execute();
        return rows.flatMap((row) => ifReadable(() => [open(row)]));
      }),
    /** @throws ServiceError `store_unavailable`. */
    remove: (id: string) =>
      writeStore(async () => {
        await db.deleteFrom("revocations").where("id", "=", id).execute();
        await database.wipe();
      }),
  };
}
