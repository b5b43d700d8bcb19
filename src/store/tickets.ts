import { createHash, randomBytes } from "node:crypto";
import type { Backend } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkGuildId } from "./ids.ts";
import { type Context, type Keyring, open, seal } from "./seal.ts";
import type { Ticket, Tickets } from "./types.ts";

interface Parts {
  readonly backend: Backend;
  readonly keyring: Keyring;
}

/** What lies in the store: the guild openly, so that it can be erased, the rest sealed. */
interface Kept {
  readonly guildId: string;
  readonly sealed: string;
}

const tokenBytes = 32;
const shape = /^[A-Za-z0-9_-]{43}$/;

/** Records that only the holder of their token can find, and one holder can take. */
export function createTickets({ backend, keyring }: Parts): Tickets {
  const records = backend.records.ticket;

  function opened(key: string, { guildId, sealed }: Kept): Ticket {
    const { userId, content } = JSON.parse(open(keyring, bound(guildId, key), sealed));
    return { guildId, userId, content };
  }

  return {
    put: ({ guildId, userId, content }, ttlMs) =>
      change(async () => {
        const token = randomBytes(tokenBytes).toString("base64url");
        const key = keyOf(token);
        const text = JSON.stringify({ userId, content });
        const sealed = seal(keyring, bound(checkGuildId(guildId), key), text);
        await records.set(key, { guildId, sealed } satisfies Kept, Math.max(1, ttlMs));
        return token;
      }),
    read: (token) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        const kept = await records.get<Kept>(key);
        return kept && opened(key, kept);
      }),
    take: (token) =>
      answer(async () => {
        if (!shape.test(token)) return undefined;
        const key = keyOf(token);
        let taken: unknown;
        await backend.update({ namespace: "ticket", key }, (value) => {
          taken = value;
          return undefined;
        });
        return taken === undefined ? undefined : opened(key, taken as Kept);
      }),
  };
}

function keyOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function bound(guildId: string, key: string): Context {
  return { purpose: "ticket", guildId, kind: "ticket", field: key };
}
