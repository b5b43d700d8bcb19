import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/database/index.ts";
import { createFiles, type StoredFilesLimits } from "../../src/store/files.ts";
import { createKeyring } from "../../src/store/seal.ts";
import { type Kind, postgres } from "../support/databases/kinds.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { guild, masterKey, openFor, otherGuild } from "./setup.ts";

const handle = "a".repeat(22);
const picture = Buffer.from("canary of a picture");

describe("files on SQLite", () => {
  it("are not stored", async () => {
    const store = await openFor();

    expect(store.files).toBeUndefined();
  });
});

describe.skipIf(!findPostgres())("files on PostgreSQL", () => {
  let kind: Kind | undefined;
  afterAll(() => kind?.stop());

  async function rig(limits?: StoredFilesLimits) {
    kind ??= postgres();
    const place = await kind.fresh();
    const clock = { now: 1_700_000_000_000 };
    const open = async (key = masterKey("k1")) => {
      const database = await openDatabase({ url: place.url, now: () => clock.now });
      onTestFinished(() => database.close());
      const files = createFiles(database, createKeyring([key]), limits);
      if (files === undefined) throw new Error("no files");
      return { database, files };
    };
    return { place, clock, open };
  }

  it("are found by another process, for their own server alone", async () => {
    const { open } = await rig();
    const [one, other] = [await open(), await open()];
    await one.files.put(guild, handle, picture);

    expect(await other.files.get(guild, handle)).toEqual(picture);
    expect(await other.files.get(otherGuild, handle)).toBeUndefined();
    expect(await other.files.get(guild, "b".repeat(22))).toBeUndefined();
  });

  it("are sealed, and open only as what they are", async () => {
    const { open, place } = await rig();
    const { files } = await open();
    await files.put(guild, handle, picture);
    await files.put(guild, "b".repeat(22), Buffer.from("another"));
    const rows = await place.query("select encode(content, 'escape') as content from files");
    await place.query(
      "update files set content = (select content from files order by size limit 1)",
    );

    expect(JSON.stringify(rows)).not.toContain("canary");
    expect(await files.get(guild, handle)).toBeUndefined();
  });

  it("are gone after a quarter of an hour, and with their key", async () => {
    const { open, clock } = await rig();
    const { files } = await open();
    await files.put(guild, handle, picture);

    expect(await (await open(masterKey("k2", 2))).files.get(guild, handle)).toBeUndefined();
    clock.now += 15 * 60_000 - 1;
    expect(await files.get(guild, handle)).toEqual(picture);
    clock.now += 1;
    expect(await files.get(guild, handle)).toBeUndefined();
  });

  it("stay as they were when they are stored again", async () => {
    const { open } = await rig();
    const { files } = await open();
    await files.put(guild, handle, picture);
    await files.put(guild, handle, Buffer.from("later"));

    expect(await files.get(guild, handle)).toEqual(picture);
  });

  it("make room, the oldest of a server first, and then the oldest of all", async () => {
    const { open, clock, place } = await rig({ maxServerBytes: 25_000, maxBytes: 45_000 });
    const { files } = await open();
    for (const [n, owner] of [guild, guild, guild, otherGuild, otherGuild].entries()) {
      clock.now += 1;
      await files.put(owner, `${n}`, new Uint8Array(10_000));
    }
    const found = await Promise.all(
      [guild, guild, guild, otherGuild, otherGuild].map((owner, n) => files.get(owner, `${n}`)),
    );

    expect(found.map((one) => one !== undefined)).toEqual([false, true, true, true, true]);
    await files.put(guild, "too large", new Uint8Array(25_001));
    expect(await place.query("select id from files")).toHaveLength(4);
  });

  it("go with their server", async () => {
    const { open, place } = await rig();
    const { files, database } = await open();
    await files.put(guild, handle, picture);
    const serverId = (await database.servers.find(guild)) ?? 0;
    await database.servers.remove({ table: "servers", serverId });

    expect(await place.query("select id from files")).toHaveLength(0);
  });
});
