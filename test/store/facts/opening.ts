import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";

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
      const first = await openStore({ url, keys });
      await first.credentials.write(guild, videoKey());
      await first.close();

      await expect(openStore({ url, keys: [masterKey("k1", 9)] })).rejects.toMatchObject({
        code: "store_keys",
        message: expect.stringContaining(
          'key id "k1" is another key than the one that sealed, for 1 row',
        ),
      });
    });

    it("reads old rows after a new key was put first", async () => {
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys: [masterKey("old")] });
      await first.credentials.write(guild, videoKey());
      await first.close();

      const { credentials } = await openFor({ url, keys: [masterKey("new", 2), masterKey("old")] });

      expect(await credentials.read(guild, "video-key")).toMatchObject({ state: "found" });
    });

    it("lets a key go that no row needs any more", async () => {
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys: [masterKey("old")] });
      await first.credentials.write(guild, videoKey());
      await first.close();
      const second = await openStore({ url, keys: [masterKey("new", 2), masterKey("old")] });
      await second.credentials.write(guild, videoKey());
      await second.close();

      await expect(openFor({ url, keys: [masterKey("new", 2)] })).resolves.toBeDefined();
    });

    it("answers a ping with found", async () => {
      const { ping } = await openFor(await kind.fresh());

      expect(await ping()).toEqual({ state: "found", value: true });
    });
  });
}
