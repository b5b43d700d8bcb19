import { answerMs, within } from "../deadline.ts";
import { lostAnswer } from "../failure.ts";
import type { Rows } from "../rows.ts";
import { createUpdate, type Swap } from "../swap.ts";
import { isRefusal, isUnsent, type RedisClient } from "./client.ts";
import { replaceScript } from "./script.ts";

/** The server may hold other programs' keys; all of ours start so. */
const prefix = "greenroom:";
const pageSize = 500;

/**
 * Records as strings, and beside them one sorted set a namespace that lists its keys by when they expire: `SCAN` would walk
 * over everybody's keys.
 */
export function createRedisRows(client: RedisClient): Rows {
  async function get(key: string): Promise<string | undefined> {
    return (await within(answerMs, client.get(prefix + key))) ?? undefined;
  }

  async function replace(swap: Swap, expected: "any" | "none" | "is"): Promise<boolean> {
    const { key, from = "", to, ttlMs = 0, guard } = swap;
    const made = to === undefined ? ["remove", ""] : ["put", to];
    const call = client.eval(replaceScript, {
      keys: [
        ...[prefix + key, indexOf(key.slice(0, key.indexOf(":")))],
        ...(guard ? [prefix + guard.key] : []),
      ],
      arguments: [
        ...[key, expected, from, ...made, String(Math.ceil(ttlMs))],
        ...(guard ? [guard.text] : []),
      ],
    });
    try {
      return (await within(answerMs, call)) === 1;
    } catch (error) {
      throw isRefusal(error) || isUnsent(error) ? error : lostAnswer(error);
    }
  }

  return {
    dialect: "redis",
    get,
    set: async (key, to, ttlMs) => {
      await replace({ key, from: undefined, to, ...(ttlMs !== undefined && { ttlMs }) }, "any");
    },
    delete: (key) => replace({ key, from: undefined, to: undefined }, "any"),
    update: createUpdate({
      get,
      swap: (swap) => replace(swap, swap.from === undefined ? "none" : "is"),
    }),
    list: (namespace, prefix) =>
      prefix === undefined
        ? listAll(client, namespace)
        : listWithin(client, namespace, `${namespace}:${prefix}:`),
  };
}

async function* listAll(
  client: RedisClient,
  namespace: string,
): AsyncGenerator<[key: string, text: string]> {
  const seen = new Set<string>();
  let cursor = "0";
  do {
    const page = await within(
      answerMs,
      client.zScan(indexOf(namespace), cursor, { COUNT: pageSize }),
    );
    cursor = page.cursor;
    // A scan may come by the same key twice.
    const keys = page.members.map(({ value }) => value).filter((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    yield* await readAll(client, keys);
  } while (cursor !== "0");
}

/** Records that stay for good have one rank in the index, so that it holds them in the order of their keys. */
async function* listWithin(
  client: RedisClient,
  namespace: string,
  start: string,
): AsyncGenerator<[key: string, text: string]> {
  let from = start;
  for (;;) {
    const page = client.zRangeByLex(indexOf(namespace), `(${from}`, `(${start}\xff`, {
      LIMIT: { offset: 0, count: pageSize },
    });
    const keys = await within(answerMs, page);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield* await readAll(client, keys);
    from = last;
  }
}

async function readAll(client: RedisClient, keys: readonly string[]): Promise<[string, string][]> {
  if (keys.length === 0) return [];
  const texts = await within(answerMs, client.mGet(keys.map((key) => prefix + key)));
  // The index keeps what has expired until the next write.
  return keys.flatMap((key, n) => {
    const text = texts[n];
    return typeof text === "string" ? [[key, text] as [string, string]] : [];
  });
}

function indexOf(namespace: string): string {
  return `${prefix}keys:${namespace}`;
}
