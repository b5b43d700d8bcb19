import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { createStore } from "../../src/store/open-store.ts";
import { createKeyring } from "../../src/store/seal.ts";
import { openSqliteFile } from "../../src/store/sqlite/file.ts";
import { createSqlite, openSqlite } from "../../src/store/sqlite/open.ts";
import {
  guild,
  linkedChannel,
  masterKey,
  openFor,
  otherGuild,
  temporaryFolder,
  videoKey,
} from "./setup.ts";

const keys = [masterKey("k1")];
const unavailable = { state: "failed", error: { code: "store_unavailable" } };

function fileUrl() {
  const path = join(temporaryFolder(), "a.sqlite");
  return { path, url: `sqlite:${path}` };
}

/** A seeded stream of numbers from 0 to 1. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
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
    expect(raw).not.toContain(linkedChannel().channelId);
    expect(raw).not.toContain(videoKey().addedBy);
  });
});

describe("guilds in a file", () => {
  it("leaves nothing of erased guilds in the file or the log, sealed or not", async () => {
    const seed = 7;
    const random = randomFrom(seed);
    const { path, url } = fileUrl();
    const store = await openStore({ url, keys });
    const ids = Array.from({ length: 150 }, () =>
      String(100_000_000_000_000_000n + BigInt(Math.floor(random() * 1e15))),
    );
    // Many rows of many sizes: moving them between pages is what leaves copies behind.
    for (const id of ids) {
      await store.credentials.write(id, videoKey("x".repeat(6 + random() * 600)));
      const state = `state-${id}-${"y".repeat(random() * 2000)}`;
      await store.continuations.put({ guildId: id, userId: "1", state }, 600_000);
    }
    const sealed = readSealed(path);
    const erased = ids.filter((_, index) => index % 3 === 0);

    for (const id of erased) await store.guilds.erase(id);

    expect(statSync(`${path}-wal`).size).toBe(0);
    await store.close();
    const raw = readFileSync(path).toString("latin1");
    const traces = erased.filter(
      (id) => raw.includes(id) || piecesOf(sealed.get(id)).some((p) => raw.includes(p)),
    );
    expect(traces, `seed ${seed}`).toEqual([]);
    expect(raw).toContain(ids[1]);
    expect(piecesOf(sealed.get(ids[1] ?? "")).every((piece) => raw.includes(piece))).toBe(true);
  });

  it("empties the log when a credential is removed", async () => {
    const { path, url } = fileUrl();
    const { credentials } = await openFor({ url, keys });
    await credentials.write(guild, videoKey());
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);

    await credentials.remove(guild, "video-key");

    expect(statSync(`${path}-wal`).size).toBe(0);
  });
});

function readSealed(path: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare("SELECT key, value FROM entries WHERE key LIKE 'credential:%'")
    .all();
  database.close();
  return new Map(rows.map(({ key, value }) => [String(key).split(":")[1] ?? "", String(value)]));
}

/** Stretches without the part that all rows share. */
function piecesOf(sealed = ""): readonly string[] {
  const body = sealed.slice(20, -4);
  return body.match(/.{32}/g) ?? [];
}

describe("openStore", () => {
  it.each(["redis:localhost", "postgres:", "mysql://localhost", "sqlite:", "a.sqlite"])(
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
    await expect(store.guilds.all()).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.guilds.erase(guild)).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.close()).resolves.toBeUndefined();
  });

  it("keeps reading and changes nothing while another process holds the write lock", async () => {
    const { path } = fileUrl();
    const backend = openSqlite({ path, busyTimeoutMs: 50 });
    const store = await createStore({ backend, keyring: createKeyring(keys) });
    onTestFinished(() => store.close());
    await store.credentials.write(guild, videoKey());
    const other = lock(path, "BEGIN IMMEDIATE");

    const write = store.credentials.write(guild, videoKey("never-written"));
    await expect(write).rejects.toMatchObject({ code: "store_unavailable", outcome: "nothing" });
    expect(await store.ping()).toMatchObject(unavailable);
    await expect(store.guilds.erase(guild)).rejects.toMatchObject({ outcome: "part" });

    const found = { state: "found", value: videoKey() };
    expect(await store.credentials.read(guild, "video-key")).toEqual(found);
    other.close();
    expect(await store.credentials.read(guild, "video-key")).toEqual(found);
  });

  it("answers failed, never absent, while the whole database is locked", async () => {
    const { path } = fileUrl();
    openSqliteFile({ path }).close();
    // Only without the write-ahead log does a lock keep readers out.
    const database = new DatabaseSync(path, { timeout: 50 });
    database.exec("PRAGMA journal_mode = DELETE");
    const backend = createSqlite(database);
    const store = await createStore({ backend, keyring: createKeyring(keys) });
    onTestFinished(() => store.close());
    await store.credentials.write(guild, videoKey());
    const handle = await store.continuations.put({ guildId: guild, userId: "1", state: 0 }, 60_000);
    const other = lock(path, "BEGIN EXCLUSIVE");

    expect(await store.credentials.read(guild, "video-key")).toMatchObject(unavailable);
    expect(await store.credentials.read(otherGuild, "video-key")).toMatchObject(unavailable);
    expect(await store.continuations.read(handle)).toMatchObject(unavailable);
    await expect(store.guilds.all()).rejects.toMatchObject({ code: "store_unavailable" });

    other.close();
    expect(await store.credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
  });

  it("answers found or failed, never absent, when the file was damaged", async () => {
    const seed = 11;
    const random = randomFrom(seed);
    const { path, url } = fileUrl();
    const ids = Array.from({ length: 200 }, (_, n) => String(100_000_000_000_000_000n + BigInt(n)));
    const first = await openStore({ url, keys });
    for (const id of ids) await first.credentials.write(id, videoKey("x".repeat(random() * 300)));
    await first.close();
    const pages = statSync(path).size / 4096;
    const file = openSync(path, "r+");
    for (let page = Math.ceil(pages / 2); page < pages; page += 2)
      writeSync(file, Buffer.alloc(4096, 1 + random() * 254), 0, 4096, page * 4096);
    closeSync(file);

    const states = await readStates(url, ids);

    expect(states, `seed ${seed}`).toContain("failed");
    expect(states, `seed ${seed}`).toContain("found");
    expect(states).not.toContain("absent");
  });
});

function lock(path: string, how: string): DatabaseSync {
  const other = new DatabaseSync(path);
  other.exec(how);
  return other;
}

/** A store that refuses to open reads nothing at all. */
async function readStates(url: string, ids: readonly string[]): Promise<readonly string[]> {
  const store = await openStore({ url, keys }).catch(() => undefined);
  if (store === undefined) return ["failed"];
  const reads = await Promise.all(ids.map((id) => store.credentials.read(id, "video-key")));
  await store.close();
  return reads.map(({ state }) => state);
}
