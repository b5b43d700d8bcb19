import { randomBytes } from "node:crypto";
import type { SealedRecordsDeps } from "./access-tokens.ts";
import { answer, change } from "./failure.ts";
import { type Context, isUnreadable, open, seal } from "./seal.ts";
import type { Revocation, Revocations, StoreOverOptions } from "./types.ts";

const usualDelayMs = 30_000;
const pageSize = 100;

type RevocationsDeps = Omit<SealedRecordsDeps, "records"> &
  Pick<SealedRecordsDeps["records"], "database"> &
  Pick<StoreOverOptions, "onRevocation">;

/** Kept without a word of whose they were; what could not be told by then ends by itself at the service. */
export function createRevocations(deps: RevocationsDeps): Revocations {
  const { database, keyring, onSecret, onRevocation } = deps;
  const { db, now } = database;
  const select = () => db.selectFrom("revocations").selectAll();

  function opened(row: Awaited<ReturnType<typeof firstOf>>): Revocation | undefined {
    if (row === undefined) return undefined;
    const token = open(keyring, revocationContext(row.id), row.token);
    onSecret(token);
    const { id, channel_id: channelId, added_at: addedAt, due_at: dueAt } = row;
    return { id, token, ...(channelId !== null && { channelId }), addedAt, dueAt };
  }

  const firstOf = (id: string) => select().where("id", "=", id).executeTakeFirst();

  /** A damaged row is left out: nobody can end its consent, and the others must not wait for it. */
  function readable(row: Awaited<ReturnType<typeof firstOf>>): readonly Revocation[] {
    try {
      const one = opened(row);
      return one === undefined ? [] : [one];
    } catch (error) {
      if (isUnreadable(error)) return [];
      throw error;
    }
  }

  return {
    add: (token, { channelId, dueAt } = {}) =>
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
    read: (id) => answer(async () => opened(await firstOf(id))),
    due: () =>
      change(async () => {
        const rows = await select()
          .where("due_at", "<=", now())
          .orderBy("due_at")
          .limit(pageSize)
          .execute();
        return rows.flatMap(readable);
      }),
    ofChannel: (channelId) =>
      change(async () => {
        const rows = await select()
          .where("channel_id", "=", channelId)
          .orderBy("due_at", "desc")
          .limit(pageSize)
          .execute();
        return rows.flatMap(readable);
      }),
    remove: (id) =>
      change(async () => {
        await db.deleteFrom("revocations").where("id", "=", id).execute();
        await database.wipe();
      }),
  };
}

export function revocationContext(id: string): Context {
  return { purpose: "revocation", guildId: "", kind: "token", field: id };
}
