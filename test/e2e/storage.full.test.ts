import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { type Kind, postgres } from "../support/databases/kinds.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { freePort } from "../support/free-port.ts";
import { mainEnv, mainMasterKey as masterKey, runMain } from "../support/run-main.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";

async function openPlatform() {
  const platform = await startPlatform();
  onTestFinished(() => platform.close());
  return platform;
}

describe.skipIf(findPostgres() === undefined)("npm start on PostgreSQL", () => {
  let kind: Kind | undefined;
  const fresh = () => {
    kind ??= postgres();
    return kind.fresh();
  };
  afterAll(() => kind?.stop());

  it("runs on a schema that is one migration ahead, beside a process that already did", async () => {
    const platform = await openPlatform();
    const place = await fresh();
    const start = async (): Promise<SpawnedBot> => {
      const bot = await spawnBot({ platform, masterKey, env: { STORE_URL: place.url } });
      onTestFinished(() => bot.stop().then(() => undefined));
      return bot;
    };
    const running = await start();
    await place.query("create table later (id integer)");
    await place.query("insert into kysely_migration values ('0999-later', '2030-01-01')");

    const behind = await start();

    const warnings = behind.lines.filter(({ level }) => level === "warn");
    expect(JSON.stringify(warnings)).toContain("0999-later");
    expect([running, behind].map(({ child }) => child.exitCode)).toEqual([null, null]);
    expect(await behind.stop()).toBe(0);
    expect(await running.stop()).toBe(0);
  });

  it("refuses a schema whose floor it does not know", async () => {
    const platform = await openPlatform();
    const place = await fresh();
    await place.query("insert into kysely_migration values ('0999-later', '2030-01-01')");
    await place.query("update schema_floor set migration = '0999-later'");

    const { code, err } = await runMain({ ...mainEnv(platform), STORE_URL: place.url }).ended;

    expect(code).toBe(2);
    expect(err).toContain("the database is newer than this program: it has 0999-later");
  });

  it("waits for a server that is away, and ends on SIGTERM meanwhile", async () => {
    const platform = await openPlatform();
    const url = `postgres://greenroom@127.0.0.1:${await freePort()}/postgres`;
    const { child, said, ended } = runMain({ ...mainEnv(platform), STORE_URL: url });

    await said(/(waiting for the database)/);
    child.kill("SIGTERM");

    expect((await ended).code).toBe(0);
  });
});

describe("npm start on SQLite", () => {
  it("is refused beside another bot on the same file", async () => {
    const platform = await openPlatform();
    const bot = await spawnBot({ platform, masterKey });
    onTestFinished(() => bot.stop().then(() => undefined));
    const url = `sqlite:${bot.folder}/bot.sqlite`;

    const { code, err } = await runMain({ ...mainEnv(platform), STORE_URL: url }).ended;

    expect(code).toBe(1);
    expect(err).toContain("another process of the bot uses");
    expect(err).toContain("STORE_URL");
  });
});
