import type { Backend } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkGuildId, isHandle, newHandle } from "./ids.ts";
import { platformDataMs } from "./retention.ts";
import type { Continuation, Continuations } from "./types.ts";

/** Comments wait for a decision for 60 days at most (facts/discord.md: Held comments). */
const waitingMs = 61 * 24 * 3_600_000;

/** What buttons, selects and forms stand for. A handle comes from outside: anything but its shape is simply not there. */
export function createContinuations(backend: Backend): Continuations {
  const records = backend.records.continuation;
  const write = (key: string, kept: Continuation, ttlMs: number) =>
    backend.update({ namespace: "continuation", key, guildId: kept.guildId }, () => kept, ttlMs);

  return {
    put: ({ guildId, userId, state }, ttlMs) =>
      change(async () => {
        const handle = newHandle();
        const kept: Continuation = { guildId: checkGuildId(guildId), userId, state };
        await write(handle, kept, Math.min(Math.max(1, ttlMs), platformDataMs));
        return handle;
      }),
    putAs: async (handle, { guildId, userId, state }) => {
      if (!isHandle(handle)) throw new TypeError("a handle has 22 characters of base64url");
      const kept: Continuation = { guildId: checkGuildId(guildId), userId, state };
      await change(() => write(handle, kept, waitingMs));
    },
    read: (handle) =>
      answer(async () => (isHandle(handle) ? records.get<Continuation>(handle) : undefined)),
    remove: (handle) =>
      change(async () => {
        if (isHandle(handle)) await records.delete(handle);
      }),
  };
}
