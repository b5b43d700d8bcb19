import { answerMs, within } from "../deadline.ts";
import { lostAnswer } from "../failure.ts";
import type { Rows } from "../rows.ts";
import { createUpdate, type Swap } from "../swap.ts";
import { type Postgres, table } from "./pool.ts";

const replacing =
  "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires";
const put = `INSERT INTO public.${table} AS t (key, value, expires) VALUES ($1, $2, $3) ${replacing}`;

/** The lock that a foreign key takes: whoever removes that row waits for this write, or this write finds it gone. */
const guard = `WITH guard AS (
  SELECT 1 FROM public.${table} WHERE key = $1 AND value = $2 FOR KEY SHARE)`;

/** Every one is whole or not at all by itself; what writes answers a row for each that it changed. */
const statements = {
  get: `SELECT value FROM public.${table} WHERE key = $1 AND (expires IS NULL OR expires > $2)`,
  set: `${put} RETURNING 1`,
  add: `${put} WHERE t.expires <= $4 RETURNING 1`,
  replace: `UPDATE public.${table} SET value = $2, expires = $3
    WHERE key = $1 AND value = $4 AND (expires IS NULL OR expires > $5) RETURNING 1`,
  remove: `DELETE FROM public.${table}
    WHERE key = $1 AND value = $2 AND (expires IS NULL OR expires > $3) RETURNING 1`,
  guardedAdd: `${guard} INSERT INTO public.${table} AS t (key, value, expires)
    SELECT $3::text, $4::text, $5::bigint FROM guard ${replacing} WHERE t.expires <= $6 RETURNING 1`,
  guardedReplace: `${guard} UPDATE public.${table} AS t SET value = $4, expires = $5 FROM guard
    WHERE t.key = $3 AND t.value = $6 AND (t.expires IS NULL OR t.expires > $7) RETURNING 1`,
  guardedRemove: `${guard} DELETE FROM public.${table} AS t USING guard
    WHERE t.key = $3 AND t.value = $4 AND (t.expires IS NULL OR t.expires > $5) RETURNING 1`,
  delete: `DELETE FROM public.${table} WHERE key = $1 RETURNING 1`,
  sweep: `DELETE FROM public.${table} WHERE expires <= $1`,
  page: `SELECT key, value FROM public.${table}
    WHERE key COLLATE "C" > $1 AND key COLLATE "C" < $2 AND (expires IS NULL OR expires > $3)
    ORDER BY key COLLATE "C" LIMIT 500`,
} as const;

const guarded = { add: "guardedAdd", replace: "guardedReplace", remove: "guardedRemove" } as const;

const sweepEveryMs = 60_000;
const lastCharacter = "\u{10FFFF}";

/** Records as rows of one table, with the same columns as SQLite's; expired ones are swept by later writes. */
export function createPostgresRows({ query }: Postgres, now: () => number): Rows {
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function get(key: string): Promise<string | undefined> {
    const [row] = await within(answerMs, query(statements.get, [key, now()]));
    return row === undefined ? undefined : String(row.value);
  }

  async function write(name: keyof typeof statements, values: readonly unknown[]) {
    await sweep();
    try {
      return (await within(answerMs, query(statements[name], values))).length > 0;
    } catch (error) {
      throw isCertain(error) ? error : lostAnswer(error);
    }
  }

  async function sweep(): Promise<void> {
    if (now() - sweptAt < sweepEveryMs) return;
    await within(answerMs, query(statements.sweep, [now()]));
    sweptAt = now();
  }

  const endOf = (ttlMs: number | undefined) =>
    ttlMs === undefined ? null : Math.ceil(now() + ttlMs);

  function swap({ key, from, to, ttlMs, guard: met }: Swap): Promise<boolean> {
    const change = (name: "add" | "replace" | "remove", values: readonly unknown[]) =>
      met === undefined
        ? write(name, values)
        : write(guarded[name], [met.key, met.text, ...values]);
    if (to === undefined) return change("remove", [key, from, now()]);
    if (from === undefined) return change("add", [key, to, endOf(ttlMs), now()]);
    return change("replace", [key, to, endOf(ttlMs), from, now()]);
  }

  return {
    dialect: "postgres",
    get,
    set: async (key, text, ttlMs) => void (await write("set", [key, text, endOf(ttlMs)])),
    delete: (key) => write("delete", [key]),
    update: createUpdate({ get, swap }),
    async *list(namespace, prefix) {
      let from = prefix === undefined ? `${namespace}:` : `${namespace}:${prefix}:`;
      const to = `${from}${lastCharacter}`;
      for (;;) {
        const rows = await within(answerMs, query(statements.page, [from, to, now()]));
        for (const { key, value } of rows) yield [String(key), String(value)];
        const last = rows.at(-1);
        if (last === undefined) return;
        from = String(last.key);
      }
    },
  };
}

/** The server answered, or was never asked: nothing was changed. */
function isCertain(error: unknown): boolean {
  const { code, message = "" } = error as { code?: unknown; message?: string };
  const unreached = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENOENT"];
  if (typeof code === "string") return isState(code) || unreached.includes(code);
  return /timeout exceeded when trying to connect|connection timeout|is closed$/.test(message);
}

/** An SQLSTATE, but for those of a connection that broke while the server worked. */
function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("08") && code !== "57P02";
}
