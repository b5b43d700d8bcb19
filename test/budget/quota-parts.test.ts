import { describe, expect, it } from "vitest";
import {
  type BilledTo,
  type CallCharge,
  projectOfClient,
  type Spending,
  type SpendingLimits,
} from "../../src/budget/index.ts";
import { countParts, divideQuota } from "../../src/budget/quota-parts.ts";
import { LimitError } from "../../src/errors.ts";
import { describeEach, midnight, noon, sharing } from "./rig.ts";

const project = projectOfClient("client");
const guildOf = (n: number) => `1111111111111111${String(n).padStart(2, "0")}`;
const decide: CallCharge = { method: "comments.setModerationStatus", bucket: "units", cost: 50 };
const edit: CallCharge = { method: "videos.update", bucket: "units", cost: 50 };
const search: CallCharge = { method: "search.list", bucket: "searches", cost: 1 };
const upload: CallCharge = { method: "videos.insert", bucket: "uploads", cost: 1 };
const dayMs = 24 * 3_600_000;

function accountOf(
  spending: Spending,
  n: number,
  charge: CallCharge = edit,
  limits = sharing(guildOf(n)),
) {
  const billedTo: BilledTo = {
    guildId: guildOf(n),
    userId: guildOf(n),
    command: "some",
    limits,
    ...(charge === decide && { purpose: "moderation" as const }),
  };
  return spending.account(project, billedTo);
}

/** Books calls until one is refused. */
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

/** Each server makes itself known with one call that costs nothing. */
async function meet(spending: Spending, servers: number): Promise<void> {
  for (let n = 0; n < servers; n += 1) {
    await (await accountOf(spending, n).book(edit)).settle({ attempts: 0 });
  }
}

it.each([
  [2, { own: 2_500, ownReserve: 500, common: 5_000, mostBorrowed: 2_500 }],
  [20, { own: 250, ownReserve: 50, common: 5_000, mostBorrowed: 2_500 }],
  [200, { own: 25, ownReserve: 5, common: 5_000, mostBorrowed: 2_500 }],
])("divides a project that the channels of %d people share", (channels, part) => {
  const division = { channels, people: new Map([[1, channels]]), parts: 1, isNew: false };

  expect(divideQuota({ bucket: "units", limit: 10_000, division, reserve: 0.2 })).toMatchObject(
    part,
  );
});

it.each([
  [{ settled: 1, fresh: 0 }, 1],
  [{ settled: 2, fresh: 0 }, 2],
  [{ settled: 50, fresh: 0 }, 2],
  [{ settled: 0, fresh: 1 }, 0.25],
  [{ settled: 0, fresh: 99 }, 0.25],
  [{ settled: 50, fresh: 99 }, 2.25],
])("gives a person with %o channels %d parts", (linked, parts) => {
  expect(countParts(linked)).toBe(parts);
});

/** Spends for a channel until it is refused. Another `server` may have the same channel. */
async function drain(spending: Spending, limits: SpendingLimits, server = 90): Promise<number> {
  let spent = 0;
  for (;;) {
    try {
      const booking = await accountOf(spending, server, decide, limits).book(decide);
      await booking.settle({ attempts: 1 });
      spent += decide.cost;
    } catch (error) {
      if (error instanceof LimitError) return spent;
      throw error;
    }
  }
}

