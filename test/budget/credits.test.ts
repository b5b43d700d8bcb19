import { describe, expect, it } from "vitest";
import type { BilledTo, Budget, Spending } from "../../src/budget/index.ts";
import { describeEach, diskGone, guildId, otherGuildId, refusalOf } from "./rig.ts";

const noon = Date.UTC(2026, 0, 31, 12);
const dayMs = 24 * 3_600_000;
const ana: BilledTo = { guildId, userId: "333333333333333333", command: "background remove" };
const ben: BilledTo = { ...ana, userId: "444444444444444444", command: "Remove background" };
const price = { method: "removebg", bucket: "credits", cost: 1 } as const;
const own = (amount: number): Budget => ({ amount, of: "person" });
const within = (credits: Budget, who = ana): BilledTo => ({
  ...who,
  limits: { budgets: { credits } },
});

/** Counts a picture that cost `charged`. */
async function count(spending: Spending, who: BilledTo, charged: number): Promise<void> {
  await (await spending.account("a", who).book(price)).settle({ attempts: 1, charged });
}

describeEach((openRig) => {
  describe("credits", () => {
    it("add up by person and command, a day at a time", async () => {
      const { spending, clock } = await openRig();
      clock.time = noon;
      await count(spending, ana, 0.25);
      await count(spending, ana, 1);
      await count(spending, ben, 0);
      clock.time += dayMs;
      await count(spending, ana, 1);

      const { userId, command } = ana;
      const before = "2026-01-31";
      expect(await spending.creditsSpent(guildId, 7)).toEqual([
        { day: "2026-02-01", userId, command, credits: 1, pictures: 1 },
        { day: before, userId, command, credits: 1.25, pictures: 2 },
        { day: before, userId: ben.userId, command: ben.command, credits: 0, pictures: 1 },
      ]);
      expect(await spending.creditsSpent(guildId, 1)).toHaveLength(1);
    });

    it("add up over accounts, and over processes without the loss of a thousandth", async () => {
      const { open } = await openRig();
      const engines = [await open(), await open()];
      const pictures = Array.from({ length: 100 }, async (_, n) => {
        const account = engines[n % 2]?.account(n % 3 === 0 ? "a" : "b", ana);
        await (await account?.book(price))?.settle({ attempts: 1, charged: 1.001 });
      });

      await Promise.all(pictures);

      expect(await engines[0]?.creditsSpent(guildId, 1)).toMatchObject([
        { credits: 100.1, pictures: 100 },
      ]);
    });

    it("count by YouTube's days, which end at midnight in Los Angeles", async () => {
      const { spending, clock } = await openRig();
      clock.time = Date.UTC(2026, 1, 1, 7, 59, 59, 999);
      await count(spending, ana, 1);
      clock.time += 1;
      await count(spending, ana, 1);

      const days = (await spending.creditsSpent(guildId, 2)).map((line) => line.day);
      expect(days).toEqual(["2026-02-01", "2026-01-31"]);
    });

    it("are shown to no other guild, and not among units", async () => {
      const { spending } = await openRig();
      await count(spending, { ...ana, guildId: otherGuildId }, 1);

      expect(await spending.creditsSpent(guildId, 40)).toEqual([]);
      expect(await spending.unitsSpent(otherGuildId, 40)).toEqual([]);
    });

    it.each([0, -1, 1_000_000])("are listed for at most %i days", async (days) => {
      const { spending } = await openRig();
      await count(spending, ana, 1);

      expect(await spending.creditsSpent(guildId, days)).toHaveLength(days > 0 ? 1 : 0);
    });

    it("leave no line of a picture that was not cut out", async () => {
      const { spending, place } = await openRig();
      await (await spending.account("a", ana).book(price)).settle({ attempts: 0 });

      expect(await spending.creditsSpent(guildId, 1)).toEqual([]);
      expect(await place.query("select * from spending")).toEqual([]);
    });

    it("never fail a picture for a database that does, and are counted later", async () => {
      const rig = await openRig();
      const spending = await rig.open();
      rig.trouble = diskGone;
      await count(spending, ana, 1);
      rig.trouble = undefined;
      rig.clock.time += 10_000;
      await count(spending, ana, 0.25);

      expect(rig.failures).toEqual([expect.objectContaining({ code: "store_unavailable" })]);
      const stored = await (await rig.open()).creditsSpent(guildId, 1);
      expect(stored).toMatchObject([{ credits: 1.25, pictures: 2 }]);
    });

    it("of what was under way when its guild was erased are counted nowhere", async () => {
      const { spending, erase } = await openRig();
      const underWay = await spending.account("a", ana).book(price);
      await erase(guildId);
      await underWay.settle({ attempts: 1, charged: 1 });

      expect(await spending.creditsSpent(guildId, 1)).toEqual([]);
      await count(spending, ana, 0.5);
      expect(await spending.creditsSpent(guildId, 1)).toMatchObject([{ credits: 0.5 }]);
    });
  });

  describe("a budget of credits", () => {
    it("holds for one person and day, and says when the next day starts", async () => {
      const { spending, clock } = await openRig();
      clock.time = noon;
      await count(spending, ana, 0.75);
      const account = spending.account("a", within(own(1)));

      await account.affordCredits(0.25);
      expect(await refusalOf(account.affordCredits(1))).toMatchObject({
        code: "budget_person",
        facts: { bucket: "credits", amount: 1, left: 0.25, cost: 1 },
        retryAt: new Date(Date.UTC(2026, 1, 1, 8)),
      });
      await spending.account("a", within(own(1), ben)).affordCredits(1);
      await spending.account("a", ana).affordCredits(1);
      clock.time += dayMs;
      await account.affordCredits(1);
    });

    it("holds where the database takes seconds", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account("a", within(own(1)));
      await count(await rig.open(), ana, 1);
      const busy = Promise.withResolvers<void>();
      rig.trouble = () => busy.promise;

      const refusal = refusalOf(account.book(price));
      await rig.clock.pass(9_000);
      busy.resolve();

      expect((await refusal).code).toBe("budget_person");
    });

    it("promises no other day for more than a whole day’s limit", async () => {
      const { spending } = await openRig();
      const account = spending.account("a", within(own(0.75)));

      expect((await refusalOf(account.affordCredits(1))).retryAt).toBeUndefined();
      expect((await refusalOf(account.book(price))).retryAt).toBeUndefined();
    });

    it("says whose rank it is", async () => {
      const { spending } = await openRig();
      const account = spending.account("a", within({ amount: 0, of: "rank", rank: "member" }));

      expect(await refusalOf(account.book(price))).toMatchObject({
        code: "budget_rank",
        facts: { rank: "member", left: 0 },
      });
    });

    it("is not overdrawn by pictures of two processes at the same time", async () => {
      const { open } = await openRig();
      const accounts = [await open(), await open()].map((one) => one.account("a", within(own(5))));

      const booked = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => accounts[n % 2]?.book(price)),
      );

      expect(booked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    });

    it("is given back what a picture did not cost", async () => {
      const { spending } = await openRig();
      await count(spending, within(own(1)), 0.25);
      const account = spending.account("a", within(own(1)));

      await account.affordCredits(0.75);
      expect(await refusalOf(account.affordCredits(0.76))).toMatchObject({ facts: { left: 0.75 } });
    });

    it("refuses nobody anything while the database fails, but for what is known here", async () => {
      const rig = await openRig();
      const account = (await rig.open()).account("a", within(own(1)));
      rig.trouble = diskGone;

      await account.affordCredits(1);
      await (await account.book(price)).settle({ attempts: 1, charged: 1 });

      expect((await refusalOf(account.affordCredits(1))).code).toBe("budget_person");
    });
  });
});
