import { describe, expect, it } from "vitest";
import { divideQuota } from "../../src/budget/guild-parts.ts";
import {
  type BilledTo,
  type CallCharge,
  projectOfClient,
  type Spending,
  type SpendingLimits,
} from "../../src/budget/index.ts";
import { LimitError } from "../../src/errors.ts";
import { describeEach, midnight, noon } from "./rig.ts";

const project = projectOfClient("client");
const shared: SpendingLimits = { isShared: true };
const guildOf = (n: number) => `1111111111111111${String(n).padStart(2, "0")}`;
const decide: CallCharge = { method: "comments.setModerationStatus", bucket: "units", cost: 50 };
const edit: CallCharge = { method: "videos.update", bucket: "units", cost: 50 };
const search: CallCharge = { method: "search.list", bucket: "searches", cost: 1 };
const upload: CallCharge = { method: "videos.insert", bucket: "uploads", cost: 1 };
const dayMs = 24 * 3_600_000;

function accountOf(spending: Spending, n: number, charge: CallCharge = edit, limits = shared) {
  const billedTo: BilledTo = {
    ...{ guildId: guildOf(n), userId: guildOf(n), command: "some", limits },
    ...(charge === decide && { purpose: "moderation" as const }),
  };
  return spending.account(project, billedTo);
}

/** Calls until one is refused. */
async function spendAll(
  spending: Spending,
  n: number,
  charge: CallCharge,
): Promise<{ readonly spent: number; readonly refusal: LimitError }> {
  const account = accountOf(spending, n, charge);
  for (let spent = 0; ; spent += charge.cost) {
    try {
      const booking = await account.book(charge);
      await booking.settle({ attempts: 1, exhausted: false });
    } catch (error) {
      if (error instanceof LimitError) return { spent, refusal: error };
      throw error;
    }
  }
}

/** Each calls once, for nothing. */
async function meet(spending: Spending, servers: number): Promise<void> {
  for (let n = 0; n < servers; n += 1) {
    await (await accountOf(spending, n).book(edit)).settle({ attempts: 0 });
  }
}

it.each([
  [1, { own: 10_000, ownReserve: 2_000, common: 0, mostBorrowed: 0 }],
  [2, { own: 2_500, ownReserve: 500, common: 5_000, mostBorrowed: 2_500 }],
  [20, { own: 250, ownReserve: 50, common: 5_000, mostBorrowed: 2_500 }],
  [200, { own: 25, ownReserve: 5, common: 5_000, mostBorrowed: 2_500 }],
])("divides a project that %d servers share", (servers, part) => {
  expect(divideQuota({ bucket: "units", limit: 10_000, servers, reserve: 0.2 })).toMatchObject(
    part,
  );
});

