import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import { createStore, findPasswords, openStore } from "../../src/store/index.ts";
import { seed, seeded } from "../support/random.ts";
import {
  found,
  guild,
  linkedChannel,
  masterKey,
  openFor,
  snowflakes,
  temporaryFolder,
  videoKey,
} from "./setup.ts";

const keys = [masterKey("k1")];
const unavailable = { state: "failed", error: { code: "store_unavailable" } };

function fileUrl() {
  const path = join(temporaryFolder(), "a.sqlite");
  return { path, url: `sqlite:${path}` };
}

describe("credentials in a file", () => {
  it("never writes a secret in the clear", async () => {
    const { path, url } = fileUrl();
    const store = await openStore({ url, keys });
    await store.credentials.write(guild, videoKey("AIza-kanarie-0123456789"));
    await store.credentials.write(guild, linkedChannel("1//0-kanarie-0123456789"));
    await store.close();

    const raw = readFileSync(path).toString("latin1");

    expect(raw).toContain(`credential:${guild}:video-key`);
    expect(raw).toContain(`credential:${guild}:channel`);
    expect(raw.toLowerCase()).not.toContain("kanarie");
    expect(raw).not.toContain(videoKey().addedBy);
  });
});

describe("a removal in a file", () => {
  it("empties the log when a credential is removed", async () => {
    const { path, url } = fileUrl();
    const { credentials } = await openFor({ url, keys });
    await credentials.write(guild, videoKey());
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);

    await credentials.remove(guild, "video-key");

    expect(statSync(`${path}-wal`).size).toBe(0);
  });
});

describe("createStore", () => {
  it("lies on a database that is open, which whoever opened it closes", async () => {
    const database = await openDatabase({ url: "sqlite::memory:" });

    const store = await createStore({ database, keys });
    await store.credentials.write(guild, videoKey());

    expect(store.database).toBe(database);
    expect(await database.servers.find(guild)).toBeDefined();
    await database.close();
    expect(await store.ping()).toMatchObject(unavailable);
  });
});

describe("openStore", () => {
  it.each(["redis://localhost", "postgres:", "mysql://localhost", "sqlite:", "a.sqlite"])(
    "refuses the address %s",
    async (url) => {
      await expect(openStore({ url, keys })).rejects.toMatchObject({ code: "store_url" });
    },
  );

  it("refuses a file that is not a database and leaves it as it is", async () => {
    const { path, url } = fileUrl();
    writeFileSync(path, "not a database, something of the person's own ".repeat(200));
    const before = readFileSync(path);

    await expect(openStore({ url, keys })).rejects.toMatchObject({
      name: "ConfigError",
      code: "store_file",
    });
    expect(readFileSync(path)).toEqual(before);
  });
});

describe("a store whose database fails", () => {
  it("answers failed, never absent, once it is closed", async () => {
    const store = await openStore({ url: "sqlite::memory:", keys });
    const handle = await store.continuations.put({ guildId: guild, userId: "1", state: 0 }, 1000);
    await store.close();

    expect(await store.credentials.read(guild, "video-key")).toMatchObject(unavailable);
    expect(await store.continuations.read(handle)).toMatchObject(unavailable);
    expect(await store.ping()).toMatchObject(unavailable);
    await expect(store.credentials.write(guild, videoKey())).rejects.toMatchObject({
      code: "store_unavailable",
      outcome: "nothing",
    });
    await expect(store.revocations.ofChannel("UC1")).rejects.toMatchObject({
      code: "store_unavailable",
    });
    await expect(store.exportServer(guild)).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.close()).resolves.toBeUndefined();
  });

  it("reads beside another process that holds the write lock, and writes once it may", async () => {
    const { path, url } = fileUrl();
    const store = await openFor({ url, keys });
    await store.credentials.write(guild, videoKey());
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");

    const read = await store.credentials.read(guild, "video-key");
    const write = store.credentials.write(guild, videoKey("later"));
    await nextTurn();
    other.close();
    await write;

    expect(read).toEqual(found(videoKey()));
    expect(await store.credentials.read(guild, "video-key")).toMatchObject({
      value: { secret: "later" },
    });
  });

  it("answers found or failed, never absent, when the file was damaged", async () => {
    const random = seeded(seed);
    const { path, url } = fileUrl();
    const ids = snowflakes(200, 1);
    const first = await openStore({ url, keys });
    for (const id of ids) await first.credentials.write(id, videoKey("x".repeat(random() * 300)));
    await first.close();
    const whole = readFileSync(path);
    const pages = whole.length / 4096;
    const states: string[] = [];
    // Damages one page at a time: some pages hold records, others lead to all of them.
    for (let n = 0; n < 8; n += 1) {
      const page = Math.floor(pages * (0.5 + n / 16));
      writeFileSync(
        path,
        Buffer.from(whole).fill(1 + random() * 254, page * 4096, (page + 1) * 4096),
      );
      states.push(...(await readStates(url, ids)));
    }

    expect(states, `seed ${seed}`).toContain("failed");
    expect(states, `seed ${seed}`).toContain("found");
    expect(states).not.toContain("absent");
  });
});

describe("findPasswords", () => {
  it.each([
    ["postgres://user:a%23b@host", ["a#b", "a%23b"]],
    ["postgres://user:50%off@host", ["50%off"]],
    ["postgres://host/db?password=of-the-query", ["of-the-query"]],
    ["postgres://host/db", []],
    ["sqlite:a:b@c", []],
  ])(
    "the passwords in %s are found as they are written and as they are decoded",
    (url, secrets) => {
      expect([...findPasswords(url)].sort()).toEqual(secrets);
    },
  );
});

/** The state of each read; a store that refuses to open counts as one failed read. */
async function readStates(url: string, ids: readonly string[]): Promise<readonly string[]> {
  const store = await openStore({ url, keys }).catch(() => undefined);
  if (store === undefined) return ["failed"];
  const reads = await Promise.all(ids.map((id) => store.credentials.read(id, "video-key")));
  await store.close();
  return reads.map(({ state }) => state);
}
