import { randomBytes } from "node:crypto";
import { type Backend, entries } from "./backend.ts";
import { change } from "./failure.ts";
import { type Context, isUnreadable, type Keyring, open, seal } from "./seal.ts";
import type { Revocation, Revocations } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
  readonly now: () => number;
}

const usualDelayMs = 30_000;

/** Kept without a word of whose they were; what could not be told by then ends by itself at the service. */
export function createRevocations({ backend, keyring, onSecret, now }: Parts): Revocations {
  const records = backend.records.revocation;

  /** Undefined for a damaged row: nobody can end its consent, and the others must not wait for it. */
  function readable(id: string, sealed: unknown): string | undefined {
    try {
      return open(keyring, revocationContext(id), String(sealed));
    } catch (error) {
      if (error instanceof Error && isUnreadable(error)) return undefined;
      throw error;
    }
  }

  return {
    add: (token, { channelId, dueAt = now() + usualDelayMs } = {}) =>
      change(async () => {
        onSecret(token);
        const id = randomBytes(16).toString("hex");
        const text = JSON.stringify({ token, channelId, addedAt: now(), dueAt });
        await records.set(id, seal(keyring, revocationContext(id), text));
        return id;
      }),
    all: () =>
      change(async () => {
        const found: Revocation[] = [];
        for await (const [id, sealed] of entries(records)) {
          const text = readable(id, sealed);
          if (text === undefined) continue;
          const { token, channelId, addedAt, dueAt } = JSON.parse(text);
          onSecret(token);
          found.push({ id, token, ...(channelId && { channelId }), addedAt, dueAt });
        }
        return found;
      }),
    remove: (id) =>
      change(async () => {
        await records.delete(id);
        await backend.wipe();
      }),
  };
}

export function revocationContext(id: string): Context {
  return { purpose: "revocation", guildId: "", kind: "token", field: id };
}
