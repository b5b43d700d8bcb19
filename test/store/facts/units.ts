import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";

const project = "0123456789abcdef0123456789abcdef";
const day = "2026-01-31";
const total = { project, day };
const ofGuild = { project, day, guildId: guild };

export function unitsFacts(kind: Kind) {
  describe("units", () => {
    it("adds differences to what is stored, and answers the sums", async () => {
      const { units } = await openFor(await kind.fresh());

      expect(await units.read(total)).toEqual({ state: "absent" });
      expect(await units.add(total, { units: 50, searches: 1 })).toEqual({
        units: 50,
        searches: 1,
      });
      expect(await units.add(total, { units: -20, uploads: 2 })).toEqual({
        units: 30,
        searches: 1,
        uploads: 2,
      });
      expect(await units.read(total)).toMatchObject({ state: "found", value: { units: 30 } });
    });

    it("loses nothing of 200 additions at once", async () => {
      const { units } = await openFor(await kind.fresh());

      await Promise.all(Array.from({ length: 200 }, () => units.add(total, { units: 3 })));

      expect(await units.read(total)).toEqual({ state: "found", value: { units: 600 } });
    });

    it("keeps projects, days and guilds apart", async () => {
      const { units } = await openFor(await kind.fresh());
      await units.add(ofGuild, { a: 1 });
      await units.add({ ...ofGuild, guildId: otherGuild }, { b: 1 });
      await units.add(total, { c: 1 });
      await units.add({ ...total, day: "2026-02-01" }, { d: 1 });
      await units.add({ ...total, project: "f".repeat(32) }, { e: 1 });

      expect(await units.read(ofGuild)).toEqual({ state: "found", value: { a: 1 } });
      expect(await units.read(total)).toEqual({ state: "found", value: { c: 1 } });
    });

    it("keeps names that objects have by themselves", async () => {
      const { units } = await openFor(await kind.fresh());
      const odd = JSON.parse('{"__proto__": 2, "constructor": 3}');

      await units.add(total, odd);
      const sums = await units.add(total, odd);

      expect(Object.entries(sums)).toEqual([
        ["__proto__", 4],
        ["constructor", 6],
      ]);
    });

    it.skipIf(kind.hasOwnClock)("survives a restart and is forgotten after 40 days", async () => {
      let now = Date.UTC(2026, 0, 31);
      const { url } = await kind.fresh();
      const first = await openStore({ url, keys: [masterKey("k1")], now: () => now });
      await first.units.add(total, { units: 1 });
      await first.close();
      const { units } = await openFor({ url, now: () => now });

      now += 40 * 24 * 3_600_000 - 1;
      expect(await units.read(total)).toMatchObject({ state: "found" });
      now += 1;
      expect(await units.read(total)).toEqual({ state: "absent" });
    });

    it.each([
      ["a project", { project: "unit:x", day }],
      ["a day", { project, day: "2026-01-31:x" }],
      ["a guild", { project, day, guildId: "keyv:1" }],
    ])("takes no other text for %s", async (_, at) => {
      const { units } = await openFor(await kind.fresh());

      expect(await units.read(at)).toMatchObject({ state: "failed" });
      await expect(units.add(at, { units: 1 })).rejects.toMatchObject({ name: /Error$/ });
    });

    it("fails when a record was damaged, and does not write over it", async () => {
      const place = await kind.fresh();
      const { units } = await openFor({ url: place.url });
      await units.add(total, { units: 1 });
      await place.put(`unit:${day}:${project}`, '{"value":{"units":"many"}}');

      expect(await units.read(total)).toMatchObject({ state: "failed" });
      await expect(units.add(total, { units: 1 })).rejects.toMatchObject({
        code: "store_unavailable",
      });
      expect(await units.read(total)).toMatchObject({ state: "failed" });
    });

    it("answers failed, never absent, once the store is closed", async () => {
      const store = await openStore({ ...(await kind.fresh()), keys: [masterKey("k1")] });
      await store.close();

      expect(await store.units.read(total)).toMatchObject({ state: "failed" });
      await expect(store.units.add(total, { units: 1 })).rejects.toMatchObject({
        code: "store_unavailable",
        outcome: "nothing",
      });
    });

    it("go with their guild, but for the project's totals", async () => {
      const { units, guilds, credentials } = await openFor(await kind.fresh());
      await credentials.write(guild, videoKey());
      await units.add(total, { units: 7 });
      await units.add(ofGuild, { line: 7 });
      await units.add({ ...ofGuild, day: "2026-01-30" }, { line: 1 });
      await units.add({ ...ofGuild, guildId: otherGuild }, { line: 2 });

      await guilds.erase(guild);

      expect(await units.read(ofGuild)).toEqual({ state: "absent" });
      expect(await units.read({ ...ofGuild, day: "2026-01-30" })).toEqual({ state: "absent" });
      expect(await units.read({ ...ofGuild, guildId: otherGuild })).toMatchObject({
        state: "found",
      });
      expect(await units.read(total)).toEqual({ state: "found", value: { units: 7 } });
    });
  });
}
