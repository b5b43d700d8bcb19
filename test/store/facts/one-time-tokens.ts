import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { found, guild, openFor, openTwo, otherGuild } from "../setup.ts";

const record = {
  guildId: guild,
  userId: "333333333333333333",
  content: { verifier: "canary-of-a-token" },
};

export function ticketFacts(kind: Kind) {
  describe("one-time tokens", () => {
    it("are read as often as one likes and taken once", async () => {
      const { oneTimeTokens } = await openFor(await kind.fresh());

      const token = await oneTimeTokens.put(record, 60_000);

      expect(token).toMatch(/^[\w-]{43}$/);
      expect(await oneTimeTokens.read(token)).toEqual(found(record));
      expect(await oneTimeTokens.take(token)).toEqual(found(record));
      expect(await oneTimeTokens.take(token)).toEqual({ state: "absent" });
      expect(await oneTimeTokens.read(token)).toEqual({ state: "absent" });
    });

    it("go to one of 100 who take the same at once, over two connections", async () => {
      const stores = await openTwo(kind);
      const token = (await stores[0]?.oneTimeTokens.put(record, 60_000)) ?? "";

      const takes = await Promise.all(
        Array.from({ length: 100 }, (_, n) => stores[n % 2]?.oneTimeTokens.take(token)),
      );

      const states = takes.map((take) => take?.state);
      expect(states.filter((state) => state === "found")).toHaveLength(1);
      expect(states.filter((state) => state === "absent")).toHaveLength(99);
    });

    it("share a draft, which no two changes at once undo", async () => {
      const stores = await openTwo(kind);
      const of = { guildId: guild, userId: record.userId };
      const add = (content: unknown) => [...((content as number[] | undefined) ?? []), 1];

      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          stores[n % 2]?.oneTimeTokens.changeDraft(of, add, 60_000),
        ),
      );

      const [store] = stores;
      expect(await store?.oneTimeTokens.readDraft(guild, of.userId)).toEqual(
        found({ ...of, content: Array(40).fill(1) }),
      );
      expect(await store?.oneTimeTokens.readDraft(otherGuild, of.userId)).toEqual({
        state: "absent",
      });
      await store?.oneTimeTokens.changeDraft(of, () => undefined, 60_000);
      expect(await store?.oneTimeTokens.readDraft(guild, of.userId)).toEqual({ state: "absent" });
    });

    it("are gone when their time is over", async () => {
      const { oneTimeTokens } = await openFor(await kind.fresh());
      const token = await oneTimeTokens.put(record, 40);

      await expect.poll(() => oneTimeTokens.read(token)).toEqual({ state: "absent" });
      expect(await oneTimeTokens.take(token)).toEqual({ state: "absent" });
    });

    it.each(["", "x", "a".repeat(43), "ticket:".padEnd(43, "a"), "../../../etc/passwd"])(
      "are not known by %j",
      async (token) => {
        const { oneTimeTokens } = await openFor(await kind.fresh());
        await oneTimeTokens.put(record, 60_000);

        expect(await oneTimeTokens.read(token)).toEqual({ state: "absent" });
        expect(await oneTimeTokens.take(token)).toEqual({ state: "absent" });
      },
    );

    it("show neither their token nor what they hold", async () => {
      const place = await kind.fresh();
      const { oneTimeTokens } = await openFor({ url: place.url });

      const token = await oneTimeTokens.put(record, 60_000);

      const raw = JSON.stringify([...(await place.all())]);
      expect(raw).not.toContain(token);
      expect(raw).not.toContain("canary-of-a-token");
    });

    it("do not open in another's place", async () => {
      const place = await kind.fresh();
      const { oneTimeTokens } = await openFor({ url: place.url });
      const token = await oneTimeTokens.put(record, 60_000);
      const [key = ""] = [...(await place.all()).keys()].filter((at) => at.startsWith("ticket:"));
      const other = await oneTimeTokens.put({ ...record, guildId: otherGuild }, 60_000);
      const [otherKey = ""] = [...(await place.all()).keys()].filter(
        (at) => at.startsWith("ticket:") && at !== key,
      );

      await place.put(otherKey, (await place.get(key)) ?? "");

      expect(await oneTimeTokens.read(token)).toMatchObject({ state: "found" });
      expect(await oneTimeTokens.read(other)).toMatchObject({ state: "failed" });
    });
  });
}
