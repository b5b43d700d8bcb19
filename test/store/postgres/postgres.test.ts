import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import keyvTestSuite, { keyvIteratorTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import * as test from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { openPool, type Postgres, table } from "../../../src/store/postgres/pool.ts";
import { createPostgresRows } from "../../../src/store/postgres/rows.ts";
import { KeyvRows } from "../../../src/store/rows.ts";
import type { DatabaseServer } from "../../support/databases/child.ts";
import { findPostgres, startPostgres } from "../../support/databases/postgres-server.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";

const { afterAll, beforeAll, describe, expect, it, onTestFinished } = test;
const keys = [masterKey("k1")];
const unavailable = { state: "failed", error: { code: "store_unavailable" } };

/** What a start is refused with; never with the password. */
async function refusal(url: string) {
  const error = await openStore({ url, keys }).then(
    () => undefined,
    (reason) => reason,
  );
  expect(`${error?.message} ${error?.hint}`).not.toContain("canary");
  return error;
}

describe.skipIf(!findPostgres())("a store on PostgreSQL", () => {
  let server: DatabaseServer;
  let postgres: Postgres;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres(["fsync=off", "log_min_messages=fatal"]);
    postgres = openPool(server.url);
  });
  afterAll(async () => {
    await postgres.close();
    await server.stop();
  });

  async function freshUrl(): Promise<string> {
    count += 1;
    await postgres.query(`CREATE DATABASE fresh${count}`);
    return server.url.replace("/postgres", `/fresh${count}`);
  }

  async function poolOn(url: string): Promise<Postgres> {
    const pool = openPool(url);
    onTestFinished(pool.close);
    return pool;
  }

  it("is opened by ten at once, on an empty database", async () => {
    const url = await freshUrl();

    const stores = await Promise.all(Array.from({ length: 10 }, () => openFor({ url })));
    await stores[0]?.credentials.write(guild, videoKey());

    for (const { credentials } of stores) {
      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    }
  });

  it("keeps two openings of one process apart when one of them is closed", async () => {
    const url = await freshUrl();
    const first = await openFor({ url });
    const second = await openFor({ url });
    const elsewhere = await openFor({ url: await freshUrl() });

    await first.close();

    expect(await first.ping()).toMatchObject(unavailable);
    expect(await second.ping()).toMatchObject({ state: "found" });
    expect(await elsewhere.ping()).toMatchObject({ state: "found" });
    expect(await (await openFor({ url })).ping()).toMatchObject({ state: "found" });
  });

  it("lives on when its idle connections are cut", async () => {
    const url = await freshUrl();
    const { credentials } = await openFor({ url });
    await Promise.all(Array.from({ length: 20 }, () => credentials.write(guild, videoKey())));

    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'greenroom-%' AND pid <> pg_backend_pid()",
    );

    await expect.poll(() => credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    await expect(credentials.write(otherGuild, videoKey())).resolves.toBeUndefined();
  });

  it("answers 2,000 reads at once over its few connections", async () => {
    const { credentials } = await openFor({ url: await freshUrl() });
    await credentials.write(guild, videoKey());

    const reads = await Promise.all(
      Array.from({ length: 2000 }, () => credentials.read(guild, "video-key")),
    );

    expect(reads.filter(({ state }) => state !== "found")).toEqual([]);
  });

  it("sweeps what has expired when something is written later", async () => {
    const url = await freshUrl();
    let now = Date.now();
    const { continuations } = await openFor({ url, now: () => now });
    for (let n = 0; n < 5; n++) {
      await continuations.put({ guildId: guild, userId: "1", state: n }, 1000);
    }

    now += 100_000;
    await continuations.put({ guildId: guild, userId: "1", state: "new" }, 1000);

    const pool = await poolOn(url);
    const rows = await pool.query(`SELECT key FROM ${table} WHERE key LIKE 'continuation:%'`);
    expect(rows).toHaveLength(1);
  });

  it("leaves no trace of an erased server in the table's files", async () => {
    const url = await freshUrl();
    const { credentials, settings, guilds } = await openFor({ url });
    for (const id of [guild, otherGuild]) {
      await credentials.write(id, videoKey());
      await settings.update(id, { noticeChannelId: `7${id.slice(1)}` });
    }
    const files = async () => {
      const pool = openPool(url);
      await pool.query("CHECKPOINT");
      const [place] = await pool.query(`SELECT current_setting('data_directory') || '/base/'
        || (SELECT oid FROM pg_database WHERE datname = current_database()) AS folder`);
      await pool.close();
      const folder = String(place?.folder);
      return readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join("");
    };
    expect(await files()).toContain(guild);

    await guilds.erase(guild);

    expect(await files()).not.toContain(guild);
    expect(await files()).toContain(otherGuild);
  });

  it("is not misled by keys that the database's language sorts otherwise", async () => {
    const rows = createPostgresRows(await poolOn(await migrated(await freshUrl())), Date.now);
    const odd = ["unit:A-b", "unit:a_B", "unit:Ä", "unit:%", "unit:~", "unit::"];
    for (const key of [...odd, "unit", "units:1", "uni_:1"]) await rows.set(key, "text");

    const seen: string[] = [];
    for await (const [key] of rows.list("unit")) seen.push(key);

    expect(seen.toSorted()).toEqual(odd.toSorted());
  });

  async function migrated(url: string): Promise<string> {
    await (await openFor({ url })).ping();
    return url;
  }

  describe("through keyv", () => {
    let pool: Postgres;
    beforeAll(async () => {
      const url = await freshUrl();
      await (await openStore({ url, keys })).close();
      pool = openPool(url);
    });
    afterAll(() => pool.close());
    const open = () => new KeyvRows(createPostgresRows(pool, Date.now));
    keyvTestSuite(test, Keyv, open);
    keyvIteratorTests(test, Keyv, open);
  });
});

