import { describe, expect, it } from "vitest";
import type { Kind } from "../../support/databases/kinds.ts";
import { guild, openFor, otherGuild } from "../setup.ts";

const ticket = {
  guildId: guild,
  userId: "333333333333333333",
  content: { verifier: "canary-of-a-ticket" },
};

export function ticketFacts(kind: Kind) {
  describe("tickets", () => {
    it("are read as often as one likes and taken once", async () => {
      const { tickets } = await openFor(await kind.fresh());

      const token = await tickets.put(ticket, 60_000);

      expect(token).toMatch(/^[\w-]{43}$/);
      expect(await tickets.read(token)).toEqual({ state: "found", value: ticket });
      expect(await tickets.take(token)).toEqual({ state: "found", value: ticket });
      expect(await tickets.take(token)).toEqual({ state: "absent" });
      expect(await tickets.read(token)).toEqual({ state: "absent" });
    });

    it("go to one of 100 who take the same at once, over two connections", async () => {
      const { url } = await kind.fresh();
      const stores = [await openFor({ url }), await openFor({ url })];
      const token = (await stores[0]?.tickets.put(ticket, 60_000)) ?? "";

      const takes = await Promise.all(
        Array.from({ length: 100 }, (_, n) => stores[n % 2]?.tickets.take(token)),
      );

      const states = takes.map((take) => take?.state);
      expect(states.filter((state) => state === "found")).toHaveLength(1);
      expect(states.filter((state) => state === "absent")).toHaveLength(99);
    });

    it("share a draft, which no two changes at once undo", async () => {
      const { url } = await kind.fresh();
      const stores = [await openFor({ url }), await openFor({ url })];
      const of = { guildId: guild, userId: ticket.userId };
      const add = (content: unknown) => [...((content as number[] | undefined) ?? []), 1];

      await Promise.all(
        Array.from({ length: 40 }, (_, n) => stores[n % 2]?.tickets.changeDraft(of, add, 60_000)),
      );

      const [store] = stores;
      expect(await store?.tickets.readDraft(guild, of.userId)).toEqual({
        state: "found",
        value: { ...of, content: Array(40).fill(1) },
      });
      expect(await store?.tickets.readDraft(otherGuild, of.userId)).toEqual({ state: "absent" });
      await store?.tickets.changeDraft(of, () => undefined, 60_000);
      expect(await store?.tickets.readDraft(guild, of.userId)).toEqual({ state: "absent" });
    });

    it("are gone when their time is over", async () => {
      const { tickets } = await openFor(await kind.fresh());
      const token = await tickets.put(ticket, 40);

      await expect.poll(() => tickets.read(token)).toEqual({ state: "absent" });
      expect(await tickets.take(token)).toEqual({ state: "absent" });
    });

    it.each(["", "x", "a".repeat(43), "ticket:".padEnd(43, "a"), "../../../etc/passwd"])(
      "are not known by %j",
      async (token) => {
        const { tickets } = await openFor(await kind.fresh());
        await tickets.put(ticket, 60_000);

        expect(await tickets.read(token)).toEqual({ state: "absent" });
        expect(await tickets.take(token)).toEqual({ state: "absent" });
      },
    );

    it("show neither their token nor what they hold", async () => {
      const place = await kind.fresh();
      const { tickets } = await openFor({ url: place.url });

      const token = await tickets.put(ticket, 60_000);

      const raw = JSON.stringify([...(await place.all())]);
      expect(raw).not.toContain(token);
      expect(raw).not.toContain("canary-of-a-ticket");
    });

    it("do not open in another's place", async () => {
      const place = await kind.fresh();
      const { tickets } = await openFor({ url: place.url });
      const token = await tickets.put(ticket, 60_000);
      const [key = ""] = [...(await place.all()).keys()].filter((at) => at.startsWith("ticket:"));
      const other = await tickets.put({ ...ticket, guildId: otherGuild }, 60_000);
      const [otherKey = ""] = [...(await place.all()).keys()].filter(
        (at) => at.startsWith("ticket:") && at !== key,
      );

      await place.put(otherKey, (await place.get(key)) ?? "");

      expect(await tickets.read(token)).toMatchObject({ state: "found" });
      expect(await tickets.read(other)).toMatchObject({ state: "failed" });
    });
  });
}
