import { randomBytes } from "node:crypto";
import { type Backend, entries } from "./backend.ts";
import { change } from "./failure.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { Revocation, Revocations } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
  readonly onSecret: (secret: string) => void;
  readonly now: () => number;
}

/** Kept without a word of whose they were; what could not be told by then ends by itself at the service. */
export function createRevocations({ backend, keyring, onSecret, now }: Parts): Revocations {
  const records = backend.records.revocation;
  return {
    add: (token) =>
      change(async () => {
        onSecret(token);
        const id = randomBytes(16).toString("hex");
        const text = JSON.stringify({ token, addedAt: now() });
        await records.set(id, seal(keyring, bound(id), text));
      }),
    all: () =>
      change(async () => {
        const found: Revocation[] = [];
        for await (const [id, sealed] of entries(records)) {
          const { token, addedAt } = JSON.parse(open(keyring, bound(id), String(sealed)));
          onSecret(token);
          found.push({ id, token, addedAt });
        }
        return found;
      }),
    remove: (id) =>
      change(async () => {
        await records.delete(id);
        backend.wipe();
      }),
  };
}

function bound(id: string): Context {
  return { purpose: "revocation", guildId: "", kind: "token", field: id };
}
