import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { failed, guild, openFor } from "../setup.ts";

const minute = 60_000;

export function revocationFacts(kind: Kind) {
  describe("revocations", () => {
    it("are kept until they are removed, sealed and without a word of whose they were", async () => {
      const place = await kind.fresh();
      const { revocations } = await openFor({ url: place.url });
      const ids = [await revocations.add("1//canary-one"), await revocations.add("1//canary-two")];
      const raw = JSON.stringify(await place.query("select * from revocations"));

      const reads = await Promise.all(ids.map(revocations.read));

      expect(reads).toMatchObject([
        { value: { token: "1//canary-one" } },
        { value: { token: "1//canary-two" } },
      ]);
      expect(raw).not.toContain("canary-");
      expect(raw).not.toContain(guild);
      for (const id of ids) await revocations.remove(id);
      expect(await Promise.all(ids.map(revocations.read))).toEqual([
        { state: "absent" },
        { state: "absent" },
      ]);
    });

    it("are due half a minute later, or when that was said", async () => {
      const now = Date.UTC(2026, 0, 31);
      const { revocations } = await openFor({ ...(await kind.fresh()), now: () => now });
      const usual = await revocations.add("usual");
      const chosen = await revocations.add("chosen", { dueAt: now - minute, channelId: "UC1" });

      expect(await Promise.all([usual, chosen].map(revocations.read))).toMatchObject([
        { value: { token: "usual", addedAt: now, dueAt: now + 30_000 } },
        { value: { token: "chosen", channelId: "UC1", addedAt: now, dueAt: now - minute } },
      ]);
    });

    it("are found by their channel, the latest first", async () => {
      const now = Date.UTC(2026, 0, 31);
      const { revocations } = await openFor({ ...(await kind.fresh()), now: () => now });
      await revocations.add("first", { channelId: "UC1", dueAt: now });
      await revocations.add("second", { channelId: "UC1", dueAt: now + minute });
      await revocations.add("another", { channelId: "UC2" });
      await revocations.add("none");

      const found = await revocations.ofChannel("UC1");

      expect(found.map(({ token }) => token)).toEqual(["second", "first"]);
    });

    it("keep no other from being ended when one is damaged", async () => {
      const now = Date.UTC(2026, 0, 31);
      const place = await kind.fresh();
      const { revocations } = await openFor({ url: place.url, now: () => now });
      const options = { channelId: "UC1", dueAt: now };
      await revocations.add("1//canary-one", options);
      const damaged = await revocations.add("1//canary-two", options);
      await place.query(
        "update revocations set token = replace(token, '1.k1.', '1.k1.AA') where id = $1",
        [damaged],
      );

      const found = await revocations.ofChannel("UC1");
      expect(found.map(({ token }) => token)).toEqual(["1//canary-one"]);
      expect(await revocations.read(damaged)).toMatchObject(failed("store_record"));
    });

    it("are part of the transaction that they are added in", async () => {
      const { database, revocations } = await openFor({ url: (await kind.fresh()).url });
      let id = "";
      const work = database.transaction(async () => {
        id = await revocations.add("1//canary-one");
        throw new TypeError("changed its mind");
      });

      await expect(work).rejects.toThrow("changed its mind");

      expect(await revocations.read(id)).toEqual({ state: "absent" });
    });
  });
}