describeEach((openRig) => {
  describe("a part of a project that servers share", () => {
    it("is everything for a server alone", async () => {
      const { spending } = await openRig();

      expect((await spendAll(spending, 1, edit)).spent).toBe(8_000);
      expect((await spendAll(spending, 1, decide)).spent).toBe(2_000);
    });

    it.each([
      [2, 5_000],
      [20, 2_750],
    ])(
      "of %d leaves a server that spends all it can no more than %d units",
      async (servers, most) => {
        const { spending } = await openRig();
        await meet(spending, servers);

        const edits = await spendAll(spending, 0, edit);
        const decisions = await spendAll(spending, 0, decide);

        expect(edits.spent + decisions.spent).toBe(most);
        expect(edits.refusal).toMatchObject({ code: "units_reserved", retryAt: midnight });
        expect(decisions.refusal).toMatchObject({
          code: "budget_part",
          retryAt: midnight,
          outcome: "nothing",
          facts: { bucket: "units", amount: most, used: most, left: 0, channels: servers },
        });
      },
    );

    it("and its reserve stay the other servers', whatever one of them does", async () => {
      const { spending } = await openRig();
      await meet(spending, 20);

      // Three servers take all that can be borrowed, by moderation alone.
      for (const greedy of [0, 1, 2]) await spendAll(spending, greedy, decide);

      for (let n = 3; n < 20; n += 1) {
        expect((await spendAll(spending, n, edit)).spent).toBe(200);
        expect((await spendAll(spending, n, decide)).spent).toBe(50);
      }
      const { units } = await accountOf(spending, 0).left();
      expect(units.limit - units.used).toBeGreaterThanOrEqual(0);
    });

    it("keeps the reserve of a server from its own people, also when they borrow", async () => {
      const { spending } = await openRig();
      await meet(spending, 20);
      await spendAll(spending, 0, edit);
      for (const greedy of [1, 2, 3]) await spendAll(spending, greedy, decide);

      expect((await spendAll(spending, 0, decide)).spent).toBe(50);
    });

    it("holds for searches and uploads too", async () => {
      const { spending } = await openRig();
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
      const { spending, clock } = await openRig();
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
      expect((await accountOf(spending, 0).left()).units.share?.sharing).toMatchObject({
        channels: 2,
      });
    });

    it("is not had once more by erasing what was spent, in any process", async () => {
      const { spending, open, erase, clock } = await openRig();
      await meet(spending, 2);
      await spendAll(spending, 0, decide);
      await erase(guildOf(0));
      const next = await open();

      expect((await spendAll(next, 0, decide)).spent).toBe(0);
      expect((await spendAll(next, 1, decide)).spent).toBe(5_000);
      clock.time = midnight.getTime();
      expect((await spendAll(next, 0, decide)).spent).toBe(5_000);
    });

    it("leaves nothing that identifies an erased server or its channel, and nothing at all the next day", async () => {
      const { spending, open, erase, clock, place } = await openRig();
      await accountOf(spending, 0).book(edit);
      await erase(guildOf(0));

      const parts = await place.query("select part, used from quota_parts");
      const other = await open({ secret: new Uint8Array(32) });
      await (await accountOf(other, 0).book(edit)).settle({ attempts: 0 });
      const tried = await place.query("select part from quota_parts where used = 0");
      clock.time = midnight.getTime();
      await accountOf(spending, 1).book(edit);

      const hashed = { part: expect.stringMatching(/^[0-9a-f]{32}$/) };
      expect(parts).toMatchObject([hashed, hashed]);
      const names = parts.map(({ part }) => part);
      expect(tried.filter(({ part }) => names.includes(part))).toEqual([]);
      const days = await place.query("select distinct day from quota_parts");
      expect(days).toEqual([{ day: "2026-01-16" }]);
    });

    it("gives back what never left, also of what was lent", async () => {
      const { spending } = await openRig();
      await meet(spending, 2);
      for (let n = 0; n < 150; n += 1) {
        const booking = await accountOf(spending, 0, decide).book(decide);
        await booking.settle({ attempts: 0, exhausted: false });
      }

      expect((await spendAll(spending, 0, decide)).spent).toBe(5_000);
    });

    it("is shown with what is left, and stays below what the operator allows", async () => {
      const { spending } = await openRig();
      await meet(spending, 2);
      await accountOf(spending, 0).book(edit);

      expect((await accountOf(spending, 0).left()).units).toMatchObject({
        left: 9_950,
        reserved: 500,
        share: { of: "part", limit: 5_000, used: 50, left: 4_950 },
      });
      const capped = accountOf(spending, 0, edit, {
        ...sharing(guildOf(0)),
        server: { units: 60 },
      });
      await (await capped.book({ ...edit, cost: 50 })).settle({ attempts: 1 });
      expect((await capped.left()).units.share).toMatchObject({ of: "guild", left: 10 });
      await expect(capped.book(edit)).rejects.toMatchObject({ code: "budget_guild" });
    });
  });

  describe("one person", () => {
    const victim = 0;

    it("with 99 servers that link one channel has one part", async () => {
      const { spending, clock } = await openRig();
      await meet(spending, 1);
      for (let n = 1; n < 99; n += 1) {
        const account = accountOf(spending, n, edit, sharing("UC-one", "greedy"));
        await (await account.book(edit)).settle({ attempts: 0 });
      }
      clock.time += 10_001;

      expect((await accountOf(spending, victim).left()).units.share).toMatchObject({
        limit: 5_000,
        sharing: { own: 2_500, channels: 2, ofPerson: 1 },
      });
      expect(await drain(spending, sharing("UC-one", "greedy"), 5)).toBe(5_000);
      expect(await drain(spending, sharing("UC-one", "greedy"), 6)).toBe(0);
      expect((await spendAll(spending, victim, decide)).spent).toBe(5_000);
    });

    it("with 99 new channels has a quarter of a part, and borrows once", async () => {
      const { spending, clock } = await openRig();
      await meet(spending, 1);
      clock.time += 7 * dayMs;
      await meet(spending, 1);
      let taken = 0;
      for (let n = 1; n < 99; n += 1)
        taken += await drain(spending, sharing(`UC${n}`, "greedy"), n);

      // 5,000 of the 10,000 units are divided by 1.25 parts, a quarter of which is 1,000; 2,500 more may be borrowed.
      expect(taken).toBe(1_000 + 2_500);
      expect((await accountOf(spending, victim).left()).units.share).toMatchObject({
        sharing: { own: 4_000, channels: 99 },
      });
      expect((await spendAll(spending, victim, decide)).spent).toBe(6_500);
    });

    it("with many channels has two parts after seven days", async () => {
      const { spending, clock } = await openRig();
      const start = clock.time;
      const visit = async () => {
        await meet(spending, 1);
        for (let n = 1; n < 20; n += 1) {
          const account = accountOf(spending, n, edit, sharing(`UC${n}`, "greedy"));
          await (await account.book(edit)).settle({ attempts: 0 });
        }
      };
      const ownOfVictim = async () =>
        (await accountOf(spending, victim).left()).units.share?.sharing?.own;
      await visit();
      const days: unknown[] = [await ownOfVictim()];
      for (const day of [6, 7]) {
        clock.time = start + day * dayMs;
        await visit();
        days.push(await ownOfVictim());
      }

      // Two new people get equal parts; later the victim has one part of three.
      expect(days).toEqual([2_500, 2_500, 1_666]);
      expect(
        (await accountOf(spending, 3, edit, sharing("UC3", "greedy")).left()).units,
      ).toMatchObject({ share: { sharing: { own: 3_333, ofPerson: 19 } } });
    });

    it("gets no second part by other people who link the channel, in other processes, at once", async () => {
      const { open } = await openRig();
      const processes = [await open(), await open()];
      await meet(processes[0] as Spending, 1);

      const spent = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          drain(processes[n % 2] as Spending, sharing("UC-one", `alt ${n}`), 10 + n),
        ),
      );

      const sum = spent.reduce((all, each) => all + each, 0);
      expect(sum).toBeLessThanOrEqual(5_000);
      expect((await spendAll(processes[1] as Spending, victim, decide)).spent).toBe(5_000);
    });

    it("gets no second part by linking a channel again as somebody else, or after it was erased", async () => {
      const { spending, erase, clock } = await openRig();
      await meet(spending, 1);
      let sum = 0;
      for (let again = 0; again < 5; again += 1) {
        sum += await drain(spending, sharing("UC-one", `alt ${again}`), 9);
        await erase(guildOf(9));
        clock.time += 10_001;
      }

      expect(sum).toBeLessThanOrEqual(7_500);
      expect((await spendAll(spending, victim, decide)).spent).toBeGreaterThanOrEqual(2_500);
    });

    it("who is alone has everything, however many channels and servers that are", async () => {
      const { spending } = await openRig();

      expect(await drain(spending, sharing("UC1", "alone"), 1)).toBe(10_000);
      expect(
        (await accountOf(spending, 2, edit, sharing("UC2", "alone")).left()).units,
      ).not.toHaveProperty("share");
    });
  });
});
