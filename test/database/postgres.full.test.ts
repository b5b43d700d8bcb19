import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, sql } from "../../src/database/index.ts";
import { type Kind, postgres } from "../support/databases/kinds.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { query } from "../support/databases/shared-server.ts";
import { openFor } from "./open.ts";

const chosen = process.env.GREENROOM_TEST_DATABASE ?? "PostgreSQL";

describe.skipIf(findPostgres() === undefined || chosen !== "PostgreSQL")("on PostgreSQL", () => {
  let kind: Kind;
  beforeAll(() => {
    kind = postgres();
  });
  afterAll(() => kind.stop());

  const open = async () => {
    const { url } = await kind.fresh();
    return { url, database: await openFor({ url }), put: (one: Database) => putRow(one) };
  };
  const putRow = ({ db }: Database) =>
    sql`insert into keyv (key, value) values ('a', '1')
      on conflict (key) do update set value = keyv.value || '1'`.execute(db);
  const setting = async ({ db }: Database, name: string) => {
    const { rows } = await sql<{ value: string }>`
      select current_setting(${name}) as value`.execute(db);
    return rows[0]?.value;
  };

  it("ends transactions that stand still, then waits for them, then statements", async () => {
    const { database } = await open();

    const names = ["idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout"];
    const values = await Promise.all(names.map((name) => setting(database, name)));

    expect(values).toEqual(["2s", "4s", "5s"]);
  });

  it("lets others write soon where a process stands still within a transaction", async () => {
    const { url, database, put } = await open();
    const other = await openFor({ url });
    const isIn = Promise.withResolvers<void>();
    let wrote: Promise<unknown> = Promise.resolve();
    let tries = 0;

    const standing = database.transaction(async () => {
      tries += 1;
      await put(database);
      isIn.resolve();
      if (tries === 1) await wrote;
      await put(database);
    });
    wrote = isIn.promise.then(() => put(other));

    await wrote;
    await standing;
    const rows = await query(url, "select value from keyv where key = 'a'");
    expect(rows).toEqual([{ value: "111" }]);
    expect(tries).toBe(2);
  });

  it.each(["55P03", "57014"])("says that nothing was done after %s", async (code) => {
    const { database } = await open();

    const failing = sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`;

    await expect(failing.execute(database.db)).rejects.toMatchObject({
      code: "store_unavailable",
      outcome: "nothing",
    });
    expect(await setting(database, "lock_timeout")).toBe("4s");
  });

  it("begins a transaction again whose connection was ended", async () => {
    const { url, database, put } = await open();
    let tries = 0;

    await database.transaction(async () => {
      tries += 1;
      await put(database);
      if (tries > 1) return;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
        database.db,
      );
      await query(url, "select pg_terminate_backend($1, 10000)", [rows[0]?.pid]);
      await put(database);
    });

    const rows = await query(url, "select value from keyv where key = 'a'");
    expect(rows).toEqual([{ value: "1" }]);
    expect(tries).toBe(2);
  });

  it("says that nothing was kept of a transaction that went on after a statement failed", async () => {
    const { url, database, put } = await open();
    const calls: string[] = [];

    const done = database.transaction(async () => {
      database.afterCommit(() => calls.push("committed"));
      await put(database);
      await sql`select 1 / 0`.execute(database.db).catch(() => undefined);
    });

    await expect(done).rejects.toMatchObject({ code: "store_unavailable", outcome: "nothing" });
    expect(await query(url, "select value from keyv")).toEqual([]);
    expect(calls).toEqual([]);
    await put(database);
    expect(await query(url, "select value from keyv")).toEqual([{ value: "1" }]);
  });

  it("gives a long statement five minutes, and the next one the usual time", async () => {
    const { database } = await open();
    const read = sql<{ value: string }>`
      select pg_advisory_lock(1), current_setting('statement_timeout') as value`;

    const [long, next] = await database.transaction(async () => {
      const { rows } = await read.execute(database.db);
      return [rows[0]?.value, await setting(database, "statement_timeout")];
    });

    expect([long, next]).toEqual(["5min", "5s"]);
  });
});