describe.skipIf(!findPostgres())("a PostgreSQL that fails", () => {
  it("is told while it is silent or away, and is used again by itself", async () => {
    const server = await startPostgres(["fsync=off"]);
    onTestFinished(server.stop);
    const { credentials, revocations, ping } = await openFor({ url: server.url });
    const both = () =>
      Promise.all([
        credentials.read(guild, "video-key"),
        revocations.add("1//canary").catch((error) => error),
      ]);
    await both();

    server.pause();
    const silent = await both();
    server.goOn();
    await expect.poll(ping, { timeout: 10_000 }).toMatchObject({ state: "found" });
    await server.kill();
    const away = await both();
    await server.start();
    await expect.poll(ping, { timeout: 10_000 }).toMatchObject({ state: "found" });

    expect(silent).toMatchObject([unavailable, { code: "store_unavailable", outcome: "unknown" }]);
    expect(away).toMatchObject([unavailable, { code: "store_unavailable" }]);
  });

  it("refuses whom it does not know, and Greenroom says what to correct", async () => {
    const server = await startPostgres(["fsync=off"]);
    onTestFinished(server.stop);
    const admin = openPool(server.url);
    await admin.query("CREATE ROLE guarded LOGIN PASSWORD 'canary-password'");
    await admin.query("CREATE DATABASE guarded OWNER guarded");
    await admin.close();
    const rules =
      "host all guarded 127.0.0.1/32 scram-sha-256\nhost all greenroom 127.0.0.1/32 trust\n";
    writeFileSync(join(server.folder, "data", "pg_hba.conf"), rules);
    await server.kill();
    await server.start();
    const address = (user: string, database: string) =>
      `postgres://${user}@127.0.0.1:${server.port}/${database}`;
    const told: Readonly<Record<string, string>> = {
      [address("guarded:canary-wrong", "guarded")]: "password",
      [address("stranger:canary", "guarded")]: "pg_hba",
      [address("guarded:canary-password", "missing")]: "createdb",
      [address("guarded:canary-password", "postgres")]: "owner",
    };

    for (const [url, hint] of Object.entries(told)) {
      expect(await refusal(url), url).toMatchObject({
        name: "ConfigError",
        code: "store_server",
        hint: expect.stringContaining(hint),
      });
    }
    // It may only not have started yet: the bot may be started again.
    expect(await refusal("postgres://greenroom:canary@127.0.0.1:1/greenroom")).toMatchObject({
      name: "NetworkError",
      code: "store_server",
      hint: expect.stringContaining("host and port"),
    });
    const { ping } = await openFor({ url: address("guarded:canary-password", "guarded") });
    expect(await ping()).toMatchObject({ state: "found" });
  });
});
