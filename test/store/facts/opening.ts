import { describe, expect, it } from "vitest";
import { openRotation, openStore } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { found, guild, leaveVideoKey, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";

const keys = [masterKey("k1")];

export function openingFacts(kind: Kind) {
  describe("openStore", () => {
    it("refuses to open without the master key that sealed, naming its id and rows", async () => {
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys: [masterKey("old")] });
      for (const id of [guild, otherGuild]) await first.credentials.write(id, videoKey());
      await first.close();

      await expect(openStore({ url, keys: [masterKey("new", 2)] })).rejects.toMatchObject({
        name: "ConfigError",
        code: "store_keys",
        message: expect.stringContaining('key id "old" is unknown, for 2 rows'),
      });
    });

    it("refuses another key under the same id", async () => {
      const { url } = await kind.fresh();
      await leaveVideoKey(url, keys);

      await expect(openStore({ url, keys: [masterKey("k1", 9)] })).rejects.toMatchObject({
        code: "store_keys",
        message: expect.stringContaining(
          'key id "k1" is not the key that encrypted these rows, for 1 row',
        ),
      });
    });

    it("refuses another key under the same id before anything is sealed", async () => {
      const { url } = await kind.fresh();
      const first = await openFor({ url, keys });
      const another = [masterKey("k1", 9)];

      await expect(openStore({ url, keys: another })).rejects.toMatchObject({
        name: "ConfigError",
        code: "store_keys",
        message: expect.stringContaining('key id "k1" is not the key'),
        hint: expect.stringContaining("an id that this store has never had"),
      });
      await first.credentials.write(guild, videoKey());
      await expect(openFor({ url, keys })).resolves.toBeDefined();
    });

    it("takes another key under an id that was retired, or under an id of its own", async () => {
      const { url } = await kind.fresh();
      await openFor({ url, keys });
      await expect(openFor({ url, keys: [masterKey("k2", 9)] })).resolves.toBeDefined();
      const rotation = await openRotation({ url, keys: [masterKey("k2", 9)] });
      await rotation.retire("k1");
      await rotation.close();

      await expect(openFor({ url, keys: [masterKey("k1", 8)] })).resolves.toBeDefined();
    });

    it("lets one of several keys through that start under one id at the same moment", async () => {
      const { url } = await kind.fresh();
      const keyrings = Array.from({ length: 4 }, (_, at) => [masterKey("k1", at + 1)]);

      const opened = await Promise.allSettled(keyrings.map((each) => openFor({ url, keys: each })));

      expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of opened) {
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "store_keys" });
      }
    });

    it("reads old rows after a new key was put first", async () => {
      const { url } = await kind.fresh();
      await leaveVideoKey(url, [masterKey("old")]);

      const { credentials } = await openFor({ url, keys: [masterKey("new", 2), masterKey("old")] });

      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    });

    it("lets a key go that no row needs any more", async () => {
      const { url } = await kind.fresh();
      await leaveVideoKey(url, [masterKey("old")]);
      await leaveVideoKey(url, [masterKey("new", 2), masterKey("old")]);

      await expect(openFor({ url, keys: [masterKey("new", 2)] })).resolves.toBeDefined();
    });

    it("answers a ping with found", async () => {
      const { ping } = await openFor(await kind.fresh());

      expect(await ping()).toEqual(found(true));
    });
  });
}
