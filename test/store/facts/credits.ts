import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";

const adderFile = fileURLToPath(new URL("credit-adder.ts", import.meta.url));
const at = { guildId: guild, day: "2026-01-31" };

export function creditsFacts(kind: Kind) {
  describe("credits", () => {
    it("adds differences to what is stored, and answers the sums", async () => {
      const { credits } = await openFor(await kind.fresh());

      expect(await credits.read(at)).toEqual({ state: "absent" });
      expect(await credits.add(at, { a: 250, b: 1 })).toEqual({ a: 250, b: 1 });
      expect(await credits.add(at, { a: 1_000 })).toEqual({ a: 1_250, b: 1 });
      expect(await credits.read(at)).toEqual({ state: "found", value: { a: 1_250, b: 1 } });
    });

    it("loses nothing of 200 additions at once", async () => {
      const { credits } = await openFor(await kind.fresh());

      await Promise.all(Array.from({ length: 200 }, () => credits.add(at, { a: 250 })));

      expect(await credits.read(at)).toEqual({ state: "found", value: { a: 50_000 } });
    });

    it("add up what two processes add at once", async () => {
      const place = await kind.fresh();
      const { credits } = await openFor({ url: place.url });

      await Promise.all(
        [1, 2].map(() => promisify(execFile)(process.execPath, [adderFile, place.url, "200"])),
      );

      expect(await credits.read(at)).toEqual({ state: "found", value: { a: 400 } });
    });

    it("keeps guilds and days apart, and from the units", async () => {
      const { credits, units } = await openFor(await kind.fresh());
      await credits.add({ ...at, guildId: otherGuild }, { a: 1 });
      await credits.add({ ...at, day: "2026-02-01" }, { b: 1 });
      await units.add({ ...at, project: "f".repeat(32) }, { c: 1 });

      expect(await credits.read(at)).toEqual({ state: "absent" });
    });

    it.skipIf(kind.hasOwnClock)("survives a restart and is forgotten after 40 days", async () => {
      let now = Date.UTC(2026, 0, 31);
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys: [masterKey("k1")], now: () => now });
      await first.credits.add(at, { a: 1 });
      await first.close();
      const { credits } = await openFor({ url, now: () => now });

      now += 40 * 24 * 3_600_000 - 1;
      expect(await credits.read(at)).toMatchObject({ state: "found" });
      now += 1;
      expect(await credits.read(at)).toEqual({ state: "absent" });
    });

    it.each([
      ["a day", { guildId: guild, day: "today" }],
      ["a guild", { guildId: "keyv:1", day: at.day }],
    ])("takes no other text for %s", async (_, wrong) => {
      const { credits } = await openFor(await kind.fresh());

      expect(await credits.read(wrong)).toMatchObject({ state: "failed" });
      await expect(credits.add(wrong, { a: 1 })).rejects.toMatchObject({ name: /Error$/ });
    });

    it("fails when a record was damaged, and does not write over it", async () => {
      const place = await kind.fresh();
      const { credits } = await openFor({ url: place.url });
      await credits.add(at, { a: 1 });
      await place.put(`credit:${guild}:${at.day}`, '{"value":{"a":0.25}}');

      expect(await credits.read(at)).toMatchObject({ state: "failed" });
      await expect(credits.add(at, { a: 1 })).rejects.toMatchObject({ code: "store_unavailable" });
      expect(await credits.read(at)).toMatchObject({ state: "failed" });
    });

    it("answers failed, never absent, once the store is closed", async () => {
      const store = await openStore({ ...(await kind.fresh()), keys: [masterKey("k1")] });
      await store.close();

      expect(await store.credits.read(at)).toMatchObject({ state: "failed" });
      await expect(store.credits.add(at, { a: 1 })).rejects.toMatchObject({
        code: "store_unavailable",
        outcome: "nothing",
      });
    });

    it("go with their guild, also while others add", async () => {
      const place = await kind.fresh();
      const { credits, guilds, credentials } = await openFor({ url: place.url });
      await credentials.write(guild, videoKey());
      const canary = "pictures 333333333333333333 canary command";
      await credits.add(at, { [canary]: 1 });
      await credits.add({ ...at, day: "2026-01-30" }, { [canary]: 1 });
      const others = Array.from({ length: 20 }, () =>
        credits.add({ ...at, guildId: otherGuild }, { b: 1 }),
      );

      await Promise.all([guilds.erase(guild), ...others]);

      expect(await credits.read(at)).toEqual({ state: "absent" });
      expect(await credits.read({ ...at, day: "2026-01-30" })).toEqual({ state: "absent" });
      expect(await credits.read({ ...at, guildId: otherGuild })).toMatchObject({
        value: { b: 20 },
      });
      expect([...(await place.all()).keys()].join()).not.toContain("canary command");
    });
  });
}