describeEach((openRig) => {
  describe("a part of a project that servers share", () => {
    it("is everything for a server alone", async () => {
      const spending = await (await openRig()).open();

      expect((await spendAll(spending, 1, edit)).spent).toBe(8_000);
      expect((await spendAll(spending, 1, decide)).spent).toBe(2_000);
    });

    it.each([
      [2, 5_000],
      [20, 2_750],
    ])(
      "of %d leaves a server that spends all it can no more than %d units",
      async (servers, most) => {
        const spending = await (await openRig()).open();
        await meet(spending, servers);

        const edits = await spendAll(spending, 0, edit);
        const decisions = await spendAll(spending, 0, decide);

        expect(edits.spent + decisions.spent).toBe(most);
        expect(edits.refusal).toMatchObject({ code: "units_reserved", retryAt: midnight });
        expect(decisions.refusal).toMatchObject({
          code: "budget_part",
          retryAt: midnight,
          outcome: "nothing",
          facts: { bucket: "units", amount: most, used: most, left: 0, servers },
        });
      },
    );

    it("and its reserve stay the other servers', whatever one of them does", async () => {
      const spending = await (await openRig()).open();
      await meet(spending, 20);

      // Three take all that is lent, by moderating alone.
      for (const greedy of [0, 1, 2]) await spendAll(spending, greedy, decide);

      for (let n = 3; n < 20; n += 1) {
        expect((await spendAll(spending, n, edit)).spent).toBe(200);
        expect((await spendAll(spending, n, decide)).spent).toBe(50);
      }
      const { units } = await accountOf(spending, 0).left();
      expect(units.limit - units.used).toBeGreaterThanOrEqual(0);
    });

    it("keeps the reserve of a server from its own people, also when they borrow", async () => {
      const spending = await (await openRig()).open();
      await meet(spending, 20);
      await spendAll(spending, 0, edit);
      for (const greedy of [1, 2, 3]) await spendAll(spending, greedy, decide);

      expect((await spendAll(spending, 0, decide)).spent).toBe(50);
    });

    it("holds for searches and uploads too", async () => {
      const spending = await (await openRig()).open();
      await meet(spending, 10);
      for (const greedy of [0, 1, 2]) {
        await spendAll(spending, greedy, search);
        await spendAll(spending, greedy, upload);
      }

      for (let n = 3; n < 10; n += 1) {
        expect((await spendAll(spending, n, search)).spent).toBe(5);
        expect((await spendAll(spending, n, upload)).spent).toBe(5);
      }
    });

    it("holds over processes and restarts", async () => {
      const { open } = await openRig();
      const [one, two] = [await open(), await open()];
      await meet(one, 2);
      const first = await spendAll(two, 0, decide);
      const third = await open();

      expect(first.spent).toBe(5_000);
      expect((await spendAll(third, 0, decide)).spent).toBe(0);
      expect((await spendAll(third, 1, decide)).spent).toBe(5_000);
    });

    it("is not overdrawn by two processes at once", async () => {
      const { open } = await openRig();
      const [one, two] = [await open(), await open()];
      await meet(one, 2);

      const both = await Promise.all([spendAll(one, 0, decide), spendAll(two, 0, decide)]);

      expect(both.reduce((sum, { spent }) => sum + spent, 0)).toBe(5_000);
    });

    it("is new at midnight, for the servers of the last two weeks", async () => {
      const { open, clock } = await openRig();
      const spending = await open();
      await meet(spending, 2);
      await spendAll(spending, 0, decide);
      clock.time = midnight.getTime();

      expect((await spendAll(spending, 0, decide)).spent).toBe(5_000);

      clock.time = noon + 13 * dayMs;
      expect((await spendAll(spending, 0, decide)).spent).toBe(5_000);

      clock.time = noon + 14 * dayMs;
      expect((await spendAll(spending, 0, decide)).spent).toBe(10_000);
    });

    it("does not shrink by a server's restarts, nor by one that erases itself again and again", async () => {
      const { open, erase, clock } = await openRig();
      for (let restart = 0; restart < 5; restart += 1) await meet(await open(), 2);
      const spending = await open();
      for (let again = 0; again < 5; again += 1) {
        await meet(spending, 2);
        await erase(guildOf(1));
      }
      clock.time += 10_001;

      expect((await accountOf(spending, 0).left()).units).not.toHaveProperty("share");
      await meet(spending, 2);
      expect((await accountOf(spending, 0).left()).units.share).toMatchObject({ servers: 2 });
    });

    it("is not had once more by erasing what was spent, in any process", async () => {
      const { open, erase, clock } = await openRig();
      const spending = await open();
      await meet(spending, 2);
      await spendAll(spending, 0, decide);
      await erase(guildOf(0));
      const next = await open();

      expect((await spendAll(next, 0, decide)).spent).toBe(0);
      expect((await spendAll(next, 1, decide)).spent).toBe(5_000);
      clock.time = midnight.getTime();
      expect((await spendAll(next, 0, decide)).spent).toBe(5_000);
    });

    it("leaves nothing that identifies an erased server, and nothing at all the next day", async () => {
      const { open, erase, clock, place } = await openRig();
      const spending = await open();
      await accountOf(spending, 0).book(edit);
      await erase(guildOf(0));

      const parts = await place.query("select part, used from quota_parts");
      const other = await open({ secret: new Uint8Array(32) });
      await (await accountOf(other, 0).book(edit)).settle({ attempts: 0 });
      const tried = await place.query("select part from quota_parts where used = 0");
      clock.time = midnight.getTime();
      await accountOf(spending, 1).book(edit);

      expect(parts).toMatchObject([{ part: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
      expect(tried.map(({ part }) => part)).not.toContain(parts[0]?.part);
      const days = await place.query("select distinct day from quota_parts");
      expect(days).toEqual([{ day: "2026-01-16" }]);
    });

    it("gives back what never left, also of what was lent", async () => {
      const spending = await (await openRig()).open();
      await meet(spending, 2);
      for (let n = 0; n < 150; n += 1) {
        const booking = await accountOf(spending, 0, decide).book(decide);
        await booking.settle({ attempts: 0, exhausted: false });
      }

      expect((await spendAll(spending, 0, decide)).spent).toBe(5_000);
    });

    it("is shown with what is left, and stays below what the operator allows", async () => {
      const spending = await (await openRig()).open();
      await meet(spending, 2);
      await accountOf(spending, 0).book(edit);

      expect((await accountOf(spending, 0).left()).units).toMatchObject({
        left: 9_950,
        reserved: 500,
        share: { of: "part", limit: 5_000, used: 50, left: 4_950 },
      });
      const capped = accountOf(spending, 0, edit, { isShared: true, guild: { units: 60 } });
      expect((await capped.left()).units.share).toMatchObject({ of: "guild", left: 10 });
      await expect(capped.book(edit)).rejects.toMatchObject({ code: "budget_guild" });
    });
  });
});
