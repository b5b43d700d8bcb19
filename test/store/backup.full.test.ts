import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import { closed, lostOf, startWriter } from "./kills.ts";
import { masterKey, openFor, temporaryFolder, videoKey } from "./setup.ts";

const keys = [masterKey("k1")];

/** Makes a copy while another process writes; returns what that process had acknowledged before. */
async function whileWriting(url: string, copy: () => void | Promise<void>) {
  const { child, acknowledged, errors } = startWriter(url, "0");
  onTestFinished(() => void child.kill("SIGKILL"));
  const end = closed(child);
  while (acknowledged.length < 40 && child.exitCode === null) await wait(5);
  const before = [...acknowledged];
  await copy();
  child.kill("SIGKILL");
  await end;
  expect(errors.join("")).toBe("");
  return before;
}

/** Checks that the copy has everything acknowledged before, and that it accepts new records. */
async function expectWhole(store: Store, before: readonly number[]) {
  expect(before.length).toBeGreaterThanOrEqual(40);
  expect(await lostOf(store, before)).toEqual([]);
  await store.credentials.write("444444444444444444", videoKey());
  expect(await store.database.servers.find("444444444444444444")).toBeDefined();
}

describe("a backup made while others write", () => {
  it("of a file opens elsewhere with the same keys, and with no others", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "a.sqlite");
    const copy = join(folder, "copy.sqlite");

    const before = await whileWriting(`sqlite:${path}`, () => {
      const database = new DatabaseSync(path, { timeout: 10_000 });
      database.exec(`VACUUM INTO '${copy}'`);
      database.close();
    });

    await expect(openStore({ url: `sqlite:${copy}`, keys: [masterKey("k2", 2)] })).rejects.toThrow(
      "k1",
    );
    await expectWhole(await openFor({ url: `sqlite:${copy}`, keys }), before);
  });

  it.skipIf(!findPostgres())("of PostgreSQL opens in another database", async () => {
    const programs = findPostgres() ?? "";
    const server = await startPostgres(["fsync=off"]);
    onTestFinished(server.stop);
    const folder = join(temporaryFolder(), "dump");
    mkdirSync(folder);
    const file = join(folder, "greenroom.dump");
    const run = (program: string, ...args: readonly string[]) =>
      execFileSync(join(programs, program), args, { stdio: ["ignore", "ignore", "inherit"] });

    const before = await whileWriting(server.url, () => {
      run("pg_dump", "--format=custom", `--file=${file}`, server.url);
    });
    const other = server.url.replace("/postgres", "/other");
    run("createdb", `--maintenance-db=${server.url}`, "other");
    run("pg_restore", "--clean", "--if-exists", `--dbname=${other}`, file);

    await expectWhole(await openFor({ url: other, keys }), before);
  });
});
