import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { postgres, postgresPlace } from "../support/databases/kinds.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "./setup.ts";

const keys = [masterKey("k1")];
const unavailable = { state: "failed", error: { code: "store_unavailable" } };

/** The error with which the store refuses to open, which must never contain the password. */
async function refusal(url: string) {
  const error = await openStore({ url, keys }).then(
    () => undefined,
    (reason) => reason,
  );
  expect(`${error?.message} ${error?.hint}`).not.toContain("canary");
  return error;
}

describe.skipIf(!findPostgres())("a store on PostgreSQL", () => {
  const kind = postgres();
  afterAll(() => kind.stop());

  it("keeps two openings of one process apart when one of them is closed", async () => {
    const { url } = await kind.fresh();
    const first = await openFor({ url });
    const second = await openFor({ url });
    const elsewhere = await openFor({ url: (await kind.fresh()).url });

    await first.close();

    expect(await first.ping()).toMatchObject(unavailable);
    expect(await second.ping()).toMatchObject({ state: "found" });
    expect(await elsewhere.ping()).toMatchObject({ state: "found" });
    expect(await (await openFor({ url })).ping()).toMatchObject({ state: "found" });
  });

  it("lives on when its idle connections are cut", async () => {
    const place = await kind.fresh();
    const { credentials } = await openFor({ url: place.url });
    await Promise.all(Array.from({ length: 20 }, () => credentials.write(guild, videoKey())));

    await place.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'greenroom'`,
    );

    await expect.poll(() => credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    await expect(credentials.write(otherGuild, videoKey())).resolves.toBeUndefined();
  });

  it("answers 500 reads at once over its few connections", async () => {
    const { credentials } = await openFor({ url: (await kind.fresh()).url });
    await credentials.write(guild, videoKey());

    const reads = await Promise.all(
      Array.from({ length: 500 }, () => credentials.read(guild, "video-key")),
    );

    expect(reads.filter(({ state }) => state !== "found")).toEqual([]);
  });
});

describe.skipIf(!findPostgres())("a PostgreSQL that fails", () => {
  it("is reported while it is silent or away, and is used again by itself", async () => {
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
    await expect.poll(ping).toMatchObject({ state: "found" });
    await server.kill();
    const away = await both();
    await server.start();
    await expect.poll(ping).toMatchObject({ state: "found" });

    // The transaction's commit was never sent.
    expect(silent).toMatchObject([unavailable, { code: "store_unavailable", outcome: "nothing" }]);
    expect(away).toMatchObject([unavailable, { code: "store_unavailable" }]);
  });

  it("refuses whom it does not know, and Greenroom says what to correct", async () => {
    const server = await startPostgres(["fsync=off"]);
    onTestFinished(server.stop);
    const admin = postgresPlace(server.url);
    await admin.query("create role guarded login password 'canary-password'");
    await admin.query("create database guarded owner guarded");
    const rules =
      "host all guarded 127.0.0.1/32 scram-sha-256\nhost all greenroom 127.0.0.1/32 trust\n";
    writeFileSync(join(server.folder, "data", "pg_hba.conf"), rules);
    await server.kill();
    await server.start();
    const address = (user: string, database: string) =>
      `postgres://${user}@127.0.0.1:${server.port}/${database}`;
    const hints: Readonly<Record<string, string>> = {
      [address("guarded:canary-wrong", "guarded")]: "password",
      [address("stranger:canary", "guarded")]: "pg_hba",
      [address("guarded:canary-password", "missing")]: "createdb",
      [address("guarded:canary-password", "postgres")]: "owner",
    };

    for (const [url, hint] of Object.entries(hints)) {
      expect(await refusal(url), url).toMatchObject({
        name: "ConfigError",
        code: "store_server",
        hint: expect.stringContaining(hint),
        facts: { mayPass: false },
      });
    }
    // A server that does not answer may just not have started yet, so starting the bot again may help.
    expect(await refusal("postgres://greenroom:canary@127.0.0.1:1/greenroom")).toMatchObject({
      name: "ConfigError",
      code: "store_server",
      hint: expect.stringContaining("host and port"),
      facts: { mayPass: true },
    });
    const { ping } = await openFor({ url: address("guarded:canary-password", "guarded") });
    expect(await ping()).toMatchObject({ state: "found" });
  });
});
