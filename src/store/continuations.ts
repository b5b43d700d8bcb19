import { randomBytes } from "node:crypto";
import type { Keyv } from "keyv";
import { answer, change } from "./failure.ts";
import { checkGuildId, isHandle } from "./ids.ts";
import type { Continuation, Continuations } from "./types.ts";

/** Its own expiry beside keyv's, so that the clock given to the store decides. */
interface Kept extends Continuation {
  readonly expiresAt: number;
}

const handleBytes = 16;

/** What buttons, selects and forms stand for. A handle comes from outside: anything but its shape is simply not there. */
export function createContinuations(records: Keyv, now: () => number): Continuations {
  return {
    put: ({ guildId, userId, state }, ttlMs) =>
      change(async () => {
        const handle = randomBytes(handleBytes).toString("base64url");
        const expiresAt = now() + ttlMs;
        const kept: Kept = { guildId: checkGuildId(guildId), userId, state, expiresAt };
        await records.set(handle, kept, ttlMs);
        return handle;
      }),
    read: (handle) =>
      answer(async () => {
        const kept = isHandle(handle) ? await records.get<Kept>(handle) : undefined;
        if (kept === undefined || kept.expiresAt <= now()) return undefined;
        return { guildId: kept.guildId, userId: kept.userId, state: kept.state };
      }),
    remove: (handle) =>
      change(async () => {
        if (isHandle(handle)) await records.delete(handle);
      }),
  };
}
