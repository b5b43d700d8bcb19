import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Backend } from "./backend.ts";
import { admitted, type IndexEntry } from "./continuation-index.ts";
import { answer, change } from "./failure.ts";
import { checkGuildId, isHandle, newHandle } from "./ids.ts";
import { platformDataMs } from "./retention.ts";
import type { Continuation, Continuations } from "./types.ts";

export interface ContinuationsDeps {
  readonly backend: Pick<Backend, "records" | "update">;
  readonly now: () => number;
  /** Of all of a guild's together; 4 MiB when absent. */
  readonly maxGuildBytes?: number;
}

/** Comments wait for a decision for 60 days at most (facts/discord.md: Held comments). */
const waitingMs = 61 * 24 * 3_600_000;

/** Some 4,000 replies with buttons. */
const usualMaxGuildBytes = 4 * 1024 * 1024;
/** A handle's first character says where it is listed, so that each reply rewrites a short list and no long one. */
const lists = 64;
/** Below this many characters a state is not worth packing. */
const leastPacked = 512;

/** As it is stored: the buttons of a list say nearly the same each, so a long state is packed. */
interface StoredContinuation extends Pick<Continuation, "guildId" | "userId"> {
  readonly state?: unknown;
  readonly packed?: string;
}

/**
 * What buttons, selects and forms stand for. A handle comes from outside: anything but its shape is simply not there.
 * What `put` writes is listed beside it, and over a guild's limit the oldest of whoever has most there goes; what `putAs`
 * writes is listed nowhere, so that nobody's searches reach the cards of a queue.
 */
export function createContinuations(deps: ContinuationsDeps): Continuations {
  const { backend, now, maxGuildBytes = usualMaxGuildBytes } = deps;
  const records = backend.records.continuation;
  const write = (key: string, stored: StoredContinuation, ttlMs: number) =>
    backend.update(
      { namespace: "continuation", key, guildId: stored.guildId },
      () => stored,
      ttlMs,
    );

  /** Listed before it is written: a process that dies in between leaves a line too many, and nothing unlisted. */
  async function list(guildId: string, entry: IndexEntry): Promise<readonly string[]> {
    const key = `${guildId}:${entry.handle[0]}`;
    const at = { namespace: "continuation-index", key, guildId } as const;
    const limits = { maxBytes: maxGuildBytes / lists, now: now() };
    let dropped: readonly IndexEntry[] = [];
    const make = (stored: unknown) => {
      const result = admitted(entry, (stored ?? []) as readonly IndexEntry[], limits);
      dropped = result.dropped;
      return result.listed;
    };
    await backend.update(at, make, platformDataMs);
    return dropped.map(({ handle }) => handle);
  }

  return {
    put: ({ guildId, userId, state }, ttlMs) =>
      change(async () => {
        const handle = newHandle();
        const stored = pack({ guildId: checkGuildId(guildId), userId, state });
        // Keyv takes a time of 0 for no end at all.
        const keptMs = Math.min(Math.max(1, ttlMs), platformDataMs);
        const bytes = JSON.stringify(stored).length;
        const dropped = await list(guildId, { handle, userId, bytes, endsAt: now() + keptMs });
        await Promise.all(dropped.map((one) => records.delete(one)));
        await write(handle, stored, keptMs);
        return handle;
      }),
    putAs: async (handle, { guildId, userId, state }) => {
      if (!isHandle(handle)) throw new TypeError("a handle has 22 characters of base64url");
      const stored = pack({ guildId: checkGuildId(guildId), userId, state });
      await change(() => write(handle, stored, waitingMs));
    },
    read: (handle) =>
      answer(async () => {
        const stored = isHandle(handle) ? await records.get<StoredContinuation>(handle) : undefined;
        return stored === undefined ? undefined : unpack(stored);
      }),
    remove: (handle) =>
      change(async () => {
        // Its line stays until it is over: that is its owner's own room.
        if (isHandle(handle)) await records.delete(handle);
      }),
  };
}

function pack({ guildId, userId, state }: Continuation): StoredContinuation {
  const text = JSON.stringify(state);
  if (text.length < leastPacked) return { guildId, userId, state };
  return { guildId, userId, packed: deflateRawSync(text).toString("base64") };
}

function unpack({ guildId, userId, state, packed }: StoredContinuation): Continuation {
  if (packed === undefined) return { guildId, userId, state };
  const text = inflateRawSync(Buffer.from(packed, "base64")).toString();
  return { guildId, userId, state: JSON.parse(text) };
}
